/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** The kinds of memory that a blocking call accepts. */
enum MemoryForm
{
    /** Memory of the communicator. */
    ALLOCATED,
    /** Registered memory of the caller, from the communicator's allocator. */
    ALLOCATOR,
    /** Registered memory of the caller. */
    REGISTERED,
    /** Off-heap memory of the caller. */
    NATIVE,
    /** A part of an array. */
    HEAP;

    /** Elements in memory that is not registered. */
    private record PlainBuffer(DataType type, long count, MemorySegment segment) implements DataBuffer
    {
        @Override
        public DataBuffer slice(final long offset, final long sliceCount)
        {
            return new PlainBuffer(type, sliceCount, segment.asSlice(offset * type.size(), sliceCount * type.size()));
        }

        @Override
        public void close()
        {
            // Garbage-collected.
        }
    }

    /**
     * Returns a communicator whose buffers are of this kind. Blocking calls on memory that is not registered are those
     * on segments.
     */
    Communicator of(final Communicator communicator)
    {
        return this == ALLOCATED ? communicator : (Communicator)Proxy.newProxyInstance(
            MemoryForm.class.getClassLoader(), new Class<?>[] {Communicator.class}, (_, method, arguments) ->
            {
                try
                {
                    return call(communicator, method, arguments);
                }
                catch (final InvocationTargetException e)
                {
                    throw e.getCause();
                }
            });
    }

    private Object call(final Communicator communicator, final Method method, final Object[] arguments)
        throws ReflectiveOperationException
    {
        if (method.getName().equals("allocate"))
        {
            return buffer(communicator, (DataType)arguments[0], (long)arguments[1]);
        }
        if (arguments == null || !(arguments[0] instanceof DataBuffer) || ordinal() <= REGISTERED.ordinal())
        {
            return method.invoke(communicator, arguments);
        }
        final DataBuffer first = (DataBuffer)arguments[0];
        final DataType type = first.type();
        final MemorySegment in = first.segment();
        if (method.getName().equals("broadcast"))
        {
            communicator.broadcast(in, first.count(), type, (int)arguments[1]);
            return null;
        }
        final DataBuffer second = (DataBuffer)arguments[1];
        final MemorySegment out = second == null ? null : second.segment();
        final boolean isUneven = arguments.length > 2 && arguments[2] instanceof long[];
        switch (method.getName())
        {
            case "allreduce" -> communicator.allreduce(in, out, first.count(), type, (ReduceOp)arguments[2]);
            case "reduce" ->
                communicator.reduce(in, out, first.count(), type, (ReduceOp)arguments[2], (int)arguments[3]);
            case "scan" -> communicator.scan(in, out, first.count(), type, (ReduceOp)arguments[2]);
            case "exscan" -> communicator.exscan(in, out, first.count(), type, (ReduceOp)arguments[2]);
            case "allgather" -> communicator.allgather(in, out, first.count(), type);
            case "allgatherv" -> communicator.allgatherv(in, out, (long[])arguments[2], type);
            case "reduceScatter" ->
            {
                if (isUneven)
                {
                    communicator.reduceScatter(in, out, (long[])arguments[2], type, (ReduceOp)arguments[3]);
                }
                else
                {
                    communicator.reduceScatter(in, out, second.count(), type, (ReduceOp)arguments[2]);
                }
            }
            case "gather" -> communicator.gather(in, out, first.count(), type, (int)arguments[2]);
            case "scatter" -> communicator.scatter(in, out, second.count(), type, (int)arguments[2]);
            case "alltoall" -> communicator.alltoall(in, out, first.count() / communicator.size(), type);
            default -> throw new IllegalArgumentException(method + " is not mapped");
        }
        return null;
    }

    private DataBuffer buffer(final Communicator communicator, final DataType type, final long count)
    {
        final long length = count * type.size();
        return switch (this)
        {
            case ALLOCATED -> communicator.allocate(type, count);
            case ALLOCATOR -> communicator.register(type, communicator.allocator().allocate(length, type.size()));
            case REGISTERED -> communicator.register(type, Arena.ofAuto().allocate(length, type.size()));
            case NATIVE -> new PlainBuffer(type, count, Arena.ofAuto().allocate(length, type.size()));
            case HEAP -> new PlainBuffer(type, count,
                MemorySegment.ofArray(new long[(int)((length + Long.BYTES - 1) / Long.BYTES)]).asSlice(0, length));
        };
    }
}
