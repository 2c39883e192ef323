/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/**
 * A protection domain ({@code ibv_pd}): a work request may access only memory regions of its queue pair's domain.
 * Thread-safe.
 */
public interface ProtectionDomain extends AutoCloseable
{
    /**
     * The context that the domain belongs to.
     *
     * @return never null.
     */
    Context context();

    /**
     * Registers memory ({@code ibv_reg_mr}).
     *
     * @param address address of the first byte.
     * @param length  length in bytes, greater than 0; may exceed 2^31.
     * @param access  a sum of {@link AccessFlags}.
     * @return a region owned by the caller; the memory remains the caller's and must outlive the region.
     * @throws RdmaException with {@link Errno#EINVAL} for conflicting flags (remote write or atomic without local
     *                       write) or an invalid length, {@link Errno#ENOMEM} if a limit is reached,
     *                       {@link Errno#EOPNOTSUPP} if the provider cannot grant this access to that memory.
     */
    MemoryRegion registerMemory(long address, long length, int access);

    /**
     * Creates a queue pair ({@code ibv_create_qp}) in state {@link QueuePairState#RESET}.
     *
     * @param attributes attributes of the new queue pair.
     * @return a new object, owned by the caller.
     * @throws RdmaException with {@link Errno#EINVAL} if an attribute is out of range, {@link Errno#EOPNOTSUPP} if the
     *                       provider does not support the type.
     */
    QueuePair createQueuePair(QueuePairInitAttributes attributes);

    /**
     * Creates a shared receive queue ({@code ibv_create_srq}).
     *
     * @param maxWorkRequests maximum number of outstanding receive requests.
     * @param maxSge          maximum number of entries in a request's scatter list.
     * @return a new object, owned by the caller.
     * @throws RdmaException with {@link Errno#EOPNOTSUPP} if the provider does not support it.
     */
    SharedReceiveQueue createSharedReceiveQueue(int maxWorkRequests, int maxSge);

    /**
     * Creates an address handle ({@code ibv_create_ah}), for datagrams.
     *
     * @param attributes attributes of the path.
     * @return a new object, owned by the caller.
     * @throws RdmaException with {@link Errno#EOPNOTSUPP} if the provider does not support it.
     */
    AddressHandle createAddressHandle(AddressHandleAttributes attributes);

    /**
     * Frees the domain ({@code ibv_dealloc_pd}). Idempotent.
     *
     * @throws RdmaException with {@link Errno#EBUSY} while its memory regions, queue pairs or other children are open.
     */
    @Override
    void close();
}
