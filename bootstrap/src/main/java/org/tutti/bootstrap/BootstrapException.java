/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

/** The job could not start, or ended: the message says what, who and what to do. */
public class BootstrapException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * With a message.
     *
     * @param message what happened, to whom, and the fix.
     */
    public BootstrapException(final String message)
    {
        super(message);
    }

    /**
     * With a message and what caused it.
     *
     * @param message what happened, to whom, and the fix.
     * @param cause   beneath it.
     */
    public BootstrapException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
