/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.store;

/** The status of a completed request to a {@link JobStore}. */
public enum ReplyStatus
{
    /** Success; the value is the answer. */
    OK,
    /** The key has no value (yet). */
    ABSENT,
    /** The deadline has passed; the value is a text that names the missing ranks. */
    TIMED_OUT,
    /** The request is invalid, or can never complete; the value is a text with the reason. */
    REFUSED
}
