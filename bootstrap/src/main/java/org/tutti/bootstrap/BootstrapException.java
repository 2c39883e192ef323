/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

/** The job could not start, or ended: the message names the problem, the rank and the fix. */
public class BootstrapException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * With a message.
     *
     * @param message what happened, to which rank, and the fix.
     */
    public BootstrapException(final String message)
    {
        super(message);
    }

    /**
     * With a message and what caused it.
     *
     * @param message what happened, to which rank, and the fix.
     * @param cause   beneath it.
     */
    public BootstrapException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
