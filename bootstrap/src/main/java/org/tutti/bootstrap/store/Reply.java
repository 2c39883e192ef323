/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.store;

/** Receives the answer to a request. */
@FunctionalInterface
public interface Reply
{
    /**
     * Called with the answer, at most once, on the thread that uses the store.
     *
     * @param status the status of the request.
     * @param value  the answer, possibly shared with other requests: must not be modified.
     */
    void complete(ReplyStatus status, byte[] value);
}
