/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.device;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.rdma.select.InterfaceDescription;
import org.tutti.rdma.select.InterfaceKind;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

class LocalPortTest
{
    /** The kernel reports 10 Gbit/s for veth, whatever the adapters below it. */
    @ParameterizedTest
    @CsvSource({
        "PHYSICAL, 25000, 25000",
        "PHYSICAL, 0, 0",
        "VIRTUAL, 10000, 0",
        "BRIDGE, 10000, 0",
        "LOOPBACK, 10000, 0"})
    void shouldStateTheRateOfPhysicalInterfacesOnly(final InterfaceKind kind, final int mbit, final int stated)
    {
        assertEquals(stated, LocalPort.mbit(new InterfaceDescription("eth0", kind, mbit, true, 0, List.of())));
    }
}
