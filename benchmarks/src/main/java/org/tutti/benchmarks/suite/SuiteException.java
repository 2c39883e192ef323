/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

/** What was to be measured or read cannot be: the message names what, and what to do. */
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
