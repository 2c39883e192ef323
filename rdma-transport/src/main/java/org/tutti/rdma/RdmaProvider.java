/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

import java.util.List;
import java.util.ServiceLoader;
import java.util.TreeSet;

/** An implementation of verbs: {@code shm}, {@code verbs}, {@code tcp} or {@code disni}. Thread-safe. */
public interface RdmaProvider
{
    /**
     * The name of the transport, as in the configuration.
     *
     * @return one word in lower case.
     */
    String name();

    /**
     * The devices that can be opened now.
     *
     * @return the devices; an empty list if this host has none that this provider can use.
     * @throws RdmaException if the provider cannot run on this host because a library or a permission is missing; the
     *                       message names it and the fix.
     */
    List<Device> devices();

    /**
     * Finds a provider by its name.
     *
     * @param name name of the provider, such as {@code shm}.
     * @return the provider.
     * @throws RdmaException if there is no such provider; the message lists the available ones.
     */
    static RdmaProvider load(final String name)
    {
        final TreeSet<String> names = new TreeSet<>();
        for (final RdmaProvider provider : ServiceLoader.load(RdmaProvider.class))
        {
            if (provider.name().equals(name))
            {
                return provider;
            }
            names.add(provider.name());
        }

        throw new RdmaException(Errno.ENODEV, "load_provider", "unknown transport '" + name +
            "'; choose one of " + names);
    }
}
