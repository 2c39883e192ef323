/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

/** The two sides of an example cannot talk, or one does not say what the other expects. The message is for people. */
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
