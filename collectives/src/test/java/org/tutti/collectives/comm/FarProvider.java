/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.Context;
import org.tutti.rdma.Device;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.RdmaProvider;
import org.tutti.rdma.shm.ShmProvider;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;

/**
 * A substitute for a network provider: shared memory under another name, with its own devices, queues and keys. Ranks
 * must have both in the directory given by the property {@code tutti.shm.dir}.
 */
public final class FarProvider implements RdmaProvider
{
    private static final int LENGTH = 4096;

    @Override
    public String name()
    {
        return "far";
    }

    @Override
    public List<Device> devices()
    {
        return new ShmProvider().devices().stream().map(device -> (Device)Proxy.newProxyInstance(
            FarProvider.class.getClassLoader(), new Class<?>[] {Device.class}, (proxy, method, arguments) ->
            {
                try
                {
                    final Object result = method.invoke(device, arguments);
                    return result instanceof final Context context ? withOtherKeys(context) : result;
                }
                catch (final InvocationTargetException e)
                {
                    throw e.getCause();
                }
            })).toList();
    }

    /** Gives registrations of another context different keys, so that a wrong key is detected. */
    private static Context withOtherKeys(final Context context)
    {
        try (AllocatedMemory memory = context.allocateMemory(LENGTH);
            ProtectionDomain domain = context.allocateProtectionDomain())
        {
            domain.registerMemory(memory.address(), LENGTH, AccessFlags.ALL).close();
            return context;
        }
    }
}
