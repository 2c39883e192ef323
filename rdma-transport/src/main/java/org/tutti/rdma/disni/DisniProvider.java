/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni;

import org.tutti.rdma.Device;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.RdmaProvider;

import java.util.ArrayList;
import java.util.List;

/**
 * Verbs by DiSNI 2.1. What DiSNI can, it does: protection domains, memory regions, queues, posting and polling by
 * stateful verb calls, and connecting by rdma_cm. What a device and its ports are, which DiSNI cannot ask, is asked of
 * the provider {@code verbs}.
 * <p>
 * Thread-safe. There are reliable connections only, between IPv4 addresses: whatever else the interface of verbs has
 * fails with {@link org.tutti.rdma.Errno#EOPNOTSUPP}. The state of a queue pair may go to ready-to-send before its peer
 * is there: the connection is made as soon as both are ready to receive, and sends wait for it.
 */
public final class DisniProvider implements RdmaProvider
{
    private static final String QUERIED_PROVIDER = "verbs";

    /** For {@link RdmaProvider#load}. */
    public DisniProvider()
    {
        // Nothing is loaded before a device is opened.
    }

    /**
     * Makes an instance of a class that uses DiSNI itself. The class, and what else is in its package, is defined anew,
     * where DiSNI finds its native half: only what all share, such as the JDK's types, can go in and out.
     *
     * @param className class name of a public class with a public constructor without parameters.
     * @param type      type of use.
     * @param <T>       type of the object.
     * @return the instance.
     * @throws RdmaException if DiSNI or its native half cannot be loaded, or there is no such class.
     */
    public static <T> T newInstance(final String className, final Class<T> type)
    {
        return DisniLoader.newInstance(className, type);
    }

    @Override
    public String name()
    {
        return "disni";
    }

    @Override
    public List<Device> devices()
    {
        final List<Device> devices = new ArrayList<>();
        for (final Device device : RdmaProvider.load(QUERIED_PROVIDER).devices())
        {
            devices.add(new DisniDevice(device));
        }
        return devices;
    }
}
