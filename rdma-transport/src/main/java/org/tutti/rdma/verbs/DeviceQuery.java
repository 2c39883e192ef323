/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.agrona.UnsafeApi;
import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.os.NativeFunction;

import java.lang.foreign.Arena;

/** Queries the capabilities of a device. Stateless. */
final class DeviceQuery
{
    /** Upper bound of the search for the maximum inline data, in bytes: more than any adapter supports. */
    private static final int LARGEST_INLINE_DATA = 4096;

    private DeviceQuery()
    {
    }

    /**
     * Queries the device.
     *
     * @param context {@code struct ibv_context *}.
     * @return attributes without the length of inline data and without support of on-demand paging.
     */
    static DeviceAttributes attributes(final long context)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final long attributes = arena.allocate(Layout.DEVICE_ATTR_SIZE, Long.BYTES).address();
            VerbsErrors.check(Libibverbs.QUERY_DEVICE.call(context, attributes), "ibv_query_device",
                "cannot read the limits of the device");
            return Structs.deviceAttributes(attributes);
        }
    }

    /**
     * Whether the device supports on-demand paging, by {@code ibv_query_device_ex}, which is inline in the header and
     * uses a structure in front of the context.
     *
     * @param context {@code struct ibv_context *}.
     * @return false if the device or the library lacks it.
     */
    static boolean hasOnDemandPaging(final long context)
    {
        if (UnsafeApi.getLong(context + Layout.CONTEXT_ABI_COMPAT) != Layout.CONTEXT_IS_EXTENDED ||
            UnsafeApi.getLong(context - Layout.BEFORE_CONTEXT_SIZE) < Layout.BEFORE_CONTEXT_QUERY_DEVICE_EX)
        {
            return false;
        }
        final long function = UnsafeApi.getLong(context - Layout.BEFORE_CONTEXT_QUERY_DEVICE_EX);
        if (function == 0)
        {
            return false;
        }
        try (Arena arena = Arena.ofConfined())
        {
            final long attributes = arena.allocate(Layout.DEVICE_ATTR_EX_SIZE, Long.BYTES).address();
            final long result = NativeFunction.at(function, "ibv_query_device_ex")
                .call(context, 0, attributes, Layout.DEVICE_ATTR_EX_SIZE);
            final long caps = UnsafeApi.getLong(attributes + Layout.DEVICE_ATTR_EX_ODP_GENERAL_CAPS);
            return result == 0 && (caps & Layout.ODP_SUPPORT) != 0;
        }
    }

    /**
     * Determines the maximum inline data of a request by creating queue pairs, the only way to find it: the largest
     * length accepted for a reliable connection with one request and one entry.
     *
     * @param context {@code struct ibv_context *}.
     * @return length in bytes; 0 if inline data is not supported or no queue pair can be created now.
     */
    static int maxInlineData(final long context)
    {
        final long domain = Libibverbs.ALLOC_PD.call(context);
        final long queue = domain == 0 ? 0 : Libibverbs.CREATE_CQ.call(context, 1, 0, 0, 0);
        try (Arena arena = Arena.ofConfined())
        {
            final long init = arena.allocate(Layout.QP_INIT_ATTR_SIZE, Long.BYTES).address();
            int works = 0;
            int fails = queue == 0 ? 1 : LARGEST_INLINE_DATA + 1;
            while (fails - works > 1)
            {
                final int length = (works + fails) >>> 1;
                if (canInline(domain, queue, init, length))
                {
                    works = length;
                }
                else
                {
                    fails = length;
                }
            }
            return works;
        }
        finally
        {
            if (queue != 0)
            {
                Libibverbs.DESTROY_CQ.call(queue);
            }
            if (domain != 0)
            {
                Libibverbs.DEALLOC_PD.call(domain);
            }
        }
    }

    private static boolean canInline(final long domain, final long queue, final long init, final int length)
    {
        UnsafeApi.setMemory(init, Layout.QP_INIT_ATTR_SIZE, (byte)0);
        UnsafeApi.putLong(init + Layout.QP_INIT_ATTR_SEND_CQ, queue);
        UnsafeApi.putLong(init + Layout.QP_INIT_ATTR_RECV_CQ, queue);
        UnsafeApi.putInt(init + Layout.QP_INIT_ATTR_QP_TYPE, QueuePairType.RC.value());
        final long capabilities = init + Layout.QP_INIT_ATTR_CAP;
        UnsafeApi.putInt(capabilities + Layout.QP_CAP_MAX_SEND_WR, 1);
        UnsafeApi.putInt(capabilities + Layout.QP_CAP_MAX_RECV_WR, 1);
        UnsafeApi.putInt(capabilities + Layout.QP_CAP_MAX_SEND_SGE, 1);
        UnsafeApi.putInt(capabilities + Layout.QP_CAP_MAX_RECV_SGE, 1);
        UnsafeApi.putInt(capabilities + Layout.QP_CAP_MAX_INLINE_DATA, length);
        final long queuePair = Libibverbs.CREATE_QP.call(domain, init);
        if (queuePair == 0)
        {
            return false;
        }
        Libibverbs.DESTROY_QP.call(queuePair);
        return true;
    }
}
