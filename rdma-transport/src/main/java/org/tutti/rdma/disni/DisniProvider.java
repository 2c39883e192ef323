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
 * Implements verbs on DiSNI 2.1. DiSNI implements protection domains, memory regions, queues, posting and polling by
 * stateful verb calls, and connecting by rdma_cm. Queries of devices and ports, which DiSNI lacks, use the provider
 * {@code verbs}.
 * <p>
 * Thread-safe. Supports only reliable connections between IPv4 addresses; all other verbs fail with
 * {@link org.tutti.rdma.Errno#EOPNOTSUPP}. A queue pair may become ready to send before its peer exists: the connection
 * is established as soon as both are ready to receive, and sends wait for it.
 */
public final class DisniProvider implements RdmaProvider
{
    private static final String QUERIED_PROVIDER = "verbs";

    /** Creates a provider, for {@link RdmaProvider#load}. */
    public DisniProvider()
    {
        // Nothing is loaded until a device is opened.
    }

    /**
     * Creates an instance of a class that uses DiSNI directly. The class and its package are redefined by the loader
     * that finds DiSNI's native library, so only types shared by all loaders, such as the JDK's, can be passed in and
     * out.
     *
     * @param className name of a public class with a public no-argument constructor.
     * @param type      type to return.
     * @param <T>       type of the object.
     * @return the instance.
     * @throws RdmaException if DiSNI or its native library cannot be loaded, or the class does not exist.
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
        DisniLoader.requireArtefacts();
        final List<Device> devices = new ArrayList<>();
        for (final Device device : RdmaProvider.load(QUERIED_PROVIDER).devices())
        {
            devices.add(new DisniDevice(device));
        }
        return devices;
    }
}
