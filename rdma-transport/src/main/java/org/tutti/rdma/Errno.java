/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** The {@code errno} values that verbs return, as Linux numbers them. */
public final class Errno
{
    /** Operation not permitted. */
    public static final int EPERM = 1;
    /** No such file. */
    public static final int ENOENT = 2;
    /** No such process. */
    public static final int ESRCH = 3;
    /** Interrupted. */
    public static final int EINTR = 4;
    /** Input/output error: data that was read is invalid. */
    public static final int EIO = 5;
    /** Try again. */
    public static final int EAGAIN = 11;
    /** Out of memory: a work queue is full, or memory is exhausted. */
    public static final int ENOMEM = 12;
    /** Permission denied. */
    public static final int EACCES = 13;
    /** Bad address. */
    public static final int EFAULT = 14;
    /** The object is still in use. */
    public static final int EBUSY = 16;
    /** The file already exists. */
    public static final int EEXIST = 17;
    /** No such device. */
    public static final int ENODEV = 19;
    /** An argument is out of its range, or the state does not allow the call. */
    public static final int EINVAL = 22;
    /** Too many files are open on the host. */
    public static final int ENFILE = 23;
    /** Too many files are open in the process. */
    public static final int EMFILE = 24;
    /** The file is too long. */
    public static final int EFBIG = 27;
    /** No space left on the device. */
    public static final int ENOSPC = 28;
    /** Not supported by this provider. */
    public static final int EOPNOTSUPP = 95;
    /** Timed out. */
    public static final int ETIMEDOUT = 110;
    /** No route to the peer. */
    public static final int EHOSTUNREACH = 113;

    private Errno()
    {
    }

    /**
     * The symbol of a value.
     *
     * @param errno errno to name.
     * @return a symbol such as {@code ENOMEM}, or the number as text if it is not listed here.
     */
    public static String name(final int errno)
    {
        return switch (errno)
        {
            case EPERM -> "EPERM";
            case ENOENT -> "ENOENT";
            case ESRCH -> "ESRCH";
            case EINTR -> "EINTR";
            case EIO -> "EIO";
            case EAGAIN -> "EAGAIN";
            case ENOMEM -> "ENOMEM";
            case EACCES -> "EACCES";
            case EFAULT -> "EFAULT";
            case EBUSY -> "EBUSY";
            case EEXIST -> "EEXIST";
            case ENODEV -> "ENODEV";
            case EINVAL -> "EINVAL";
            case ENFILE -> "ENFILE";
            case EMFILE -> "EMFILE";
            case EFBIG -> "EFBIG";
            case ENOSPC -> "ENOSPC";
            case EOPNOTSUPP -> "EOPNOTSUPP";
            case ETIMEDOUT -> "ETIMEDOUT";
            case EHOSTUNREACH -> "EHOSTUNREACH";
            default -> "errno " + errno;
        };
    }
}
