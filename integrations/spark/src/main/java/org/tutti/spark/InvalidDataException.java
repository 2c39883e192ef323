/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

/** Thrown on all ranks, with the same message, if a model cannot be trained on the data: Spark need not try again. */
final class InvalidDataException extends IllegalArgumentException
{
    private static final long serialVersionUID = 1L;

    InvalidDataException(final String message)
    {
        super(message);
    }
}
