/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.config;

import org.tutti.collectives.ConfigurationException;
import org.tutti.rdma.select.TransportNames;

import java.util.List;

/**
 * Which transports a rank uses: one for all peers, or shared memory for those of its host and another one for the
 * others.
 *
 * @param setting source of the setting.
 * @param names   names of providers; none if they depend on where the ranks are.
 */
public record TransportSetting(Setting setting, List<String> names)
{
    /**
     * Reads the setting.
     *
     * @throws ConfigurationException if it is more than two transports, or the first of two is not shared memory.
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
            throw setting.wrong("no transport: give auto, one provider such as shm or verbs, or shm and one for " +
                "other hosts, such as shm+verbs");
        }
        return new TransportSetting(setting, names);
    }

    /** Whether ranks of one host reach each other by shared memory. */
    public boolean isSharedWithinHosts()
    {
        return names.isEmpty() || names.getFirst().equals(TransportNames.SHARED);
    }

    @Override
    public String toString()
    {
        return setting.text();
    }
}
