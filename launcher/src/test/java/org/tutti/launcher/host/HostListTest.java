/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.launcher.io.UsageException;

class HostListTest
{
    @Test
    void shouldParseListsAndAddUpSlots()
    {
        assertEquals(
            List.of(new HostSlots("node0", 3), new HostSlots("node1", 1), new HostSlots("me@10.0.0.7", 4),
                new HostSlots("fe80::1%eth0", 2), new HostSlots("::1", 1)),
            HostList.parse("node0:2, node1,node0,me@10.0.0.7:4,[fe80::1%eth0]:2,::1"));
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
}
