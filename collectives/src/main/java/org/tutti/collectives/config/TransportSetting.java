/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.config;

import org.tutti.collectives.ConfigurationException;
import org.tutti.rdma.select.TransportNames;

import java.util.List;

/**
 * The transports of a rank: one for all peers, or shared memory for peers on its host and another one for the others.
 *
 * @param setting value and source of the setting.
 * @param names   names of providers; empty if the providers depend on which hosts the ranks are on.
 */
public record TransportSetting(Setting setting, List<String> names)
{
    /**
     * Parses the setting.
     *
     * @throws ConfigurationException if there are more than two transports, or the first of two is not shared memory.
     */
    static TransportSetting of(final Setting setting)
    {
        if (setting.text().equals(TransportNames.AUTO))
        {
            return new TransportSetting(setting, List.of());
        }
        final List<String> names = TransportNames.of(setting.text());
        if (names.size() > 1 && (names.size() > 2 || !names.getFirst().equals(TransportNames.SHARED) ||
            List.of(TransportNames.SHARED, TransportNames.AUTO, "").contains(names.get(1).strip())))
        {
            throw setting.wrong("not a transport: give auto, one provider such as shm or verbs, or shm and one for " +
                "other hosts, such as shm+verbs");
        }
        return new TransportSetting(setting, names);
    }

    /** Whether ranks on one host communicate through shared memory. */
    public boolean isSharedWithinHosts()
    {
        return names.isEmpty() || names.getFirst().equals(TransportNames.SHARED);
    }

    /** Whether a provider may be used, to other hosts at least. */
    boolean mayUse(final String provider)
    {
        return names.isEmpty() || names.getLast().equals(provider);
    }

    @Override
    public String toString()
    {
        return setting.text();
    }
}
