/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

/** A file of digits is not there or not what it should be; the message names the file, what is wrong and the fix. */
public final class DataException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * With a message.
     *
     * @param message the file, what is wrong with it, and the fix.
     */
    public DataException(final String message)
    {
        super(message);
    }

    /**
     * With a message and what caused it.
     *
     * @param message the file, what is wrong with it, and the fix.
     * @param cause   beneath it.
     */
    public DataException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
