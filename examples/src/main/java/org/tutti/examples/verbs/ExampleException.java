/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

/** Thrown if the two sides of an example cannot communicate or violate the protocol. The message is for users. */
final class ExampleException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    ExampleException(final String message)
    {
        super(message);
    }

    ExampleException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
