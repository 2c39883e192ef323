/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

/** Thrown if a wait for other ranks times out; the message names the missing ranks. */
public final class BootstrapTimeoutException extends BootstrapException
{
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception with a message.
     *
     * @param message the wait, its duration, and the missing ranks.
     */
    public BootstrapTimeoutException(final String message)
    {
        super(message);
    }
}
