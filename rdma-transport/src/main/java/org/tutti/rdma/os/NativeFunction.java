/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.os;

import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * A C function of up to six arguments that sets errno on failure. Linking a new function signature takes Java 10 ms or
 * more at the start of a rank, so all functions share one. Integers and pointers are passed as {@code long}, unused
 * arguments as 0: in the ABIs of 64-bit Linux a callee reads the low bits of its arguments and ignores the rest.
 * Thread-safe; a call allocates until the top-tier compiler has compiled it.
 *
 * @param name   name of the symbol.
 * @param handle handle of type {@code (MemorySegment, long × 6) long}; null if the library lacks it.
 * @param isInt  whether the function returns {@code int}, in the low half of the result.
 */
public record NativeFunction(String name, MethodHandle handle, boolean isInt)
{
    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup LIBC = LINKER.defaultLookup();
    private static final FunctionDescriptor SHAPE = FunctionDescriptor.of(
        JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MemoryLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final ThreadLocal<MemorySegment> STATE =
        ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(CALL_STATE));

    /**
     * Links a function of the C library that returns {@code int}.
     *
     * @param name name of the symbol.
     * @return the function.
     * @throws RdmaException if the C library lacks it.
     */
    static NativeFunction intOfLibc(final String name)
    {
        return link(name, findInLibc(name), true);
    }

    /**
     * Links a function of the C library that returns a pointer or another 64-bit number.
     *
     * @param name name of the symbol.
     * @return the function.
     * @throws RdmaException if the C library lacks it.
     */
    static NativeFunction longOfLibc(final String name)
    {
        return link(name, findInLibc(name), false);
    }

    /**
     * Links a function that returns {@code int}.
     *
     * @param lookup lookup of the library, or null if it is not installed.
     * @param name   name of the symbol.
     * @return the function, with a null handle if the library lacks it.
     */
    public static NativeFunction ofInt(final SymbolLookup lookup, final String name)
    {
        return link(name, lookup == null ? null : lookup.find(name).orElse(null), true);
    }

    /**
     * Links a function that returns a pointer or another 64-bit number.
     *
     * @param lookup lookup of the library, or null if it is not installed.
     * @param name   name of the symbol.
     * @return the function, with a null handle if the library lacks it.
     */
    public static NativeFunction ofLong(final SymbolLookup lookup, final String name)
    {
        return link(name, lookup == null ? null : lookup.find(name).orElse(null), false);
    }

    /**
     * Links a function that returns {@code int}, by address.
     *
     * @param address address of the function.
     * @param name    name for messages.
     * @return the function.
     */
    public static NativeFunction at(final long address, final String name)
    {
        return link(name, MemorySegment.ofAddress(address), true);
    }

    private static NativeFunction link(final String name, final MemorySegment symbol, final boolean isInt)
    {
        return new NativeFunction(name, symbol == null ? null :
            LINKER.downcallHandle(symbol, SHAPE, Linker.Option.captureCallState("errno")), isInt);
    }

    /**
     * Links a function of the C library without capture of errno; calling it allocates nothing.
     *
     * @param name       name of the symbol.
     * @param descriptor descriptor of arguments and result.
     * @param options    options of the linker.
     * @return a handle for {@code invokeExact}.
     * @throws RdmaException if the C library lacks it.
     */
    static MethodHandle withoutErrno(
        final String name, final FunctionDescriptor descriptor, final Linker.Option... options)
    {
        return LINKER.downcallHandle(findInLibc(name), descriptor, options);
    }

    private static MemorySegment findInLibc(final String name)
    {
        return LIBC.find(name).orElseThrow(() -> new RdmaException(Errno.EOPNOTSUPP, "ibv_open_device",
            "the C library has no '" + name + "'; Tutti requires Linux with glibc or musl"));
    }

    public boolean isPresent()
    {
        return handle != null;
    }

    /**
     * Calls the function with one argument, and 0 for the remaining ones.
     *
     * @param first argument.
     * @return the result of the function.
     */
    public long call(final long first)
    {
        return call(first, 0, 0, 0, 0, 0);
    }

    /**
     * Calls the function with two arguments, and 0 for the remaining ones.
     *
     * @param first  argument.
     * @param second argument.
     * @return the result of the function.
     */
    public long call(final long first, final long second)
    {
        return call(first, second, 0, 0, 0, 0);
    }

    /**
     * Calls the function with three arguments, and 0 for the remaining ones.
     *
     * @param first  argument.
     * @param second argument.
     * @param third  argument.
     * @return the result of the function.
     */
    public long call(final long first, final long second, final long third)
    {
        return call(first, second, third, 0, 0, 0);
    }

    /**
     * Calls the function with four arguments, and 0 for the remaining ones.
     *
     * @param first  argument.
     * @param second argument.
     * @param third  argument.
     * @param fourth argument.
     * @return the result of the function.
     */
    public long call(final long first, final long second, final long third, final long fourth)
    {
        return call(first, second, third, fourth, 0, 0);
    }

    /**
     * Calls the function with five arguments, and 0 for the remaining ones.
     *
     * @param first  argument.
     * @param second argument.
     * @param third  argument.
     * @param fourth argument.
     * @param fifth  argument.
     * @return the result of the function.
     */
    public long call(final long first, final long second, final long third, final long fourth, final long fifth)
    {
        return call(first, second, third, fourth, fifth, 0);
    }

    /**
     * Calls the function with six arguments.
     *
     * @param first  argument.
     * @param second argument.
     * @param third  argument.
     * @param fourth argument.
     * @param fifth  argument.
     * @param sixth  argument.
     * @return the result of the function.
     */
    public long call(
        final long first, final long second, final long third, final long fourth, final long fifth, final long sixth)
    {
        try
        {
            final long result = (long)handle.invokeExact(STATE.get(), first, second, third, fourth, fifth, sixth);
            return isInt ? (int)result : result;
        }
        catch (final Throwable t)
        {
            throw failure(name, t);
        }
    }

    /**
     * The {@code errno} of this thread's last call.
     *
     * @return errno, valid only if that call failed.
     */
    public static int errno()
    {
        return STATE.get().get(JAVA_INT, 0);
    }

    /**
     * Converts the result of a call that returns a negative number on failure.
     *
     * @param result result of this thread's last call.
     * @return the result, or a negative errno.
     */
    static long orErrno(final long result)
    {
        return result < 0 ? -errno() : result;
    }

    static RuntimeException failure(final String function, final Throwable cause)
    {
        return new IllegalStateException("cannot call " + function, cause);
    }
}
