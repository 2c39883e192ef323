/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.rdma.select.InterfaceDescription;
import org.tutti.rdma.select.InterfaceKind;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Tests on directories like those of sysfs. */
class NetworkInterfacesTest
{
    @TempDir
    Path sysfs;

    @Test
    void shouldFindKindInSysfs() throws IOException
    {
        adapter("eth0", "25000");
        virtual("bond0", "50000", "eth0");
        virtual("bond0.7", "50000", "bond0");
        virtual("veth1", "10000");
        bridge("docker0", "veth1");
        bridge("br0", "eth0");
        bridge("virbr0");
        virtual("vlan-of-bridge", "-1", "docker0");

        assertKinds(InterfaceKind.PHYSICAL, "eth0", "bond0", "bond0.7");
        assertKinds(InterfaceKind.VIRTUAL, "veth1", "br0", "vlan-of-bridge");
        assertKinds(InterfaceKind.BRIDGE, "docker0", "virbr0");
        assertEquals(InterfaceKind.LOOPBACK, NetworkInterfaces.kind(net(), "eth0", true));
    }

    /** As within a sandbox without sysfs. */
    @ParameterizedTest
    @CsvSource({"eth0, PHYSICAL", "enp3s0, PHYSICAL", "ib0, PHYSICAL", "bond0, PHYSICAL", "docker0, BRIDGE",
        "br-1a2b3c4d5e6f, BRIDGE", "virbr0, BRIDGE", "br0, BRIDGE", "cni0, BRIDGE", "bracket, PHYSICAL",
        "veth12ab, VIRTUAL", "tun0, VIRTUAL", "flannel.1, VIRTUAL", "wg0, VIRTUAL"})
    void shouldGuessKindByNameWhenSysfsIsMissing(final String name, final InterfaceKind kind)
    {
        assertEquals(kind, NetworkInterfaces.kind(net(), name, false));
    }

    @ParameterizedTest
    @CsvSource({"25000, 25000", "-1, 0", "0, 0", "'', 0"})
    void shouldReadSpeed(final String text, final int mbit) throws IOException
    {
        adapter("eth0", text);

        assertEquals(mbit, NetworkInterfaces.mbit(net(), "eth0"));
        assertEquals(0, NetworkInterfaces.mbit(net(), "eth1"));
    }

    @Test
    void shouldListLoopbackOfThisHostLast() throws IOException
    {
        final List<InterfaceDescription> list = NetworkInterfaces.list();

        assertEquals(InterfaceKind.LOOPBACK, list.getLast().kind());
        assertEquals(list, list.stream().sorted(InterfaceDescription.preferred()).toList());
    }

    private void assertKinds(final InterfaceKind kind, final String... names)
    {
        for (final String name : names)
        {
            assertEquals(kind, NetworkInterfaces.kind(net(), name, false), name);
        }
    }

    private Path net()
    {
        return sysfs.resolve("class/net");
    }

    private void adapter(final String name, final String mbit) throws IOException
    {
        create("devices/pci0000:00/0000:00:03.0/net/", name, mbit);
    }

    private void virtual(final String name, final String mbit, final String... lower) throws IOException
    {
        create("devices/virtual/net/", name, mbit, lower);
    }

    private void bridge(final String name, final String... lower) throws IOException
    {
        virtual(name, "-1", lower);
        Files.createDirectories(sysfs.resolve("devices/virtual/net").resolve(name).resolve("bridge"));
    }

    private void create(final String parent, final String name, final String mbit, final String... lower)
        throws IOException
    {
        final Path device = Files.createDirectories(sysfs.resolve(parent).resolve(name));
        Files.writeString(device.resolve("speed"), mbit + "\n");
        Files.createDirectories(net());
        Files.createSymbolicLink(net().resolve(name), device);
        for (final String one : lower)
        {
            Files.createSymbolicLink(device.resolve("lower_" + one), net().resolve(one));
        }
    }
}
