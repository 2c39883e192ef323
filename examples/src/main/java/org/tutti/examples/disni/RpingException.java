/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.disni;

/** Thrown if the two sides of rping cannot connect or communicate. The message is for users. */
final class RpingException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    RpingException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
