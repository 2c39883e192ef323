/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

import java.util.List;

/**
 * An open device ({@code ibv_context}). Everything made from it must be closed before it, children before parents;
 * closing out of order throws {@link Errno#EBUSY}. Thread-safe.
 */
public interface Context extends AutoCloseable
{
    /**
     * The device that was opened.
     *
     * @return never null.
     */
    Device device();

    /**
     * The device's limits ({@code ibv_query_device}).
     *
     * @return a snapshot.
     */
    DeviceAttributes queryDevice();

    /**
     * A port's state ({@code ibv_query_port}).
     *
     * @param portNum counted from 1.
     * @return a snapshot.
     * @throws RdmaException with {@link Errno#EINVAL} if there is no such port.
     */
    PortAttributes queryPort(int portNum);

    /**
     * An entry of a port's GID table ({@code ibv_query_gid}).
     *
     * @param portNum counted from 1.
     * @param index   counted from 0.
     * @return the GID; {@link Gid#ZERO} when the entry is empty.
     * @throws RdmaException with {@link Errno#EINVAL} if there is no such port or index.
     */
    Gid queryGid(int portNum, int index);

    /**
     * The entries of a port's GID table that are not empty, with their types ({@code ibv_query_gid_table}).
     *
     * @param portNum counted from 1.
     * @return in the order of the table.
     * @throws RdmaException with {@link Errno#EINVAL} if there is no such port.
     */
    List<GidEntry> queryGidTable(int portNum);

    /**
     * An entry of a port's P_Key table ({@code ibv_query_pkey}).
     *
     * @param portNum counted from 1.
     * @param index   counted from 0.
     * @return 16 bits, of which the highest tells a full member.
     * @throws RdmaException with {@link Errno#EINVAL} if there is no such port or index.
     */
    int queryPkey(int portNum, int index);

    /**
     * How many interrupts completion queues can be spread over ({@code num_comp_vectors}).
     *
     * @return at least 1.
     */
    int completionVectors();

    /**
     * Makes a protection domain ({@code ibv_alloc_pd}).
     *
     * @return owned by the caller.
     */
    ProtectionDomain allocateProtectionDomain();

    /**
     * Makes a completion channel ({@code ibv_create_comp_channel}).
     *
     * @return owned by the caller.
     */
    CompletionChannel createCompletionChannel();

    /**
     * Makes a completion queue that uses the first completion vector.
     *
     * @param capacity the least number of completions that it must hold.
     * @param channel  the channel that its notifications go to, or null.
     * @return owned by the caller; its capacity may be larger.
     * @throws RdmaException with {@link Errno#EINVAL} if the capacity is out of the device's range.
     */
    default CompletionQueue createCompletionQueue(final int capacity, final CompletionChannel channel)
    {
        return createCompletionQueue(capacity, channel, 0);
    }

    /**
     * Makes a completion queue ({@code ibv_create_cq}).
     *
     * @param capacity the least number of completions that it must hold.
     * @param channel  the channel that its notifications go to, or null.
     * @param vector   completion vector, from 0 to {@link #completionVectors()} - 1.
     * @return owned by the caller; its capacity may be larger.
     * @throws RdmaException with {@link Errno#EINVAL} if the capacity or the vector is out of the device's range.
     */
    CompletionQueue createCompletionQueue(int capacity, CompletionChannel channel, int vector);

    /**
     * Maps memory that this provider reaches fastest: page-aligned, zeroed, and for {@code shm} in a mapping that other
     * processes share. It still has to be registered.
     *
     * @param length length in bytes, more than 0.
     * @return owned by the caller, who closes it after the regions over it.
     * @throws RdmaException with {@link Errno#ENOMEM} if the host has not that much; nothing is mapped then.
     */
    AllocatedMemory allocateMemory(long length);

    /**
     * Waits for an asynchronous event ({@code ibv_get_async_event}).
     *
     * @param timeoutNs maximum time to wait, in nanoseconds; 0 polls.
     * @return the event, or null when none came in time.
     */
    AsyncEvent awaitAsyncEvent(long timeoutNs);

    /**
     * Closes the device ({@code ibv_close_device}). Idempotent.
     *
     * @throws RdmaException with {@link Errno#EBUSY} while children are open.
     */
    @Override
    void close();
}
