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

/** Converts DiSNI's exceptions, which contain the errno only in their text. Stateless. */
final class DisniErrors
{
    private static final Pattern NUMBER = Pattern.compile("errno (\\d+)");
    /** The error texts of glibc, for builds of libdisni that do not report the errno. */
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
     * Creates the exception of a failed call.
     *
     * @param verb   verb that failed.
     * @param detail what the call concerned, such as {@code the completion queue}, and the fix if there is one.
     * @param cause  exception of DiSNI.
     * @return the exception to throw.
     */
    static RdmaException of(final String verb, final String detail, final IOException cause)
    {
        final RdmaException exception = new RdmaException(errno(cause), verb, detail + ": " + text(cause));
        exception.initCause(cause);
        return exception;
    }

    /**
     * Extracts the errno.
     *
     * @param cause exception of DiSNI.
     * @return errno; EINVAL if the text contains none.
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
