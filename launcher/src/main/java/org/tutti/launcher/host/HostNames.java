/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.OwnAddress;

/**
 * The addresses of hosts by name, from this host's name service. A name unknown to it may still be valid, as ssh has
 * its own names.
 */
public final class HostNames
{
    private final Map<String, InetAddress> addresses = new ConcurrentHashMap<>();

    /**
     * Resolves all names concurrently: a name service may take seconds for an unknown name.
     *
     * @param hosts the hosts to resolve.
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
     * Returns the address of a name.
     *
     * @param name one of the hosts.
     * @return the address, or null if the name service does not know the name.
     */
    public InetAddress address(final String name)
    {
        return addresses.get(name);
    }

    /**
     * Merges entries of the same host: all names of this host, and all names with the same address. A name with a user
     * stays a separate host, as it is reached by ssh.
     *
     * @param hosts the hosts with their slots.
     * @return the hosts, each once, with all its slots.
     */
    public List<HostSlots> distinct(final List<HostSlots> hosts)
    {
        final Map<InetAddress, String> known = new HashMap<>();
        final Map<String, Integer> slots = new LinkedHashMap<>();
        for (final HostSlots host : hosts)
        {
            final InetAddress address = addresses.get(host.name());
            String name = host.name();
            if (isOurName(name) || (address != null && OwnAddress.isOurs(address) && name.indexOf('@') < 0))
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
            // ssh may know the name, and reports an error otherwise.
            return;
        }
    }
}
