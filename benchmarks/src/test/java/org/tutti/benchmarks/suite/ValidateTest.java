/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the script {@code benchmarks/simulator/validate} with programs in place of hosts and {@code tutti}. */
@Timeout(120)
class ValidateTest
{
    private static final Path ROOT = Path.of(System.getProperty("tutti.root"));
    /** Runs commands on hosts at once. */
    private static final String HOSTS = """
        #!/bin/sh
        [ "$1" = on ] || exit 0
        shift 3
        exec "$@"
        """;
    /** Runs a command on an emulated host at once. */
    private static final String SOFT_ROCE = """
        #!/bin/sh
        options=
        while [ "$1" != -- ]
        do
            case $1 in
                --hosts|--delay) options="$options $2" ;;
                *) ;;
            esac
            shift
        done
        shift
        echo "soft-roce:$options" >>"${0%/*}/../../calls"
        exec "$@"
        """;
    /** Measures two of three algorithms, at the first size of a sweep only; predicts twice the time. */
    private static final String TUTTI = """
        #!/bin/sh
        calls=${0%/*}/calls
        if [ "$1" = calibrate ]
        then
            [ "$3" = --check ] || { echo version=1 >"$6"; exit 0; }
            echo 'COLLECTIVE ALGORITHM RANKS SIZE MEASURED/US PREDICTED/US ERROR/%'
            grep -v '^#' "$2" | tr , ' ' | while read -r collective algorithm ranks bytes us
            do
                echo "$collective $algorithm $ranks $bytes $us $((us * 2)) +100"
            done
            echo '# predicted: error factor 2.00 median, 2.50 maximum, of 2 times'
            exit 0
        fi
        [ "$1" = run ] || exit 0
        while [ $# -gt 0 ]
        do
            case $1 in
                -b) from=$2 ;;
                -e) to=$2 ;;
                -f) factor=$2 ;;
                --host) hosts=$2 ;;
                --times) times=$2 ;;
                *) ;;
            esac
            shift
        done
        echo "$hosts: $from to $to by $factor" >>"$calls"
        good='5 of 7' most=1.50 row='7.00+ 6.00* -' other=6
        [ "$from" = 4 ] || good='1 of 1' most=1.10 row='7.00* 8.00 -' other=8
        printf '# by tutti run tune\\nallreduce,ring,2,%s,7\\nallreduce,one_shot,2,%s,%s\\n' "${from%k}" "${from%k}" \\
            "$other" >"$times"
        echo '# allreduce, microseconds; * marks the chosen algorithm, + the one without a table if it is another'
        echo '  size  ring  one_shot  rabenseifner'
        echo "  ${from%k}  $row"
        echo "# without a table, calls take at most 1.25 times as long as the fastest algorithm at $good sizes," \\
            "and at most $most times at all"
        """;

    @TempDir
    private Path directory;

    /** Exit code and output of the script. */
    private record Result(int code, String out)
    {
    }

    @BeforeEach
    void makeTree() throws IOException
    {
        executable("benchmarks/simulator/validate", Files.readString(ROOT.resolve("benchmarks/simulator/validate")));
        executable("launcher/hosts/hosts", HOSTS);
        executable("rdma-transport/soft-roce/soft-roce", SOFT_ROCE);
        executable("tutti", TUTTI);
    }

    @Test
    void shouldMeasureEightSizesByDefault() throws Exception
    {
        final Path results = directory.resolve("results");
        final Result result = validate("--delays", "50us", "--rates", "none", "--hosts", "2", "-o", results.toString());

        assertEquals(0, result.code(), result.out());
        // Once to fit the model, and once with it.
        assertEquals(List.of("a:1,b:1: 4 to 8M by 8", "a:1,b:1: 512k to 512k by 8", "a:1,b:1: 4 to 8M by 8",
            "a:1,b:1: 512k to 512k by 8"), Files.readAllLines(directory.resolve("calls")));
        assertTrue(result.out().lines().anyMatch(
            line -> line.matches("50us +none +2 +6/8 +1\\.50 +2\\.00 +2\\.50")), result.out());
        assertEquals(List.of("delay,rate,collective,algorithm,hosts,bytes,measured_us,predicted_us,chosen",
            "50us,none,allreduce,ring,2,4,7,14,1", "50us,none,allreduce,one_shot,2,4,6,12,0",
            "50us,none,allreduce,ring,2,512,7,14,1", "50us,none,allreduce,one_shot,2,512,8,16,0"),
            Files.readAllLines(results.resolve("times.csv")));
    }

    @Test
    void shouldStartEmulatedHostsWithDelayForVerbs() throws Exception
    {
        final Result result = validate("--wire", "verbs", "--delays", "2ms", "--also", "");

        assertEquals(0, result.code(), result.out());
        assertEquals(List.of("soft-roce: 2 2ms", "node0:1,node1:1: 4 to 1M by 8", "soft-roce: 2 2ms",
            "node0:1,node1:1: 4 to 1M by 8"), Files.readAllLines(directory.resolve("calls")));
    }

    @Test
    void shouldRefuseRatesForVerbs() throws Exception
    {
        final Result result = validate("--wire", "verbs", "--rates", "1gbit");

        assertEquals(new Result(2, "validate: --rates: 1gbit: emulators limit the rate; omit it\n"), result);
    }

    @Test
    void shouldRefuseUnknownWires() throws Exception
    {
        final Result result = validate("--wire", "shm");

        assertEquals(new Result(2, "validate: --wire: shm: must be tcp or verbs\n"), result);
    }

    @Test
    void shouldRefuseInvalidSizes() throws Exception
    {
        final Result result = validate("--also", "512k many");

        assertEquals(new Result(2, "validate: --also: many: must be a size such as 512k\n"), result);
    }

    private Result validate(final String... options) throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>();
        command.add(directory.resolve("benchmarks/simulator/validate").toString());
        command.addAll(Stream.of(options).toList());
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        final String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), out);
    }

    private void executable(final String name, final String script) throws IOException
    {
        final Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.setPosixFilePermissions(
            Files.writeString(file, script), PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
