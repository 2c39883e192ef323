/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.io;

/** Thrown if the user's request is invalid: the message names the problem, the value, the limit and the fix. */
public final class UsageException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message one line for the user.
     */
    public UsageException(final String message)
    {
        super(message);
    }
}
