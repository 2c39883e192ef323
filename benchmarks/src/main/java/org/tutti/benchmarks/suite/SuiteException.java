/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

/** Thrown if something cannot be measured or read; the message names it and the fix. */
final class SuiteException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    SuiteException(final String message)
    {
        super(message);
    }

    SuiteException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
