/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

import org.tutti.collectives.comm.Communicators;

import java.lang.foreign.MemorySegment;
import java.time.Duration;

/**
 * A group of ranks that call collectives together: every rank calls the same ones in the same order, with the same
 * counts, types, operations and roots.
 * <p>
 * Calls block until this rank's part is done. One thread at a time may call; a second one gets an
 * {@link IllegalStateException}. Every call has one deadline. The first failure (a deadline, a rank that died, a
 * transport error, a mismatch) poisons the communicator, and with it all of the job: the call throws a {@link
 * CollectiveException} that says which rank and why, and so does every later call; what is in its output is undefined,
 * and memory is allocated no more. {@link #close()} still works and never hangs.
 * <p>
 * An interrupt, before or during a call, is such a failure, too: as soon as the call waits for other ranks it throws a
 * {@link CollectiveInterruptedException}; the thread's interrupt status stays set. A call that need not wait completes.
 * Virtual threads may call; they park while they wait. The functions of {@link ReduceOp}s must not call the
 * communicator that runs them: each call within throws an {@link IllegalStateException}.
 * <p>
 * Ranks connect with each other when a call first needs it, so the first call of a kind may wait for ranks that later
 * ones do not wait for.
 * <p>
 * Collectives on {@link DataBuffer}s move registered memory and allocate nothing. Those on arrays and on other memory
 * are staged through it.
 */
