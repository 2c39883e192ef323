/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import java.util.List;

/**
 * Parses names of transports: one provider; two providers joined by a plus sign ({@code shm+verbs}), the first within
 * hosts and the second between them; or {@code auto}, which depends on where the ranks are. Stateless.
 */
public final class TransportNames
{
    /**
     * {@link #SHARED} within hosts; between them {@link #BETWEEN_HOSTS} if all ranks have a device, else {@link #TCP}.
     */
    public static final String AUTO = "auto";
    /** Shared memory, within hosts. */
    public static final String SHARED = "shm";
    /** The transport of {@link #AUTO} between hosts that all have an RDMA device. */
    public static final String BETWEEN_HOSTS = "verbs";
    /** Software iWARP over TCP, for hosts without RDMA devices. */
    public static final String TCP = "tcp";
    /** Separates two names. */
    public static final String SEPARATOR = "+";

    private TransportNames()
    {
    }

    /**
     * Splits a setting into providers.
     *
     * @param setting a setting such as {@code shm+verbs}.
     * @return names of the providers, the one within hosts first; not checked for existence.
     */
    public static List<String> of(final String setting)
    {
        return setting.equals(AUTO) ? List.of(SHARED, BETWEEN_HOSTS) : List.of(setting.split("\\+", -1));
    }
}
