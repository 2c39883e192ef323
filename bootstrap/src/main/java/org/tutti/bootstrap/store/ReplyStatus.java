/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.store;

/** How a request to a {@link JobStore} ended. */
public enum ReplyStatus
{
    /** As it should; the value is the answer. */
    OK,
    /** The key is not there (yet). */
    ABSENT,
    /** The deadline passed; the value is a text that names the missing ranks. */
    TIMED_OUT,
    /** The request made no sense, or can never be fulfilled; the value is a text that says why. */
    REFUSED
}
