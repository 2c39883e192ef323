/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

import org.tutti.collectives.comm.Communicators;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.time.Duration;

/**
 * A group of ranks that call collectives together: all ranks make the same calls in the same order, with the same
 * counts, types, operations and roots.
 * <p>
 * Calls block until this rank's part is complete. One thread at a time may call; a concurrent call throws an {@link
 * IllegalStateException}. Each call has one deadline. The first failure (a deadline, a rank that died, a transport
 * error, a mismatch) fails the communicator and the whole job: the call throws a {@link CollectiveException} that names
 * the rank and the reason, and its output is undefined. Every later call, {@link #allocate} included, throws one, too.
 * {@link #close()} still works and never hangs.
 * <p>
 * An interrupt before or during a call is such a failure: once the call waits for other ranks, it throws a {@link
 * CollectiveInterruptedException}; the thread's interrupt status stays set. A call that need not wait completes.
 * Virtual threads may call; they park while they wait. The functions of {@link ReduceOp}s must not call the
 * communicator that runs them: such a call throws an {@link IllegalStateException}.
 * <p>
 * Ranks connect to likely peers when they join, and to other peers when a call first needs them: the first call of a
 * kind may wait for ranks that later calls of that kind do not wait for.
 * <p>
 * Collectives on {@link DataBuffer}s of {@link #allocate} access registered memory and allocate nothing. Those on
 * arrays and on other memory are staged through registered memory. Each rank chooses its memory for itself. A blocking
 * call on buffers of more than 1 MiB must be blocking on all ranks: requests and groups do not match it.
 */
