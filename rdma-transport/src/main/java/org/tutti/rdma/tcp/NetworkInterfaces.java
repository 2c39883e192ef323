/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.tutti.rdma.select.InterfaceDescription;
import org.tutti.rdma.select.InterfaceKind;

import java.io.IOException;
import java.net.NetworkInterface;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Lists the network interfaces of this host, by the JDK and, for their kind and speed, by sysfs. */
final class NetworkInterfaces
{
    private static final Path CLASS_NET = Path.of("/sys/class/net");
    private static final Path VIRTUAL_DEVICES = Path.of("devices", "virtual");
    private static final int MAC_LENGTH = 6;
    private static final int MAX_STACK = 8;
    /** Names that programs give to bridges and to other virtual interfaces, where sysfs does not say what they are. */
    private static final Pattern BRIDGE_NAMES = Pattern.compile("(docker|virbr|lxcbr|lxdbr|cni|podman|br)-?[0-9a-f]*");
    private static final Pattern VIRTUAL_NAMES =
        Pattern.compile("(veth|tun|tap|wg|vxlan|flannel|cali|tailscale|dummy|ifb|gre|sit)[-.0-9a-f]*");

    private final Path classNet;

    private NetworkInterfaces(final Path classNet)
    {
        this.classNet = classNet;
    }

    /**
     * Lists the interfaces of this host.
     *
     * @return interfaces in the order of their preference for connections to other hosts, equal ones in the order of
     *         the system; those that are down or have no address come after all others but loopback, which is last.
     * @throws IOException if the system does not list its interfaces.
     */
    static List<InterfaceDescription> list() throws IOException
    {
        final NetworkInterfaces sysfs = new NetworkInterfaces(CLASS_NET);
        final List<InterfaceDescription> descriptions = new ArrayList<>();
        // The JDK lists them in another order each time that one is added.
        for (final NetworkInterface one : NetworkInterface.networkInterfaces()
            .sorted(Comparator.comparingInt(NetworkInterface::getIndex)).toList())
        {
            final String name = one.getName();
            descriptions.add(new InterfaceDescription(name, sysfs.kind(name, one.isLoopback()), sysfs.mbit(name),
                one.isUp(), mac(one.getHardwareAddress()), one.inetAddresses().toList()));
        }
        sysfs.addBare(descriptions);
        descriptions.sort(InterfaceDescription.preferred());
        return descriptions;
    }

    /** Adds interfaces without addresses, which the JDK does not list: an error says why they cannot be used. */
    private void addBare(final List<InterfaceDescription> descriptions)
    {
        final List<String> known = descriptions.stream().map(InterfaceDescription::name).toList();
        try (Stream<Path> directories = Files.list(classNet))
        {
            directories.filter(Files::isDirectory).map(directory -> directory.getFileName().toString())
                .filter(name -> !known.contains(name)).sorted()
                .map(name -> new InterfaceDescription(name, kind(name, false), mbit(name), isUp(name), 0, List.of()))
                .forEach(descriptions::add);
        }
        catch (final IOException e)
        {
            // Without sysfs, they are not known.
            return;
        }
    }

    private boolean isUp(final String name)
    {
        try
        {
            return (Integer.decode(Files.readString(classNet.resolve(name).resolve("flags")).strip()) & 1) != 0;
        }
        catch (final IOException | NumberFormatException e)
        {
            return false;
        }
    }

    /**
     * Determines what an interface is.
     *
     * @param classNet   the directory {@code /sys/class/net}, or one like it.
     * @param name       name of the interface.
     * @param isLoopback whether the system says that it is loopback.
     * @return its kind.
     */
    static InterfaceKind kind(final Path classNet, final String name, final boolean isLoopback)
    {
        return new NetworkInterfaces(classNet).kind(name, isLoopback);
    }

    private InterfaceKind kind(final String name, final boolean isLoopback)
    {
        final Path directory = classNet.resolve(name);
        if (isLoopback)
        {
            return InterfaceKind.LOOPBACK;
        }
        if (!Files.isDirectory(directory))
        {
            return BRIDGE_NAMES.matcher(name).matches() ? InterfaceKind.BRIDGE :
                VIRTUAL_NAMES.matcher(name).matches() ? InterfaceKind.VIRTUAL : InterfaceKind.PHYSICAL;
        }
        final boolean isOnAdapter = isOnAdapter(name, MAX_STACK);
        return Files.exists(directory.resolve("bridge")) ?
            isOnAdapter ? InterfaceKind.VIRTUAL : InterfaceKind.BRIDGE :
            isOnAdapter ? InterfaceKind.PHYSICAL : InterfaceKind.VIRTUAL;
    }

    /** Whether an interface is an adapter, or sends through one: sysfs has a link to each interface below. */
    private boolean isOnAdapter(final String name, final int depth)
    {
        final Path directory = classNet.resolve(name);
        try
        {
            if (!directory.toRealPath().toString().contains(VIRTUAL_DEVICES.toString()))
            {
                return true;
            }
            try (DirectoryStream<Path> lower = Files.newDirectoryStream(directory, "lower_*"))
            {
                for (final Path link : lower)
                {
                    final String below = link.getFileName().toString().substring("lower_".length());
                    if (depth > 0 && isOnAdapter(below, depth - 1))
                    {
                        return true;
                    }
                }
            }
        }
        catch (final IOException e)
        {
            // The interface was just removed.
            return false;
        }
        return false;
    }

    /**
     * Reads the speed of a link.
     *
     * @param classNet the directory {@code /sys/class/net}, or one like it.
     * @param name     name of the interface.
     * @return speed in Mbit/s; 0 if unknown.
     */
    static int mbit(final Path classNet, final String name)
    {
        return new NetworkInterfaces(classNet).mbit(name);
    }

    private int mbit(final String name)
    {
        try
        {
            return Math.max(0, Integer.parseInt(Files.readString(classNet.resolve(name).resolve("speed")).strip()));
        }
        catch (final IOException | NumberFormatException e)
        {
            // Interfaces that are down, or have no such thing, report an error.
            return 0;
        }
    }

    private static long mac(final byte[] bytes)
    {
        long mac = 0;
        for (int i = 0; bytes != null && bytes.length == MAC_LENGTH && i < MAC_LENGTH; i++)
        {
            mac = mac << Byte.SIZE | (bytes[i] & 0xFF);
        }
        return mac;
    }
}
