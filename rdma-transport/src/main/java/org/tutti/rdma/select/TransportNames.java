/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import java.util.List;

/**
 * How people name transports: a provider, two of them, that within hosts and that between them, with a plus sign
 * ({@code shm+verbs}), or {@code auto} for what suits where ranks are. Stateless.
 */
public final class TransportNames
{
    /** What suits where ranks are: {@link #SHARED} within hosts, {@link #BETWEEN_HOSTS} between them. */
    public static final String AUTO = "auto";
    /** Shared memory: within hosts. */
    public static final String SHARED = "shm";
    /** What {@link #AUTO} takes between hosts. */
    public static final String BETWEEN_HOSTS = "verbs";
    /** Stands between two names. */
    public static final String SEPARATOR = "+";

    private TransportNames()
    {
    }

    /**
     * The providers of a setting.
     *
     * @param setting such as {@code shm+verbs}.
     * @return their names, that within hosts first; no look is taken whether they exist.
     */
    public static List<String> of(final String setting)
    {
        return setting.equals(AUTO) ? List.of(SHARED, BETWEEN_HOSTS) : List.of(setting.split("\\+", -1));
    }
}
