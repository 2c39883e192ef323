/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

/** Thrown if a file of digits or a checkpoint is missing or invalid; the message names file, problem and fix. */
public final class DataException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message file, problem and fix.
     */
    public DataException(final String message)
    {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message file, problem and fix.
     * @param cause   underlying exception.
     */
    public DataException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
