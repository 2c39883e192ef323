/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/**
 * A protection domain ({@code ibv_pd}): a work request may only touch memory regions of its queue pair's domain.
 * Thread-safe.
 */
public interface ProtectionDomain extends AutoCloseable
{
    /**
     * The device it belongs to.
     *
     * @return never null.
     */
    Context context();

    /**
     * Registers memory ({@code ibv_reg_mr}).
     *
     * @param address address of the first byte.
     * @param length  length in bytes, more than 0, beyond 2^31 if need be.
     * @param access  a sum of {@link AccessFlags}.
     * @return owned by the caller; the memory stays the caller's and must outlive it.
     * @throws RdmaException with {@link Errno#EINVAL} for flags that do not go together (remote write or atomic without
     *                       local write) or a bad length, {@link Errno#ENOMEM} if a limit is reached,
     *                       {@link Errno#EOPNOTSUPP} if the provider cannot give such access to that memory.
     */
    MemoryRegion registerMemory(long address, long length, int access);

    /**
     * Makes a queue pair ({@code ibv_create_qp}) in state {@link QueuePairState#RESET}.
     *
     * @param attributes attributes of the new queue pair.
     * @return owned by the caller.
     * @throws RdmaException with {@link Errno#EINVAL} if an attribute is out of range,
     *                       {@link Errno#EOPNOTSUPP} if the provider has no such type.
     */
    QueuePair createQueuePair(QueuePairInitAttributes attributes);

    /**
     * Makes a shared receive queue ({@code ibv_create_srq}).
     *
     * @param maxWorkRequests new maximum number of work requests.
     * @param maxSge          entries of each request's scatter list.
     * @return owned by the caller.
     * @throws RdmaException with {@link Errno#EOPNOTSUPP} if the provider has none.
     */
    SharedReceiveQueue createSharedReceiveQueue(int maxWorkRequests, int maxSge);

    /**
     * Makes an address handle ({@code ibv_create_ah}), for datagrams.
     *
     * @param attributes attributes of the path.
     * @return owned by the caller.
     * @throws RdmaException with {@link Errno#EOPNOTSUPP} if the provider has none.
     */
    AddressHandle createAddressHandle(AddressHandleAttributes attributes);

    /**
     * Frees the domain ({@code ibv_dealloc_pd}). Idempotent.
     *
     * @throws RdmaException with {@link Errno#EBUSY} while regions or queue pairs of it are open.
     */
    @Override
    void close();
}
