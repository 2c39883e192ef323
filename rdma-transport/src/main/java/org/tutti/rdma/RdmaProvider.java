/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

import java.util.List;
import java.util.Map;
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
     * Applies settings of a program to this provider.
     *
     * @param settings settings: environment variables and system properties by their names; those of other parts of
     *                 Tutti are ignored.
     * @return a provider with these settings, or this one if it has none.
     * @throws IllegalArgumentException if a setting of this provider is invalid; the message names it, its value and
     *                                  the permitted values.
     */
    default RdmaProvider configured(final Map<String, String> settings)
    {
        return this;
    }

    /**
     * Finds a provider by its name, and applies settings to it.
     *
     * @param name     name of the provider, such as {@code tcp}.
     * @param settings settings as in {@link #configured}, such as those of {@code ProcessSettings.read()}.
     * @return the provider.
     * @throws RdmaException            if there is no such provider; the message lists the available ones.
     * @throws IllegalArgumentException if a setting of the provider is invalid; the message names it, its value and the
     *                                  permitted values.
     */
    static RdmaProvider load(final String name, final Map<String, String> settings)
    {
        return load(name).configured(settings);
    }

    /**
     * Finds a provider by its name. Of the settings of {@code tcp}, only system properties apply: {@link #load(String,
     * Map)} also applies environment variables.
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
