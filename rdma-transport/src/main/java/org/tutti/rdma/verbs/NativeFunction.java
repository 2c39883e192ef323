/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.Optional;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * A C function of up to {@value #MAX_ARGUMENTS} arguments, off the data path. Integers and pointers travel as
 * {@code long}: in the ABIs of 64-bit Linux a callee that wants less takes the low bits. Thread-safe; a call may
 * allocate, because errno is captured.
 *
 * @param name   of the symbol.
 * @param handle of type {@code (MemorySegment, long × 6) long}; null when the library does not have it.
 */
record NativeFunction(String name, MethodHandle handle)
{
    private static final int MAX_ARGUMENTS = 6;
    private static final MemoryLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final ThreadLocal<MemorySegment> STATE =
        ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(CALL_STATE));

    /**
     * A function that returns {@code int}.
     *
     * @param lookup    of its library.
     * @param name      of its symbol.
     * @param arguments how many.
     * @param options   of the linker, beyond that errno is captured.
     * @return the function, with the handle null when the library does not have it.
     */
    static NativeFunction ofInt(
        final SymbolLookup lookup, final String name, final int arguments, final Linker.Option... options)
    {
        return of(lookup, name, JAVA_INT, arguments, options);
    }

    /**
     * A function that returns a pointer or another 64-bit number.
     *
     * @param lookup    of its library.
     * @param name      of its symbol.
     * @param arguments how many.
     * @param options   of the linker, beyond that errno is captured.
     * @return the function, with the handle null when the library does not have it.
     */
    static NativeFunction ofLong(
        final SymbolLookup lookup, final String name, final int arguments, final Linker.Option... options)
    {
        return of(lookup, name, JAVA_LONG, arguments, options);
    }

    private static NativeFunction of(final SymbolLookup lookup, final String name, final MemoryLayout result,
        final int arguments, final Linker.Option... more)
    {
        final Optional<MemorySegment> symbol = lookup.find(name);
        if (symbol.isEmpty())
        {
            return new NativeFunction(name, null);
        }
        return new NativeFunction(name, widen(Linker.nativeLinker().downcallHandle(
            symbol.get(), descriptor(result, arguments), options(more)), arguments));
    }

    /**
     * A function that returns {@code int} and is known by its address.
     *
     * @param address   of its code.
     * @param name      for messages.
     * @param arguments how many.
     * @return the function.
     */
    static NativeFunction at(final long address, final String name, final int arguments)
    {
        return new NativeFunction(name, widen(Linker.nativeLinker().downcallHandle(
            MemorySegment.ofAddress(address), descriptor(JAVA_INT, arguments), options()), arguments));
    }

    private static FunctionDescriptor descriptor(final MemoryLayout result, final int arguments)
    {
        final MemoryLayout[] layouts = new MemoryLayout[arguments];
        Arrays.fill(layouts, JAVA_LONG);
        return FunctionDescriptor.of(result, layouts);
    }

    private static Linker.Option[] options(final Linker.Option... more)
    {
        final Linker.Option[] all = Arrays.copyOf(more, more.length + 1);
        all[more.length] = Linker.Option.captureCallState("errno");
        return all;
    }

    /** With the arguments that it does not have ignored. */
    private static MethodHandle widen(final MethodHandle narrow, final int arguments)
    {
        final Class<?>[] ignored = new Class<?>[MAX_ARGUMENTS - arguments];
        Arrays.fill(ignored, long.class);
        final MethodHandle wide = MethodHandles.dropArguments(narrow, 1 + arguments, ignored);
        final MethodType type = wide.type().changeReturnType(long.class);
        return wide.asType(type);
    }

    boolean isPresent()
    {
        return handle != null;
    }

    long call(final long first)
    {
        return call(first, 0, 0, 0, 0, 0);
    }

    long call(final long first, final long second)
    {
        return call(first, second, 0, 0, 0, 0);
    }

    long call(final long first, final long second, final long third)
    {
        return call(first, second, third, 0, 0, 0);
    }

    long call(final long first, final long second, final long third, final long fourth)
    {
        return call(first, second, third, fourth, 0, 0);
    }

    long call(final long first, final long second, final long third, final long fourth, final long fifth)
    {
        return call(first, second, third, fourth, fifth, 0);
    }

    long call(final long first, final long second, final long third, final long fourth, final long fifth,
        final long sixth)
    {
        try
        {
            return (long)handle.invokeExact(STATE.get(), first, second, third, fourth, fifth, sixth);
        }
        catch (final Throwable t)
        {
            throw new IllegalStateException("cannot call " + name, t);
        }
    }

    /**
     * What the last call of this thread left in {@code errno}.
     *
     * @return defined only when that call failed.
     */
    static int errno()
    {
        return STATE.get().get(JAVA_INT, 0);
    }
}
