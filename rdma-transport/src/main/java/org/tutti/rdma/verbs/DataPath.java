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
 * The verbs of the data path, which {@code verbs.h} calls through the function pointers in {@code context->ops}. The
 * first argument of each is the function, as a segment created once per context. Stateless; allocates nothing.
 * <p>
 * The calls use the linker option {@code critical}: the thread stays in Java state, which makes them as cheap as from
 * C, but a garbage collection must wait for the call. Adapters accept requests and return completions in user space,
 * without blocking. With Soft-RoCE a post is a system call that may send packets before it returns; Soft-RoCE's window
 * of unacknowledged packets bounds the duration of this call, which blocks the posting thread with any linker option.
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
     * @param function    function pointer of the context.
     * @param cq          {@code struct ibv_cq *}.
     * @param maxEntries  length of the array.
     * @param completions address of the array.
     * @return number of completions written, negative for an error.
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
     * @param function      function pointer of the context.
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
     * {@code ibv_post_send}, {@code ibv_post_recv} and {@code ibv_post_srq_recv}, which share this signature.
     *
     * @param function function pointer of the context.
     * @param queue    {@code struct ibv_qp *} or {@code struct ibv_srq *}.
     * @param request  address of the first request.
     * @param bad      destination for the address of the first rejected request.
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
        return new IllegalStateException("call of the device driver failed", cause);
    }
}
