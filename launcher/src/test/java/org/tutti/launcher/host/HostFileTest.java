/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.launcher.io.UsageException;

class HostFileTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldReadFormatsOfOtherLaunchers() throws IOException
    {
        assertEquals(
            List.of(new HostSlots("node0", 3), new HostSlots("node1", 3), new HostSlots("node2", 1),
                new HostSlots("me@node3", 2), new HostSlots("::1", 4), new HostSlots("10.0.0.7", 1),
                new HostSlots("job-worker-0.job.default.svc", 8)),
            read("""
                # of Open MPI
                node0 slots=2   # the first

                node1 slots = 3 max_slots=6 // the second
                node2
                node3 count=2 max-slots=2 username=me
                node0\tslots=1
                # of MPICH
                [::1]:4
                10.0.0.7
                # of the MPI Operator
                job-worker-0.job.default.svc slots=8\r
                """));
    }

    @Provide
    static Arbitrary<List<HostSlots>> hosts()
    {
        return Combinators.combine(
            Arbitraries.of("a", "node-1", "10.1.2.3", "me@b", "c.example.org", "[fd00::1]"), Arbitraries.integers()
                .between(1, RankPlacement.MAX_RANKS)).as(HostSlots::new).list().ofMinSize(1).ofMaxSize(12);
    }

    /** Spaces, comments, empty lines and the choice of a format do not matter. */
    @Property(tries = 200)
    void shouldReadHostsInAnyFormat(@ForAll("hosts") final List<HostSlots> hosts, @ForAll final long seed)
    {
        final List<HostSlots> plain = hosts.stream()
            .map(host -> new HostSlots(host.name().replaceAll("[\\[\\]]", ""), host.slots())).toList();

        assertEquals(HostList.merged(plain), read(String.join("", lines(hosts, new Random(seed)))));
    }

    @Property(tries = 200)
    void shouldNameTheInvalidLine(
        @ForAll("hosts") final List<HostSlots> hosts, @ForAll final long seed, @ForAll @IntRange(max = 12) final int at)
    {
        final List<String> lines = lines(hosts, new Random(seed));
        final int index = Math.min(at, lines.size());
        lines.add(index, "node9 cores=4\n");
        final int number = (int)String.join("", lines.subList(0, index)).lines().count() + 1;

        final String message = assertThrows(UsageException.class, () -> read(String.join("", lines))).getMessage();

        assertTrue(message.contains(", line " + number + ": 'cores=4' is not valid here"), message);
    }

    private static List<String> lines(final List<HostSlots> hosts, final Random random)
    {
        final List<String> lines = new ArrayList<>();
        for (final HostSlots host : hosts)
        {
            final String space = " \t".repeat(1 + random.nextInt(2));
            final String line = switch (random.nextInt(4))
            {
                case 0 -> host.name() + ":" + host.slots();
                case 1 -> host.name() + space + "slots=" + host.slots();
                case 2 -> host.name() + space + "max_slots=1024" + space + "slots =" + space + host.slots();
                default -> host.name() + space + "slots=" + host.slots() + space + "max-slots=" + host.slots();
            };
            lines.add((random.nextBoolean() ? "\n" : "") + (random.nextBoolean() ? space : "") + line +
                switch (random.nextInt(4))
                {
                    case 0 -> " # a comment with node8 slots=2\n";
                    case 1 -> "// another\r\n";
                    default -> space + "\n";
                });
        }
        return lines;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "node1 slots=two           | 'two' is not a valid number of slots: give 1 to 1024",
        "node1 slots=0             | '0' is not a valid number of slots: give 1 to 1024",
        "node1:0                   | '0' is not a valid number of slots: give 1 to 1024",
        "node1 max_slots=x         | 'x' is not a valid number of slots: give 1 to 1024",
        "node1 slots=4 max_slots=2 | slots of 'node1' exceed max_slots: 4 > 2: give at most 2 slots",
        "node1:4 max_slots=2       | slots of 'node1' exceed max_slots: 4 > 2: give at most 2 slots",
        "node1 slots=2 slots=3     | slots of 'node1' is given twice: give one",
        "node1:2 slots=3           | slots of 'node1' is given twice: give one",
        "node1 slots=2 cores=3     | 'cores=3' is not valid here: give NAME, NAME:N or NAME slots=N max_slots=N",
        "node1 slots               | 'slots' is not valid here: give NAME, NAME:N or NAME slots=N max_slots=N",
        "node1 slots=              | 'slots=' is not valid here: give NAME, NAME:N or NAME slots=N max_slots=N",
        "node1 node2               | 'node2' is not valid here: give NAME, NAME:N or NAME slots=N max_slots=N",
        "^node1                    | '^node1' is not a valid host name",
        "node1 username=-l         | '-l@node1' is not a valid host name",
        ":2                        | empty host name: give NAME:SLOTS, separated by commas"})
    void shouldReportFileAndInvalidLine(final String line, final String error) throws IOException
    {
        final Path file = Files.writeString(directory.resolve("hosts"), "node0 slots=2\n\n" + line + "\n");

        assertEquals("--hostfile " + file + ", line 3: " + error, message(HostFile.ofOption(file)));
    }

    @Test
    void shouldReportUnusableFile() throws IOException
    {
        final Path none = directory.resolve("none");
        final Path empty = Files.writeString(directory.resolve("empty"), "# no host\n");
        final Path binary = Files.write(directory.resolve("binary"), new byte[] {(byte)0xFF, 'a'});
        final String form = "give lines such as 'node0 slots=2' or 'node0:2'";

        assertEquals("cannot read --hostfile " + none + " (java.nio.file.NoSuchFileException: " + none + "): give a " +
            "file with lines such as 'node0 slots=2' or 'node0:2'", message(HostFile.ofOption(none)));
        assertEquals("--hostfile " + empty + " contains no hosts: " + form, message(HostFile.ofOption(empty)));
        assertEquals("--hostfile " + binary + " is not a text file: " + form, message(HostFile.ofOption(binary)));
        assertTrue(message(HostFile.ofVariables(Map.of("HYDRA_HOST_FILE", none.toString()))).endsWith(
            "or 'node0:2', unset the variable, or give --host"));
    }

    @ParameterizedTest
    @CsvSource({"OMPI_MCA_orte_default_hostfile", "PRTE_MCA_prte_default_hostfile", "I_MPI_HYDRA_HOST_FILE",
        "HYDRA_HOST_FILE"})
    void shouldUseFileOfOtherLaunchersUnlessDisabled(final String variable) throws IOException
    {
        final Path file = Files.writeString(directory.resolve("hosts"), "a slots=2\n");

        assertEquals(List.of(new HostSlots("a", 2)), HostFile.ofVariables(Map.of(variable, file.toString())).read());
        assertNull(HostFile.ofVariables(Map.of(variable, "none")));
        assertNull(HostFile.ofVariables(Map.of(variable, " ")));
        assertNull(HostFile.ofVariables(Map.of()));
    }

    private static String message(final HostFile file)
    {
        return assertThrows(UsageException.class, file::read).getMessage();
    }

    private static List<HostSlots> read(final String text)
    {
        try
        {
            final Path file = Files.createTempFile("tutti-hosts", "");
            try
            {
                return HostFile.ofOption(Files.writeString(file, text)).read();
            }
            finally
            {
                Files.delete(file);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
