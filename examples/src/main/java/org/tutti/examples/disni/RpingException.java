/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.disni;

/** The two sides of rping do not come together. The message is for people. */
final class RpingException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    RpingException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
