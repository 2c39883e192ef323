/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/**
 * A queue pair ({@code ibv_qp}). Thread-safe; posting allocates nothing.
 * <p>
 * Requests posted to one queue pair begin in order. Their completions come in order, and a completion tells that
 * everything posted before it is done as well. A request that is not signaled makes no completion unless it fails, and
 * its slot in the send queue is free only after a later completion was polled.
 */
public interface QueuePair extends AutoCloseable
{
    /**
     * Its number, which the peer's {@code dest_qp_num} must be.
     *
     * @return 24 bits.
     */
    int qpNum();

    /**
     * What it can hold.
     *
     * @return at least what was asked for when it was made.
     */
    QueuePairCapabilities capabilities();

    /**
     * The state it is in now.
     *
     * @return never null.
     * @throws RdmaException with {@link Errno#EINVAL} if it is closed.
     */
    QueuePairState state();

    /**
     * Changes attributes, and with them the state ({@code ibv_modify_qp}).
     *
     * @param attributes attributes to take the values from.
     * @param mask       a sum of {@link QueuePairAttributeMask}: which values.
     * @throws RdmaException with {@link Errno#EINVAL} if the state does not allow it, an attribute is missing, is not
     *                       allowed here, or is out of range; nothing is changed then.
     */
    void modify(QueuePairAttributes attributes, int mask);

    /**
     * Reads the attributes ({@code ibv_query_qp}).
     *
     * @param attributes filled with the current values.
     */
    void query(QueuePairAttributes attributes);

    /**
     * Posts a chain of send requests ({@code ibv_post_send}). The requests themselves may be reused when it returns;
     * the data they point to only after completion, unless inline.
     *
     * @param sendRequestAddress address of the first {@link SendWorkRequest}; the chain ends with a next
     *                           of 0.
     * @return 0, or the {@link Errno} of the first that was refused: ENOMEM when the send queue is full, EINVAL when
     *     the state, opcode, flags or list length do not allow it. Those before it were posted, it and those after it
     *     were not.
     */
    int postSend(long sendRequestAddress);

    /**
     * The first request that the last {@link #postSend} did not post ({@code bad_wr}): the caller's own while no other
     * thread posts sends.
     *
     * @return its address, 0 after success.
     */
    long badSendRequest();

    /**
     * The first request that the last {@link #postReceive} did not post ({@code bad_wr}): the caller's own while no
     * other thread posts receives.
     *
     * @return its address, 0 after success.
     */
    long badReceiveRequest();

    /**
     * Posts a chain of receive requests ({@code ibv_post_recv}).
     *
     * @param receiveRequestAddress address of the first {@link ReceiveWorkRequest}; the chain ends with
     *                              a next of 0.
     * @return 0, or the {@link Errno} of the first that was refused: ENOMEM when the receive queue is full, EINVAL when
     *     the state or the list's length do not allow it.
     */
    int postReceive(long receiveRequestAddress);

    /**
     * Where this process can load and store the peer's memory itself, if the provider can do that (OpenSHMEM's
     * {@code shmem_ptr}). The connected peer's key is checked once, here. This waits for any thread that executes a
     * request on the peer's queue pair, at most 10 s: only a process that is stopped in the middle of one takes that
     * long.
     *
     * @param remoteAddress remote address of the first byte, in the peer.
     * @param length        length in bytes.
     * @param rkey          remote key of the peer's region.
     * @param access        access rights to check: a sum of {@link AccessFlags#REMOTE_READ} to load, {@link
     *                      AccessFlags#REMOTE_WRITE} to store, {@link AccessFlags#REMOTE_ATOMIC} for both at once; at
     *                      least one of them.
     * @return an address in this process, or 0 when the memory is not reachable that way or the peer does not allow it.
     *     {@link AllocatedMemory} stays mapped there until the queue pair is reset or closed, even if the peer closes
     *     it or dies. What is there is the peer's only while it keeps the region: when it has closed the memory, loads
     *     give zeros, and what is touched takes a new page, or ends this process by SIGBUS if the host has no shared
     *     memory left. Other memory, within this process, is good only as long as its owner keeps it.
     */
    long loadStoreAddress(long remoteAddress, long length, int rkey, int access);

    /**
     * Joins a multicast group ({@code ibv_attach_mcast}): its datagrams come here from now on. Where IP carries them,
     * on RoCE v2, only if the host is in the group too, as by {@link java.nio.channels.DatagramChannel#join}. It has to
     * be left before the queue pair is closed.
     *
     * @param group the group's GID.
     * @param lid   the group's LID, 0 on Ethernet.
     * @throws RdmaException with {@link Errno#EINVAL} if it is not of type UD or the GID is no multicast address,
     *                       {@link Errno#EOPNOTSUPP} if the provider has no multicast.
     */
    default void attachMulticast(final Gid group, final int lid)
    {
        throw new RdmaException(Errno.EOPNOTSUPP, "ibv_attach_mcast", "this provider has no multicast");
    }

    /**
     * Leaves a multicast group ({@code ibv_detach_mcast}).
     *
     * @param group the group's GID.
     * @param lid   the group's LID, 0 on Ethernet.
     * @throws RdmaException with {@link Errno#EINVAL} if it is not a member.
     */
    default void detachMulticast(final Gid group, final int lid)
    {
        throw new RdmaException(Errno.EOPNOTSUPP, "ibv_detach_mcast", "this provider has no multicast");
    }

    /**
     * Destroys it ({@code ibv_destroy_qp}); what was posted makes no completion any more. Idempotent.
     *
     * @throws RdmaException with {@link Errno#EBUSY} while it is in a multicast group.
     */
    @Override
    void close();
}
