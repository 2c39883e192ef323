/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/**
 * A queue pair ({@code ibv_qp}). Thread-safe; posting allocates nothing.
 * <p>
 * Requests posted to one queue of the pair start in order and complete in order; a completion implies that all earlier
 * requests of that queue are complete as well. An unsignaled request generates no completion unless it fails, and its
 * slot in the send queue is freed only when a later completion is polled.
 */
public interface QueuePair extends AutoCloseable
{
    /**
     * The number of the queue pair, to be used as {@code dest_qp_num} by the peer.
     *
     * @return 24 bits.
     */
    int qpNum();

    /**
     * The capacities granted.
     *
     * @return capacities, each at least the one requested at creation.
     */
    QueuePairCapabilities capabilities();

    /**
     * The current state.
     *
     * @return never null.
     * @throws RdmaException with {@link Errno#EINVAL} if the queue pair is closed.
     */
    QueuePairState state();

    /**
     * Changes attributes, including the state ({@code ibv_modify_qp}).
     *
     * @param attributes the new values.
     * @param mask       a sum of {@link QueuePairAttributeMask}: the attributes to change.
     * @throws RdmaException with {@link Errno#EINVAL} if the current state does not permit the transition, or if an
     *                       attribute is missing, not permitted in this transition, or out of range; nothing is
     *                       changed then.
     */
    void modify(QueuePairAttributes attributes, int mask);

    /**
     * Reads the attributes ({@code ibv_query_qp}).
     *
     * @param attributes structure that receives the current values.
     */
    void query(QueuePairAttributes attributes);

    /**
     * Posts a chain of send requests ({@code ibv_post_send}). The requests may be reused as soon as the call returns;
     * their data only after completion, unless it is inline.
     *
     * @param sendRequestAddress address of the first {@link SendWorkRequest}; the chain ends where next is 0.
     * @return 0, or the {@link Errno} of the first rejected request: ENOMEM if the send queue is full, EINVAL if the
     *     queue pair's state or the request's opcode, flags or list length do not permit posting. The requests before
     *     the rejected one were posted; the rejected one and those after it were not.
     */
    int postSend(long sendRequestAddress);

    /**
     * The request rejected by the last {@link #postSend} ({@code bad_wr}); reliable only while no other thread posts
     * sends.
     *
     * @return address of the request, 0 after success.
     */
    long badSendRequest();

    /**
     * The request rejected by the last {@link #postReceive} ({@code bad_wr}); reliable only while no other thread posts
     * receives.
     *
     * @return address of the request, 0 after success.
     */
    long badReceiveRequest();

    /**
     * Posts a chain of receive requests ({@code ibv_post_recv}).
     *
     * @param receiveRequestAddress address of the first {@link ReceiveWorkRequest}; the chain ends where next is 0.
     * @return 0, or the {@link Errno} of the first rejected request: ENOMEM if the receive queue is full, EINVAL if the
     *     queue pair's state or the length of the scatter list does not permit posting.
     */
    int postReceive(long receiveRequestAddress);

    /**
     * The address at which this process can load from and store to the peer's memory directly, if the provider supports
     * it (OpenSHMEM's {@code shmem_ptr}). The rkey and the access rights are checked once, in this call. The call waits
     * up to 10 s for a thread that is executing a request on the peer's queue pair; it takes that long only if a
     * process is stopped during a request.
     *
     * @param remoteAddress address of the first byte in the peer.
     * @param length        length in bytes.
     * @param rkey          remote key of the peer's region.
     * @param access        access rights to check: a sum of {@link AccessFlags#REMOTE_READ} for loads,
     *                      {@link AccessFlags#REMOTE_WRITE} for stores, {@link AccessFlags#REMOTE_ATOMIC} for atomic
     *                      read-modify-write; at least one of them.
     * @return an address in this process, or 0 if the memory cannot be mapped or the peer does not permit the access.
     *     {@link AllocatedMemory} stays mapped until the queue pair is reset or closed, even if the peer closes the
     *     memory or dies. The mapping shows the peer's data only while the peer keeps the region: after the peer closed
     *     the memory, loads return zeros, and each access allocates a new page, or kills this process by SIGBUS if the
     *     host has no shared memory left. Memory of any other kind is accessible only if the peer is in this process;
     *     the returned address is then valid as long as the peer keeps that memory.
     */
    long loadStoreAddress(long remoteAddress, long length, int rkey, int access);

    /**
     * Attaches the queue pair to a multicast group ({@code ibv_attach_mcast}), so that it receives the group's
     * datagrams. On RoCE v2, where IP carries them, the host must be a member of the group too, for example by
     * {@link java.nio.channels.DatagramChannel#join}. Detach before closing the queue pair.
     *
     * @param group the group's GID.
     * @param lid   the group's LID, 0 on Ethernet.
     * @throws RdmaException with {@link Errno#EINVAL} if the queue pair is not of type UD or the GID is not a multicast
     *                       address, {@link Errno#EOPNOTSUPP} if the provider does not support multicast.
     */
    default void attachMulticast(final Gid group, final int lid)
    {
        throw new RdmaException(Errno.EOPNOTSUPP, "ibv_attach_mcast", "this provider does not support multicast");
    }

    /**
     * Detaches the queue pair from a multicast group ({@code ibv_detach_mcast}).
     *
     * @param group the group's GID.
     * @param lid   the group's LID, 0 on Ethernet.
     * @throws RdmaException with {@link Errno#EINVAL} if the queue pair is not attached.
     */
    default void detachMulticast(final Gid group, final int lid)
    {
        throw new RdmaException(Errno.EOPNOTSUPP, "ibv_detach_mcast", "this provider does not support multicast");
    }

    /**
     * Destroys the queue pair ({@code ibv_destroy_qp}); outstanding requests generate no completions. Idempotent.
     *
     * @throws RdmaException with {@link Errno#EBUSY} while it is attached to a multicast group.
     */
    @Override
    void close();
}
