/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

import java.util.List;
import java.util.ServiceLoader;
import java.util.TreeSet;

/** An implementation of verbs: {@code shm}, {@code verbs} or {@code disni}. Thread-safe. */
public interface RdmaProvider
{
    /**
     * The name by which a user chooses it.
     *
     * @return lower case, one word.
     */
    String name();

    /**
     * The devices that can be opened now.
     *
     * @return none when there is no such hardware on this machine.
     * @throws RdmaException if the provider cannot work here at all, because a library or a right is missing: the
     *                       message says which, and what to do.
     */
    List<Device> devices();

    /**
     * Finds a provider by its name.
     *
     * @param name such as {@code shm}.
     * @return the provider.
     * @throws RdmaException if there is none of this name; the message lists those there are.
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

        throw new RdmaException(Errno.ENODEV, "load_provider", "no transport is called '" + name +
            "'; choose one of " + names);
    }
}
