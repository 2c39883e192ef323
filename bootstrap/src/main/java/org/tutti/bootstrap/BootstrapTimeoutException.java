/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

/** A deadline passed while waiting for other ranks; the message names them. */
public final class BootstrapTimeoutException extends BootstrapException
{
    private static final long serialVersionUID = 1L;

    /**
     * With a message.
     *
     * @param message what was waited for, for how long, and which ranks are missing.
     */
    public BootstrapTimeoutException(final String message)
    {
        super(message);
    }
}
