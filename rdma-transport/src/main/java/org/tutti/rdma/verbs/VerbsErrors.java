/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.os.MemoryCalls;
import org.tutti.rdma.os.NativeFunction;

/** Creates exceptions of failed verbs, with the value, the limit and the fix. Stateless. */
final class VerbsErrors
{
    private VerbsErrors()
    {
    }

    /**
     * Checks the result of a verb that returns 0 or an errno; throws if it failed.
     *
     * @param result result of the verb; some drivers negate the errno.
     * @param verb   verb as libibverbs spells it.
     * @param detail what the call was to do, or with which object, for the message.
     */
    static void check(final long result, final String verb, final String detail)
    {
        if (result != 0)
        {
            // Verbs that return -1 set errno, as usual in C.
            throw of(result == -1 ? NativeFunction.errno() : (int)Math.abs(result), verb, detail);
        }
    }

    /**
     * Checks the result of a verb that returns a pointer; throws if it failed.
     *
     * @param pointer returned pointer.
     * @param verb    verb as libibverbs spells it.
     * @param detail  what the call was to do, or with which object, for the message.
     * @return the pointer.
     */
    static long checkPointer(final long pointer, final String verb, final String detail)
    {
        if (pointer == 0)
        {
            throw of(NativeFunction.errno(), verb, detail);
        }
        return pointer;
    }

    static RdmaException invalid(final String verb, final String detail)
    {
        return new RdmaException(Errno.EINVAL, verb, detail);
    }

    /**
     * Rejects a value that is out of range.
     *
     * @param verb  verb as libibverbs spells it.
     * @param name  name of the value in libibverbs.
     * @param value value to check.
     * @param min   minimum.
     * @param max   maximum.
     */
    static void checkRange(final String verb, final String name, final long value, final long min, final long max)
    {
        if (value < min || value > max)
        {
            throw invalid(verb, name + " " + value + " is not from " + min + " to " + max);
        }
    }

    static RdmaException of(final int errno, final String verb, final String detail)
    {
        return new RdmaException(errno == 0 ? Errno.EINVAL : errno, verb, detail + advice(errno));
    }

    private static String advice(final int errno)
    {
        return switch (errno)
        {
            case Errno.ENOMEM -> "; the device or the host is out of resources, often of locked memory, whose limit " +
                "here is " + lockedMemoryLimit() + ": set 'ulimit -l unlimited', memlock in " +
                "/etc/security/limits.conf or LimitMEMLOCK=infinity of the service";
            case Errno.EACCES, Errno.EPERM -> "; this user must have permission to read and write " +
                "/dev/infiniband/uverbs*: join the group that owns it (often 'rdma'), or pass the devices into the " +
                "container";
            case Errno.ENODEV -> "; the device is gone: was it removed, or its driver unloaded?";
            case Errno.EAGAIN -> "; the device or this process' cgroup (rdma.max) has none left: close others, or " +
                "raise the limit";
            case Errno.EMFILE -> "; this process has too many files open: raise 'ulimit -n'";
            default -> "";
        };
    }

    static String lockedMemoryLimit()
    {
        final long limit = MemoryCalls.lockedMemoryLimit();
        return limit < 0 ? "unlimited" : limit + " bytes";
    }
}
