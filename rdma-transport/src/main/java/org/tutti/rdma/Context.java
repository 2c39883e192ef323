/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

import java.util.List;

/**
 * An open device ({@code ibv_context}). All objects created from it must be closed before it, children before parents;
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
     * @param portNum port number, counted from 1.
     * @return a snapshot.
     * @throws RdmaException with {@link Errno#EINVAL} if there is no such port.
     */
    PortAttributes queryPort(int portNum);

    /**
     * An entry of a port's GID table ({@code ibv_query_gid}).
     *
     * @param portNum port number, counted from 1.
     * @param index   index in the table, counted from 0.
     * @return the GID; {@link Gid#ZERO} when the entry is empty.
     * @throws RdmaException with {@link Errno#EINVAL} if there is no such port or index.
     */
    Gid queryGid(int portNum, int index);

    /**
     * The entries of a port's GID table that are not empty, with their types ({@code ibv_query_gid_table}).
     *
     * @param portNum port number, counted from 1.
     * @return entries in the order of the table.
     * @throws RdmaException with {@link Errno#EINVAL} if there is no such port.
     */
    List<GidEntry> queryGidTable(int portNum);

    /**
     * An entry of a port's P_Key table ({@code ibv_query_pkey}).
     *
     * @param portNum port number, counted from 1.
     * @param index   index in the table, counted from 0.
     * @return 16 bits; the highest is set for a full member.
     * @throws RdmaException with {@link Errno#EINVAL} if there is no such port or index.
     */
    int queryPkey(int portNum, int index);

    /**
     * The number of completion vectors, that is, of interrupts that completion queues can be spread over
     * ({@code num_comp_vectors}).
     *
     * @return number of vectors, at least 1.
     */
    int completionVectors();

    /**
     * Allocates a protection domain ({@code ibv_alloc_pd}).
     * @return a new object, owned by the caller.
     */
    ProtectionDomain allocateProtectionDomain();

    /**
     * Creates a completion channel ({@code ibv_create_comp_channel}).
     * @return a new object, owned by the caller.
     */
    CompletionChannel createCompletionChannel();

    /**
     * Creates a completion queue that uses the first completion vector.
     *
     * @param capacity the minimum number of completions that the queue must hold.
     * @param channel  the channel that receives its events, or null.
     * @return a queue owned by the caller; its capacity may be larger.
     * @throws RdmaException with {@link Errno#EINVAL} if the capacity is out of the device's range.
     */
    default CompletionQueue createCompletionQueue(final int capacity, final CompletionChannel channel)
    {
        return createCompletionQueue(capacity, channel, 0);
    }

    /**
     * Creates a completion queue ({@code ibv_create_cq}).
     *
     * @param capacity the minimum number of completions that the queue must hold.
     * @param channel  the channel that receives its events, or null.
     * @param vector   completion vector, from 0 to {@link #completionVectors()} - 1.
     * @return a queue owned by the caller; its capacity may be larger.
     * @throws RdmaException with {@link Errno#EINVAL} if the capacity or the vector is out of the device's range.
     */
    CompletionQueue createCompletionQueue(int capacity, CompletionChannel channel, int vector);

    /**
     * Allocates memory of the kind that this provider accesses fastest: page-aligned, zeroed, and for {@code shm} in a
     * mapping shared with other processes. It must be registered before use.
     *
     * @param length length in bytes, greater than 0.
     * @return memory owned by the caller, to be closed after the memory regions that cover it.
     * @throws RdmaException with {@link Errno#ENOMEM} if the host does not have that much memory; nothing is mapped
     *                       then.
     */
    AllocatedMemory allocateMemory(long length);

    /**
     * Waits for an asynchronous event ({@code ibv_get_async_event}).
     *
     * @param timeoutNs maximum time to wait, in nanoseconds; 0 polls.
     * @return the event, or null on timeout.
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
