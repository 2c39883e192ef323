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
 * What this host's name service says of the names of a list. A name that it does not know may be good all the same, for
 * ssh has names of its own.
 */
public final class HostNames
{
    private final Map<String, InetAddress> addresses = new ConcurrentHashMap<>();

    /** Looks up all names at once: a name service may take seconds for one that it does not know. */
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

    /** The address of a name, or null when nobody here knows one. */
    public InetAddress address(final String name)
    {
        return addresses.get(name);
    }

    /**
     * The hosts, each once: all names of this host are one, and all names of one address. A name with a user before it
     * is a host of its own, for it is reached by ssh.
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

    /** Whether an address is one of this host's. */
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
