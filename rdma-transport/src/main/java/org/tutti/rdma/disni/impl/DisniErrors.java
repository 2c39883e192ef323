/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

import java.io.IOException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes of DiSNI's exceptions, which tell the errno in their text only, those of verbs. Stateless. */
final class DisniErrors
{
    private static final Pattern NUMBER = Pattern.compile("errno (\\d+)");
    /** What glibc calls them; a libdisni that is not ours tells no number. */
    private static final Map<String, Integer> TEXTS = Map.of(
        "Operation not permitted", Errno.EPERM,
        "Cannot allocate memory", Errno.ENOMEM,
        "Permission denied", Errno.EACCES,
        "Bad address", Errno.EFAULT,
        "Device or resource busy", Errno.EBUSY,
        "No such device", Errno.ENODEV,
        "Operation not supported", Errno.EOPNOTSUPP,
        "Connection timed out", Errno.ETIMEDOUT,
        "No route to host", Errno.EHOSTUNREACH);

    private DisniErrors()
    {
    }

    /**
     * The exception for a call that failed.
     *
     * @param verb   verb that was called.
     * @param detail what with, and what to do about it.
     * @param cause  what DiSNI threw.
     * @return to be thrown.
     */
    static RdmaException of(final String verb, final String detail, final IOException cause)
    {
        final RdmaException exception = new RdmaException(errno(cause), verb, detail + ": " + text(cause));
        exception.initCause(cause);
        return exception;
    }

    /**
     * Which errno.
     *
     * @param cause what DiSNI threw.
     * @return EINVAL if its text tells none.
     */
    static int errno(final IOException cause)
    {
        final String text = text(cause);
        final Matcher matcher = NUMBER.matcher(text);
        if (matcher.find())
        {
            return Integer.parseInt(matcher.group(1));
        }
        for (final Map.Entry<String, Integer> entry : TEXTS.entrySet())
        {
            if (text.contains(entry.getKey()))
            {
                return entry.getValue();
            }
        }
        return Errno.EINVAL;
    }

    private static String text(final IOException cause)
    {
        return String.valueOf(cause.getMessage()).strip();
    }
}
