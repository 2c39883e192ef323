/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.launcher.io.UsageException;

class HostListTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldParseListsAndAddUpSlots()
    {
        assertEquals(
            List.of(new HostSlots("node0", 3), new HostSlots("node1", 1), new HostSlots("me@10.0.0.7", 4),
                new HostSlots("fe80::1%eth0", 2), new HostSlots("::1", 1)),
            HostList.parse("node0:2, node1,node0,me@10.0.0.7:4,[fe80::1%eth0]:2,::1"));
    }

    @Test
    void shouldReadFiles() throws IOException
    {
        final Path file = Files.writeString(directory.resolve("hosts"), """
            # our hosts
            node0 slots=2   # the first

            \tnode1:3
            node2
            node0\tslots=1
            """);

        assertEquals(List.of(new HostSlots("node0", 3), new HostSlots("node1", 3), new HostSlots("node2", 1)),
            HostList.read(file));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "node0:x        | --host 'node0:x': 'x' is not a valid number of slots: give 1 to 1024",
        "node0:0        | --host 'node0:0': '0' is not a valid number of slots: give 1 to 1024",
        "node0:         | --host 'node0:': '' is not a valid number of slots: give 1 to 1024",
        "node0:5000     | '5000' is not a valid number of slots: give 1 to 1024",
        "node0,,node1   | --host 'node0,,node1': empty host name: give NAME:SLOTS, separated by commas",
        "-oProxy=x      | '-oProxy=x' is not a valid host name",
        "a b            | 'a b' is not a valid host name",
        "[::1           | '[::1' is not a valid host name"})
    void shouldReportInvalidEntryOfList(final String list, final String error)
    {
        final String message = assertThrows(UsageException.class, () -> HostList.parse(list)).getMessage();

        assertTrue(message.contains(error), message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "node1 slots=two       | 'two' is not a valid number of slots: give 1 to 1024",
        "node1 max_slots=2     | 'max_slots=2' is not valid here: give NAME, or NAME slots=N",
        "node1 slots=2 cores=3 | 'cores=3' is not valid here: give NAME, or NAME slots=N",
        ":2                    | empty host name: give NAME:SLOTS, separated by commas"})
    void shouldReportFileAndInvalidLine(final String line, final String error) throws IOException
    {
        final Path file = Files.writeString(directory.resolve("hosts"), "node0 slots=2\n\n" + line + "\n");

        assertEquals("--hostfile " + file + ", line 3: " + error,
            assertThrows(UsageException.class, () -> HostList.read(file)).getMessage());
    }

    @Test
    void shouldReportUnusableFile() throws IOException
    {
        final Path none = directory.resolve("none");
        final Path empty = Files.writeString(directory.resolve("empty"), "# no host\n");
        final Path binary = Files.write(directory.resolve("binary"), new byte[] {(byte)0xFF, 'a'});

        assertTrue(message(none).startsWith("cannot read --hostfile " + none + " (java.nio.file.NoSuchFile"));
        assertEquals("--hostfile " + empty + " contains no hosts: give lines such as 'node0 slots=2'", message(empty));
        assertEquals(
            "--hostfile " + binary + " is not a text file: give lines such as 'node0 slots=2'", message(binary));
    }

    private static String message(final Path file)
    {
        return assertThrows(UsageException.class, () -> HostList.read(file)).getMessage();
    }
}
