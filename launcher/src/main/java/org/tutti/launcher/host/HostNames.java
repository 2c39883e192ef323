/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.tutti.bootstrap.Hosts;

/**
 * The addresses of hosts by name, from this host's name service. A name that it does not know may still be valid: ssh
 * has names of its own.
 */
public final class HostNames
{
    private final Map<String, InetAddress> addresses = new ConcurrentHashMap<>();

    /**
     * Looks up all names at once: a name service may take seconds for one that it does not know.
     *
     * @param hosts the hosts to look up.
     * @throws InterruptedException if the thread is interrupted.
     */
    public HostNames(final List<HostSlots> hosts) throws InterruptedException
    {
        final List<Thread> threads = new ArrayList<>();
        for (final HostSlots host : hosts)
        {
            if (!isOurName(host.name()))
            {
                threads.add(Thread.ofVirtual().start(() -> lookUp(host.name())));
            }
        }
        for (final Thread thread : threads)
        {
            thread.join();
        }
    }

    /**
     * The address of a name.
     *
     * @param name one of the hosts.
     * @return the address, or null if the name service knows none.
     */
    public InetAddress address(final String name)
    {
        return addresses.get(name);
    }

    /**
     * Merges the names of one host: all names of this host, and all names with one address. A name with a user before
     * it stays a host of its own, as it is reached by ssh.
     *
     * @param hosts the hosts with their slots.
     * @return the hosts, each once, with all of its slots.
     */
    public List<HostSlots> distinct(final List<HostSlots> hosts)
    {
        final Map<InetAddress, String> known = new HashMap<>();
        final Map<String, Integer> slots = new LinkedHashMap<>();
        for (final HostSlots host : hosts)
        {
            final InetAddress address = addresses.get(host.name());
            String name = host.name();
            if (isOurName(name) || (address != null && isOurs(address) && name.indexOf('@') < 0))
            {
                name = Hosts.local();
            }
            else if (address != null && name.indexOf('@') < 0)
            {
                final String first = known.putIfAbsent(address, name);
                name = first == null ? name : first;
            }
            slots.merge(name, host.slots(), Integer::sum);
        }
        final List<HostSlots> result = new ArrayList<>();
        slots.forEach((name, count) -> result.add(new HostSlots(name, count)));
        return result;
    }

    /** Whether an address belongs to this host. */
    static boolean isOurs(final InetAddress address)
    {
        try
        {
            return address.isLoopbackAddress() || address.isAnyLocalAddress() ||
                NetworkInterface.getByInetAddress(address) != null;
        }
        catch (final SocketException ex)
        {
            return false;
        }
    }

    private static boolean isOurName(final String name)
    {
        return name.equals("localhost") || name.equals(Hosts.local());
    }

    private void lookUp(final String name)
    {
        try
        {
            addresses.put(name, InetAddress.getByName(name.substring(name.indexOf('@') + 1)));
        }
        catch (final UnknownHostException ex)
        {
            // ssh may know it, and says so if it does not.
            return;
        }
    }
}
