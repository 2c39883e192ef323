/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * The verbs of the data path, which the header calls through the function pointers in {@code context->ops}. Each takes
 * the function first, as a segment that is made once for each context. Stateless; allocates nothing.
 * <p>
 * The calls are critical ones for the linker: the thread stays in the state of running Java code, which makes them as
 * cheap as from C. A garbage collection has to wait for the call then. Adapters take requests and give completions in
 * user space, without waiting for anything. Soft-RoCE makes a system call of a post and may send the packets before it
 * returns: this is bounded by its window, and what a collector waits for is what the same thread waits for anyway.
 */
final class DataPath
{
    private static final MethodHandle POLL_CQ =
        handle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));
    private static final MethodHandle REQ_NOTIFY_CQ = handle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle POST = handle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));

    private DataPath()
    {
    }

    private static MethodHandle handle(final FunctionDescriptor descriptor)
    {
        return Linker.nativeLinker().downcallHandle(descriptor, Linker.Option.critical(false));
    }

    /**
     * {@code ibv_poll_cq}.
     *
     * @param function     function of the context.
     * @param cq           {@code struct ibv_cq *}.
     * @param maxEntries   the array's length.
     * @param completions address of the array.
     * @return how many were written, negative for an error.
     */
    static int pollCq(final MemorySegment function, final long cq, final int maxEntries, final long completions)
    {
        try
        {
            return (int)POLL_CQ.invokeExact(function, cq, maxEntries, completions);
        }
        catch (final Throwable t)
        {
            throw failure(t);
        }
    }

    /**
     * {@code ibv_req_notify_cq}.
     *
     * @param function      function of the context.
     * @param cq            {@code struct ibv_cq *}.
     * @param solicitedOnly 1 or 0.
     * @return 0 or an errno.
     */
    static int requestNotify(final MemorySegment function, final long cq, final int solicitedOnly)
    {
        try
        {
            return (int)REQ_NOTIFY_CQ.invokeExact(function, cq, solicitedOnly);
        }
        catch (final Throwable t)
        {
            throw failure(t);
        }
    }

    /**
     * {@code ibv_post_send}, {@code ibv_post_recv} and {@code ibv_post_srq_recv}, which all have this form.
     *
     * @param function function of the context.
     * @param queue    {@code struct ibv_qp *} or {@code struct ibv_srq *}.
     * @param request  address of the first one.
     * @param bad      destination of the address of the first request that was refused.
     * @return 0 or an errno, which some drivers negate.
     */
    static int post(final MemorySegment function, final long queue, final long request, final long bad)
    {
        try
        {
            return (int)POST.invokeExact(function, queue, request, bad);
        }
        catch (final Throwable t)
        {
            throw failure(t);
        }
    }

    private static RuntimeException failure(final Throwable cause)
    {
        return new IllegalStateException("cannot call a function of the device's driver", cause);
    }
}