public interface Communicator
    extends BlockCollectives, ArrayCollectives, NonblockingCollectives, PersistentCollectives, PointToPoint, OneSided,
    AutoCloseable
{
    /** The colour of a rank that is to be in none of the communicators that {@link #split} makes. */
    int NO_COLOR = -1;

    /**
     * Joins the job that this process is a rank of, as its environment says (RANK, WORLD_SIZE and what a launcher
     * adds). Without any of that it is a world of one rank. Blocks until all ranks have joined and connected.
     *
     * @return owned by the caller, who closes it. A process can join once.
     * @throws ConfigurationException                 if a setting of the collectives is wrong.
     * @throws org.tutti.bootstrap.BootstrapException if the rest of the environment is wrong, ranks are missing at the
     *                                                deadline, or another rank cannot connect; a {@link
     *                                                org.tutti.bootstrap.BootstrapInterruptedException} if the thread
     *                                                is interrupted.
     * @throws org.tutti.rdma.RdmaException           if a verb failed: often there is not enough shared memory.
     */
    static Communicator world()
    {
        return Communicators.world();
    }

    /**
     * The rank of this process.
     *
     * @return from 0 to {@link #size()} - 1.
     */
    int rank();

    /**
     * How many ranks there are.
     *
     * @return at least 1.
     */
    @Override
    int size();

    /**
     * What moves the bytes.
     *
     * @return provider and device, such as {@code shm/shm0}; if those of this rank's host are reached by another one
     *         than the rest, both: {@code shm/shm0+verbs/mlx5_0}.
     */
    String transport();

    /**
     * The same communicator with another deadline for the calls made through the view.
     *
     * @param timeout timeout of each call, more than 0; longer than 365 days is 365 days.
     * @return a view; closing it closes the communicator.
     */
    Communicator withTimeout(Duration timeout);

    /**
     * Makes communicators out of this one: one for each colour, of the ranks that pass it. All ranks call it, in the
     * same order as their other calls. The new ones have connections, order of calls and closing of their own, and can
     * be used by other threads at the same time; device, registered memory and failure are shared: a {@link DataBuffer}
     * of one may be passed to any of its family, and the first failure of one fails all of them, on all ranks of the
     * job. They may be closed in any order.
     *
     * @param color color, from 0; or {@link #NO_COLOR}, or any other below 0, to be in none.
     * @param key   orders the ranks of the new communicator; of equal ones, the lower rank here comes first.
     * @return owned by the caller, who closes it; has this view's deadline. Null if the colour is below 0.
     * @throws CollectiveException if it failed.
     */
    Communicator split(int color, int key);

    /**
     * Makes a communicator for each host, of the ranks on it, in their order here. As {@link #split}.
     *
     * @return that of this rank's host; owned by the caller.
     * @throws CollectiveException if it failed.
     */
    Communicator splitByHost();

    /**
     * Makes another communicator of the same ranks, as {@link #split}: for a thread of its own, or a library whose
     * calls shall not mix with its caller's.
     *
     * @return owned by the caller.
     * @throws CollectiveException if it failed.
     */
    Communicator dup();

    /**
     * Makes a communicator of some ranks. All ranks call it, as {@link #split}, with the same ranks.
     *
     * @param ranks ranks in the order of the new communicator, each at most once.
     * @return owned by the caller; null if this rank is not among them.
     * @throws IllegalArgumentException if there are none, one is no rank here, or one is there twice.
     * @throws CollectiveException      if it failed.
     */
    Communicator sub(int... ranks);

    /**
     * Allocates registered memory.
     *
     * @param type  type of the elements.
     * @param count number of elements, from 0.
     * @return zeroed, owned by the caller.
     * @throws CollectiveException           if the communicator has failed.
     * @throws IllegalArgumentException      if the count is negative or too large to address.
     * @throws org.tutti.rdma.RdmaException if the host has not that much memory to share.
     */
    DataBuffer allocate(DataType type, long count);

    /**
     * Reduces all ranks' inputs into every rank's output.
     *
     * @param input  read, never written.
     * @param output output of the same type and count; may be the same buffer, on all ranks or some, but must not
     *               otherwise overlap.
     * @param op     operation that combines the elements.
     * @throws IllegalArgumentException if types or counts differ, or the buffers overlap in part.
     * @throws CollectiveException      if it failed.
     */
    void allreduce(DataBuffer input, DataBuffer output, ReduceOp op);

    /**
     * Reduces in place.
     *
     * @param buffer input and output.
     * @param op     operation that combines the elements.
     * @throws CollectiveException if it failed.
     */
    default void allreduce(final DataBuffer buffer, final ReduceOp op)
    {
        allreduce(buffer, buffer, op);
    }

    /**
     * Reduces memory that is not registered: staged.
     *
     * @param input  input, at least {@code count} elements; may be the output, but must not otherwise overlap it.
     * @param output output, at least {@code count} elements.
     * @param count  elements.
     * @param type   type of the elements.
     * @param op     operation that combines the elements.
     * @throws IllegalArgumentException if a segment is too short, of another thread, or overlaps the other in part, the
     *                                  output is read-only, or the count is negative.
     * @throws IllegalStateException    if a segment's arena is closed.
     * @throws CollectiveException      if it failed.
     */
    void allreduce(MemorySegment input, MemorySegment output, long count, DataType type, ReduceOp op);

    /**
     * Reduces an array in place: staged.
     *
     * @param array input and output.
     * @param op    operation that combines the elements.
     */
    default void allreduce(final float[] array, final ReduceOp op)
    {
        allreduce(array, array, op);
    }

    /**
     * Reduces an array into another: staged.
     *
     * @param input  read.
     * @param output output of the same length; may be the same array.
     * @param op     operation that combines the elements.
     */
    default void allreduce(final float[] input, final float[] output, final ReduceOp op)
    {
        requireSameLength(input.length, output.length);
        allreduce(MemorySegment.ofArray(input), MemorySegment.ofArray(output), input.length, DataType.FLOAT32, op);
    }

    /**
     * Reduces an array in place: staged.
     *
     * @param array input and output.
     * @param op    operation that combines the elements.
     */
    default void allreduce(final double[] array, final ReduceOp op)
    {
        allreduce(array, array, op);
    }

    /**
     * Reduces an array into another: staged.
     *
     * @param input  read.
     * @param output output of the same length; may be the same array.
     * @param op     operation that combines the elements.
     */
    default void allreduce(final double[] input, final double[] output, final ReduceOp op)
    {
        requireSameLength(input.length, output.length);
        allreduce(MemorySegment.ofArray(input), MemorySegment.ofArray(output), input.length, DataType.FLOAT64, op);
    }

    /**
     * Reduces an array in place: staged.
     *
     * @param array input and output.
     * @param op    operation that combines the elements.
     */
    default void allreduce(final int[] array, final ReduceOp op)
    {
        allreduce(array, array, op);
    }

    /**
     * Reduces an array into another: staged.
     *
     * @param input  read.
     * @param output output of the same length; may be the same array.
     * @param op     operation that combines the elements.
     */
    default void allreduce(final int[] input, final int[] output, final ReduceOp op)
    {
        requireSameLength(input.length, output.length);
        allreduce(MemorySegment.ofArray(input), MemorySegment.ofArray(output), input.length, DataType.INT32, op);
    }

    /**
     * Reduces an array in place: staged.
     *
     * @param array input and output.
     * @param op    operation that combines the elements.
     */
    default void allreduce(final long[] array, final ReduceOp op)
    {
        allreduce(array, array, op);
    }

    /**
     * Reduces an array into another: staged.
     *
     * @param input  read.
     * @param output output of the same length; may be the same array.
     * @param op     operation that combines the elements.
     */
    default void allreduce(final long[] input, final long[] output, final ReduceOp op)
    {
        requireSameLength(input.length, output.length);
        allreduce(MemorySegment.ofArray(input), MemorySegment.ofArray(output), input.length, DataType.INT64, op);
    }

    /**
     * Copies the root's buffer to all ranks.
     *
     * @param buffer read on the root, written on the others; of the same type and count on all.
     * @param root   a rank.
     * @throws IllegalArgumentException if there is no such rank.
     * @throws CollectiveException      if it failed.
     */
    void broadcast(DataBuffer buffer, int root);

    /**
     * Copies the root's memory to all ranks: staged.
     *
     * @param buffer buffer, at least {@code count} elements.
     * @param count  elements.
     * @param type   type of the elements.
     * @param root   a rank.
     * @throws IllegalArgumentException if the segment is too short, of another thread, or read-only where it is to be
     *                                  written, the count negative, or there is no such rank.
     * @throws IllegalStateException    if the segment's arena is closed.
     * @throws CollectiveException      if it failed.
     */
    void broadcast(MemorySegment buffer, long count, DataType type, int root);

    /**
     * Copies the root's array to all ranks: staged.
     *
     * @param array array of the same length on all.
     * @param root  a rank.
     */
    default void broadcast(final float[] array, final int root)
    {
        broadcast(MemorySegment.ofArray(array), array.length, DataType.FLOAT32, root);
    }

    /**
     * Copies the root's array to all ranks: staged.
     *
     * @param array array of the same length on all.
     * @param root  a rank.
     */
    default void broadcast(final double[] array, final int root)
    {
        broadcast(MemorySegment.ofArray(array), array.length, DataType.FLOAT64, root);
    }

    /**
     * Copies the root's array to all ranks: staged.
     *
     * @param array array of the same length on all.
     * @param root  a rank.
     */
    default void broadcast(final int[] array, final int root)
    {
        broadcast(MemorySegment.ofArray(array), array.length, DataType.INT32, root);
    }

    /**
     * Copies the root's array to all ranks: staged.
     *
     * @param array array of the same length on all.
     * @param root  a rank.
     */
    default void broadcast(final long[] array, final int root)
    {
        broadcast(MemorySegment.ofArray(array), array.length, DataType.INT64, root);
    }

    /**
     * Reduces all ranks' inputs into the root's output.
     *
     * @param input  read, never written.
     * @param output output on the root, of the same type and count: may be the same buffer, but must not otherwise
     *               overlap; not used on the others, where it may be null.
     * @param op     operation that combines the elements.
     * @param root   a rank.
     * @throws IllegalArgumentException if types or counts differ, the buffers overlap in part, or there is no such
     *                                  rank.
     * @throws CollectiveException      if it failed.
     */
    void reduce(DataBuffer input, DataBuffer output, ReduceOp op, int root);

    /**
     * Reduces the inputs of all ranks up to this one, in the order of ranks.
     *
     * @param input  read, never written.
     * @param output output of the same type and count; may be the same buffer, but must not otherwise overlap.
     * @param op     operation that combines the elements; neither AVG nor PREMUL_SUM.
     * @throws IllegalArgumentException if types or counts differ, the buffers overlap in part, or it is one of these.
     * @throws CollectiveException      if it failed.
     */
    void scan(DataBuffer input, DataBuffer output, ReduceOp op);

    /**
     * Reduces the inputs of all ranks before this one, in the order of ranks. Rank 0's output is not touched.
     *
     * @param input  read, never written.
     * @param output output of the same type and count; may be the same buffer, but must not otherwise overlap.
     * @param op     operation that combines the elements; neither AVG nor PREMUL_SUM.
     * @throws IllegalArgumentException if types or counts differ, the buffers overlap in part, or it is one of these.
     * @throws CollectiveException      if it failed.
     */
    void exscan(DataBuffer input, DataBuffer output, ReduceOp op);

    /**
     * Returns when all ranks have called it.
     *
     * @throws CollectiveException if it failed.
     */
    void barrier();

    /**
     * Makes many calls as one: what this thread calls of this communicator, or of a view of it, while {@code calls}
     * runs is kept, and made when that returns. Neighbours that are short are packed into one call, up to {@code
     * TUTTI_FUSION} bytes: broadcasts of one type and root, and allreduces of one type and operation whose algorithm
     * combines all elements in one order, wherever they are, as recursive doubling does; everything else is made one
     * after the other. The results are those of the single calls, to the bit. All ranks make the same calls in a group,
     * in the same order. A group in a group is part of it.
     * <p>
     * Only blocking calls on {@link DataBuffer}s can be made in a group. They are checked at once, but read and write
     * their buffers when the group ends, those that are packed all at the same time: no call may write what another one
     * in the group reads or writes. All have one deadline together. Allocates nothing, once a group as large was made.
     *
     * @param calls makes them; what it throws is passed on, and then none of its calls is made.
     * @throws IllegalArgumentException if calls that are packed use the same memory, and one of them writes it.
     * @throws IllegalStateException    if another thread is in a group of this communicator.
     * @throws CollectiveException      if a call failed.
     */
    void group(Runnable calls);

    /**
     * Waits (briefly, and not after a failure) until no peer needs this rank's memory, then frees everything; the last
     * of a family leaves the job. From any thread: a call that another thread is in fails. Idempotent.
     * <p>
     * A call whose user-defined operator does not return within this view's timeout cannot be ended: then the memory
     * and connections that it may use are released when it returns, by a daemon thread.
     *
     * @throws CollectiveException            if it turns out that the ranks did not make the same calls; everything is
     *                                        freed.
     * @throws CollectiveInterruptedException if the thread is interrupted, before or while it waits: it waits no longer
     *                                        for other ranks, which are told; everything is freed.
     * @throws CollectiveTimeoutException     if an operator did not return in time.
     * @throws IllegalStateException          if called within an operator of this communicator; it stays open.
     */
    @Override
    void close();

    private static void requireSameLength(final int input, final int output)
    {
        if (input != output)
        {
            throw new IllegalArgumentException(
                "input has " + input + " elements, output " + output + ": they must be as many");
        }
    }
}
