/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Wireshark dissects what ranks exchange over TCP as iWARP, as docs/capture.md says. */
@Tag("torture")
@Timeout(300)
class CaptureTest
{
    /** Of Wireshark 4.0, which knows revision 1 of MPA only, not that of RFC 6581. */
    private static final List<String> REVISION = List.of(
        "Rev field is NOT set to one as required by RFC 5044", "Res field is NOT set to zero as required by RFC 5044");
    /** WRITE, SEND and immediate data, which Wireshark 4.0 does not know. */
    private static final List<String> OPCODES = List.of("0x00", "0x03", "0x08");

    @TempDir
    private Path directory;

    @Test
    void shouldBeDissectedByWiresharkWithGoodChecksums() throws Exception
    {
        Assumptions.assumeTrue(isInstalled("tshark") && isInstalled("dumpcap"), () ->
        {
            final String reason = "needs tshark and dumpcap on the PATH: apt-get install tshark";
            System.out.println("skipping the test of captures: " + reason);
            return reason;
        });
        final String capture = capture().toString();

        final List<String> crcs = output("tshark", "-r", capture, "-V", "-O", "iwarp_mpa").lines()
            .filter(line -> line.contains("CRC check: ")).toList();
        assertTrue(crcs.size() > 100, crcs.toString());
        assertEquals(List.of(), crcs.stream().filter(line -> !line.contains("(Good CRC32)")).toList());

        final List<String> items = output("tshark", "-r", capture, "-q", "-z", "expert").lines()
            .filter(line -> line.contains("IWARP") && REVISION.stream().noneMatch(line::contains)).toList();
        assertEquals(List.of(), items);

        final TreeSet<String> opcodes = new TreeSet<>();
        output("tshark", "-r", capture, "-Y", "iwarp_mpa.fpdu", "-T", "fields", "-e", "iwarp_rdma.opcode").lines()
            .forEach(line -> opcodes.addAll(List.of(line.strip().split(",", -1))));
        assertTrue(opcodes.containsAll(OPCODES), opcodes.toString());
    }

    /** Runs an allreduce between two hosts, and returns a file with the packets that one of them saw. */
    private Path capture() throws Exception
    {
        final Path file = directory.resolve("capture");
        final Path process = directory.resolve("process");
        try (NamespaceHosts hosts = NamespaceHosts.start(directory, "a", "b"))
        {
            final Process dumpcap = hosts.start("on", "b", "sh", "-c", "echo $$ >" + process +
                "; exec dumpcap -q -i eth0 -B 64 -f 'tcp and not port 22' -w " + file);
            String line = dumpcap.inputReader().readLine();
            while (line != null && !line.startsWith("File: "))
            {
                line = dumpcap.inputReader().readLine();
            }
            assertFalse(line == null, "dumpcap did not start");
            try (TuttiJob job = hosts.job(Map.of(), "a,b", List.of(),
                "perf", "allreduce", "-b", "4", "-e", "256k", "-f", "16", "-n", "2", "-w", "1"))
            {
                assertEquals(0, job.await(FaultJobs.LIMIT_MS), job.output());
            }
            hosts.run("on", "b", "kill", "-s", "INT", Files.readString(process).strip());
            try (Stream<String> rest = dumpcap.inputReader().lines())
            {
                assertTrue(rest.anyMatch(each -> each.contains("dropped on interface") && each.contains("/0 (")),
                    "packets were dropped");
            }
            assertEquals(0, dumpcap.waitFor());
        }
        return file;
    }

    private static boolean isInstalled(final String program)
    {
        return Stream.of(System.getenv("PATH").split(":", -1))
            .anyMatch(each -> Files.isExecutable(Path.of(each, program)));
    }

    private static String output(final String... words) throws IOException, InterruptedException
    {
        final ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(List.of(words)));
        builder.environment().putAll(Map.of("LC_ALL", "C"));
        final Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), () -> List.of(words).toString());
        return output;
    }
}
