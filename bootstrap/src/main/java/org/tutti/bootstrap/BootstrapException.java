/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

/** Thrown if the job cannot start, or has ended: the message names the problem, the rank and the fix. */
public class BootstrapException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception with a message.
     *
     * @param message the problem, the rank and the fix.
     */
    public BootstrapException(final String message)
    {
        super(message);
    }

    /**
     * Creates an exception with a message and a cause.
     *
     * @param message the problem, the rank and the fix.
     * @param cause   the cause.
     */
    public BootstrapException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