public interface Communicator
    extends BlockCollectives, ArrayCollectives, NonblockingCollectives, PersistentCollectives, PointToPoint, OneSided,
    AutoCloseable
{
    /** Colour of a rank that {@link #split} includes in none of the new communicators. */
    int NO_COLOR = -1;

    /**
     * Joins the job of this process, as described by its environment (RANK, WORLD_SIZE and the launcher's variables);
     * without these variables, creates a world of one rank. Blocks until all ranks have joined and exchanged endpoint
     * addresses. The same as {@code join(JoinOptions.ofEnvironment())}. A rank joins a job once.
     *
     * @return the communicator of all ranks, to be closed by the caller.
     * @throws ConfigurationException                 if a setting of the collectives is invalid.
     * @throws org.tutti.bootstrap.BootstrapException if the rest of the environment is invalid, ranks are missing at
     *                                                the deadline, or another rank cannot connect; a {@link
     *                                                org.tutti.bootstrap.BootstrapInterruptedException} if the thread
     *                                                is interrupted.
     * @throws org.tutti.rdma.RdmaException           if a verb failed; often there is not enough shared memory.
     */
    static Communicator world()
    {
        return join(JoinOptions.ofEnvironment());
    }

    /**
     * Joins a job. Blocks until all ranks have joined and exchanged endpoint addresses. The ranks may be threads of one
     * process, processes, or both, on one or several hosts. A process may join any number of jobs, at once and one
     * after another.
     *
     * @param options options of this rank, which may be reused when this method returns.
     * @return the communicator of all ranks, to be closed by the caller; closing it leaves the job.
     * @throws ConfigurationException                 if a setting of the collectives is invalid.
     * @throws org.tutti.bootstrap.BootstrapException if another option is invalid, the JVM lacks an option,
     *                                                ranks are missing at the deadline, this rank is refused, or
     *                                                another rank cannot connect; a {@link
     *                                                org.tutti.bootstrap.BootstrapInterruptedException} if the thread
     *                                                is interrupted.
     * @throws org.tutti.rdma.RdmaException           if a verb failed; often there is not enough shared memory.
     */
    static Communicator join(final JoinOptions options)
    {
        return Communicators.join(options);
    }

    /**
     * Returns the rank of this process.
     *
     * @return rank, from 0 to {@link #size()} - 1.
     */
    int rank();

    /**
     * Returns the number of ranks.
     *
     * @return number of ranks, at least 1.
     */
    @Override
    int size();

    /**
     * Returns the provider and device that transfer the data.
     *
     * @return provider and device, such as {@code shm/shm0}; two of each, such as {@code shm/shm0+verbs/mlx5_0}, if one
     *         device reaches ranks of this host and another one ranks of other hosts.
     */
    String transport();

    /**
     * Returns a view of this communicator with another deadline.
     *
     * @param timeout timeout of each call through the view, greater than 0; capped at 365 days.
     * @return a view; closing it closes the communicator.
     */
    Communicator withTimeout(Duration timeout);

    /**
     * Splits this communicator into one communicator per colour. Collective: all ranks call it, in the same order
     * relative to their other calls. Each new communicator has its own connections and call order, and can be used by
     * another thread concurrently. All of them share device, registered memory and failure: a {@link DataBuffer} of one
     * may be passed to any of them, and the first failure of one fails all of them, on all ranks of the job. They are
     * closed separately, in any order.
     *
     * @param color colour, from 0; {@link #NO_COLOR} or any other negative value to join none.
     * @param key   sort key of the ranks in the new communicator; ties are ordered by rank in this communicator.
     * @return new communicator with this view's deadline, to be closed by the caller; null if the colour is negative.
     * @throws CollectiveException if the call failed.
     */
    Communicator split(int color, int key);

    /**
     * Splits this communicator into one communicator per host, as {@link #split}; ranks keep their order.
     *
     * @return new communicator of the ranks on this host, to be closed by the caller.
     * @throws CollectiveException if the call failed.
     */
    Communicator splitByHost();

    /**
     * Duplicates this communicator, as {@link #split}: for a separate thread, or a library whose calls must not mix
     * with its caller's.
     *
     * @return new communicator of the same ranks, to be closed by the caller.
     * @throws CollectiveException if the call failed.
     */
    Communicator dup();

    /**
     * Creates a communicator of a subset of ranks, as {@link #split}. Collective: all ranks of this communicator call
     * it with the same argument, also those not in the subset.
     *
     * @param ranks ranks in the order of the new communicator, each at most once.
     * @return new communicator, to be closed by the caller; null if this rank is not a member.
     * @throws IllegalArgumentException if {@code ranks} is empty, or a rank is out of range or repeated.
     * @throws CollectiveException      if the call failed.
     */
    Communicator sub(int... ranks);

    /**
     * Registers memory of the caller, so that buffers of a framework can be passed to all calls. If no ranks share a
     * host, or all use RDMA devices, peers then access it directly, including other data on its first and its last
     * page. Else peers can access only memory of {@link #allocate} and {@link #allocator}; other memory is copied
     * through registered memory, as that of the calls on segments, and cannot be used in windows. A request copies the
     * whole output, also elements that are in no block.
     * <p>
     * The memory must stay allocated until the buffer is closed; closing the buffer does not free the memory. If its
     * arena is closed earlier, collectives throw an {@link IllegalStateException}; one in progress fails when it ends.
     * Memory that peers access directly must not be freed while a call uses it: nothing prevents that.
     *
     * @param type    type of the elements.
     * @param segment a whole number of elements in native, writable memory that all threads may access: of a shared,
     *                automatic or global arena, or mapped.
     * @return a buffer on this memory, to be closed by the caller.
     * @throws CollectiveException          if the communicator has failed.
     * @throws IllegalArgumentException     if the segment is on the Java heap, read-only, confined to a thread, or not
     *                                      a whole number of elements.
     * @throws IllegalStateException        if the segment's arena is closed.
     * @throws org.tutti.rdma.RdmaException if the memory cannot be registered.
     */
    DataBuffer register(DataType type, MemorySegment segment);

    /**
     * Returns an allocator of registered memory, for libraries that let their caller choose where they put their data.
     * {@link #register} makes buffers of such memory, and peers on any host access it directly. The memory is freed
     * with the arena and the buffers registered on it. It stays accessible to this process when all communicators are
     * closed, but what a thread stores during that close may be lost; it is then freed with the arena.
     *
     * @param arena lifetime of the memory.
     * @return allocator of zeroed memory for the threads that may use the arena. It throws a {@link
     *         CollectiveException} if the communicator has failed, a {@link org.tutti.rdma.RdmaException} if the host
     *         has not enough shared memory, and an {@link IllegalStateException} if the arena is closed.
     */
    SegmentAllocator allocator(Arena arena);

    /**
     * As {@link #allocator(Arena)}; memory is freed when its segments are no longer reachable.
     *
     * @return allocator of zeroed memory, which any thread may use.
     */
    default SegmentAllocator allocator()
    {
        return (length, alignment) -> allocator(Arena.ofAuto()).allocate(length, alignment);
    }

    /**
     * Allocates registered memory.
     *
     * @param type  type of the elements.
     * @param count number of elements, from 0.
     * @return zeroed buffer, to be closed by the caller.
     * @throws CollectiveException          if the communicator has failed.
     * @throws IllegalArgumentException     if the count is negative or too large to address.
     * @throws org.tutti.rdma.RdmaException if the host has not enough shared memory.
     */
    DataBuffer allocate(DataType type, long count);

    /**
     * Reduces the inputs of all ranks into the output of every rank.
     *
     * @param input  input buffer, not modified.
     * @param output output of the same type and count; may be the same buffer, on all ranks or some, but must not
     *               otherwise overlap.
     * @param op     operation that combines the elements.
     * @throws IllegalArgumentException if types or counts differ, or the buffers overlap partially.
     * @throws CollectiveException      if the call failed.
     */
    void allreduce(DataBuffer input, DataBuffer output, ReduceOp op);

    /**
     * Reduces a buffer in place.
     *
     * @param buffer input and output.
     * @param op     operation that combines the elements.
     * @throws CollectiveException if the call failed.
     */
    default void allreduce(final DataBuffer buffer, final ReduceOp op)
    {
        allreduce(buffer, buffer, op);
    }

    /**
     * Reduces unregistered memory, through registered staging memory.
     *
     * @param input  input of at least {@code count} elements; may be the output, but must not otherwise overlap it.
     * @param output output of at least {@code count} elements.
     * @param count  number of elements.
     * @param type   type of the elements.
     * @param op     operation that combines the elements.
     * @throws IllegalArgumentException if a segment is too short, confined to another thread, or overlaps the other
     *                                  partially, the output is read-only, or the count is negative.
     * @throws IllegalStateException    if the arena of a segment is closed.
     * @throws CollectiveException      if the call failed.
     */
    void allreduce(MemorySegment input, MemorySegment output, long count, DataType type, ReduceOp op);

    /**
     * Reduces an array in place, through registered staging memory.
     *
     * @param array input and output.
     * @param op    operation that combines the elements.
     */
    default void allreduce(final float[] array, final ReduceOp op)
    {
        allreduce(array, array, op);
    }

    /**
     * Reduces an array into another, through registered staging memory.
     *
     * @param input  input array.
     * @param output output of the same length; may be the same array.
     * @param op     operation that combines the elements.
     */
    default void allreduce(final float[] input, final float[] output, final ReduceOp op)
    {
        requireSameLength(input.length, output.length);
        allreduce(MemorySegment.ofArray(input), MemorySegment.ofArray(output), input.length, DataType.FLOAT32, op);
    }

    /** As {@link #allreduce(float[], ReduceOp)}. */
    default void allreduce(final double[] array, final ReduceOp op)
    {
        allreduce(array, array, op);
    }

    /** As {@link #allreduce(float[], float[], ReduceOp)}. */
    default void allreduce(final double[] input, final double[] output, final ReduceOp op)
    {
        requireSameLength(input.length, output.length);
        allreduce(MemorySegment.ofArray(input), MemorySegment.ofArray(output), input.length, DataType.FLOAT64, op);
    }

    /** As {@link #allreduce(float[], ReduceOp)}. */
    default void allreduce(final int[] array, final ReduceOp op)
    {
        allreduce(array, array, op);
    }

    /** As {@link #allreduce(float[], float[], ReduceOp)}. */
    default void allreduce(final int[] input, final int[] output, final ReduceOp op)
    {
        requireSameLength(input.length, output.length);
        allreduce(MemorySegment.ofArray(input), MemorySegment.ofArray(output), input.length, DataType.INT32, op);
    }

    /** As {@link #allreduce(float[], ReduceOp)}. */
    default void allreduce(final long[] array, final ReduceOp op)
    {
        allreduce(array, array, op);
    }

    /** As {@link #allreduce(float[], float[], ReduceOp)}. */
    default void allreduce(final long[] input, final long[] output, final ReduceOp op)
    {
        requireSameLength(input.length, output.length);
        allreduce(MemorySegment.ofArray(input), MemorySegment.ofArray(output), input.length, DataType.INT64, op);
    }

    /**
     * Copies the root's buffer to all ranks.
     *
     * @param buffer buffer of the same type and count on all ranks; read on the root, written on others.
     * @param root   rank of the root.
     * @throws IllegalArgumentException if the root is not a rank.
     * @throws CollectiveException      if the call failed.
     */
    void broadcast(DataBuffer buffer, int root);

    /**
     * Copies the root's unregistered memory to all ranks, through registered staging memory.
     *
     * @param buffer buffer of at least {@code count} elements.
     * @param count  number of elements.
     * @param type   type of the elements.
     * @param root   rank of the root.
     * @throws IllegalArgumentException if the segment is too short, confined to another thread, or read-only where it
     *                                  is written, the count is negative, or the root is not a rank.
     * @throws IllegalStateException    if the arena of the segment is closed.
     * @throws CollectiveException      if the call failed.
     */
    void broadcast(MemorySegment buffer, long count, DataType type, int root);

    /**
     * Copies the root's array to all ranks, through registered staging memory.
     *
     * @param array array of the same length on all ranks.
     * @param root  rank of the root.
     */
    default void broadcast(final float[] array, final int root)
    {
        broadcast(MemorySegment.ofArray(array), array.length, DataType.FLOAT32, root);
    }

    /** As {@link #broadcast(float[], int)}. */
    default void broadcast(final double[] array, final int root)
    {
        broadcast(MemorySegment.ofArray(array), array.length, DataType.FLOAT64, root);
    }

    /** As {@link #broadcast(float[], int)}. */
    default void broadcast(final int[] array, final int root)
    {
        broadcast(MemorySegment.ofArray(array), array.length, DataType.INT32, root);
    }

    /** As {@link #broadcast(float[], int)}. */
    default void broadcast(final long[] array, final int root)
    {
        broadcast(MemorySegment.ofArray(array), array.length, DataType.INT64, root);
    }

    /**
     * Reduces the inputs of all ranks into the root's output.
     *
     * @param input  input buffer, not modified.
     * @param output output on the root, of the same type and count; may be the same buffer, but must not otherwise
     *               overlap; ignored on other ranks, where it may be null.
     * @param op     operation that combines the elements.
     * @param root   rank of the root.
     * @throws IllegalArgumentException if types or counts differ, the buffers overlap partially, or the root is not a
     *                                  rank.
     * @throws CollectiveException      if the call failed.
     */
    void reduce(DataBuffer input, DataBuffer output, ReduceOp op, int root);

    /**
     * Computes the inclusive prefix reduction: the inputs of ranks 0 to this one, combined in rank order.
     *
     * @param input  input buffer, not modified.
     * @param output output of the same type and count; may be the same buffer, but must not otherwise overlap.
     * @param op     operation that combines the elements; neither AVG nor PREMUL_SUM.
     * @throws IllegalArgumentException if types or counts differ, the buffers overlap partially, or the operation is
     *                                  AVG or PREMUL_SUM.
     * @throws CollectiveException      if the call failed.
     */
    void scan(DataBuffer input, DataBuffer output, ReduceOp op);

    /**
     * Computes the exclusive prefix reduction: the inputs of all ranks below this one, combined in rank order. Rank 0's
     * output is unchanged.
     *
     * @param input  input buffer, not modified.
     * @param output output of the same type and count; may be the same buffer, but must not otherwise overlap.
     * @param op     operation that combines the elements; neither AVG nor PREMUL_SUM.
     * @throws IllegalArgumentException if types or counts differ, the buffers overlap partially, or the operation is
     *                                  AVG or PREMUL_SUM.
     * @throws CollectiveException      if the call failed.
     */
    void exscan(DataBuffer input, DataBuffer output, ReduceOp op);

    /**
     * Blocks until all ranks have called it.
     *
     * @throws CollectiveException if the call failed.
     */
    void barrier();

    /**
     * Groups calls: the calls that this thread makes on this communicator, or on a view of it, while {@code calls} runs
     * are collected and executed when it returns. Short consecutive calls are fused into one of up to {@code
     * TUTTI_FUSION} bytes: broadcasts of the same type and root, and allreduces of the same type and operation whose
     * algorithm combines all elements in one order regardless of their position, such as recursive doubling. All other
     * calls are executed one at a time. The results are bitwise those of single calls. All ranks make the same calls in
     * a group, in the same order. A nested group is part of the outer one.
     * <p>
     * Only blocking calls on {@link DataBuffer}s are allowed in a group. Their arguments are checked at once, but their
     * buffers are accessed when the group ends, and those of fused calls at the same time: no call may write what
     * another call of the group reads or writes. All calls share one deadline. Allocates nothing after the first group
     * of the same size.
     *
     * @param calls code that makes the calls; if it throws, the exception is passed on and no call is executed.
     * @throws IllegalArgumentException if fused calls use the same memory, and one of them writes it.
     * @throws IllegalStateException    if another thread is in a group of this communicator.
     * @throws CollectiveException      if a call failed.
     */
    void group(Runnable calls);

    /**
     * Fails the job because this rank cannot go on, as MPI_Abort does, except that no process is ended: the waits of
     * all ranks end, and each call of another rank throws a {@link RankFailedException} that names this rank and the
     * reason. A call in progress in another thread of this rank, and every later one, throws a {@link
     * CollectiveException}. Waits for no rank. Has no effect if the job has failed before. May be called from any
     * thread. The communicator must still be closed.
     *
     * @param reason reason for the errors of all ranks, best in one line; longer ones are joined to one, and cut after
     *               1,000 characters.
     * @throws IllegalArgumentException if the reason is blank.
     * @throws IllegalStateException    if the communicator is closed.
     */
    void abort(String reason);

    /**
     * Waits (briefly, and not after a failure) until no peer needs this rank's memory, then frees everything but memory
     * of {@link #allocator(Arena)}; closing the last communicator of a context leaves the job. May be called from any
     * thread: a call in progress in another thread fails. Idempotent.
     * <p>
     * A call whose user-defined operator does not return within this view's timeout cannot be aborted: a daemon thread
     * then releases the memory and connections that the call may use, once the operator returns.
     *
     * @throws CollectiveException            if the ranks did not make the same calls; everything is freed.
     * @throws CollectiveInterruptedException if the thread is interrupted before or while it waits: it stops waiting
     *                                        and notifies the other ranks; everything is freed.
     * @throws CollectiveTimeoutException     if a user-defined operator did not return in time.
     * @throws IllegalStateException          if called within an operator of this communicator, which stays open; or if
     *                                        a native call or an I/O operation uses memory of a {@link DataBuffer} that
     *                                        the caller has not closed: that memory stays mapped.
     */
    @Override
    void close();

    private static void requireSameLength(final int input, final int output)
    {
        if (input != output)
        {
            throw new IllegalArgumentException("input and output counts differ: " + input + " != " + output);
        }
    }
}
