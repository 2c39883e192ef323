/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.store;

/** Where the answer to a request goes. */
@FunctionalInterface
public interface Reply
{
    /**
     * Takes the answer; called at most once, on the thread that works the store.
     *
     * @param status how the request ended.
     * @param value  its answer, shared with other requests of the same answer: not to be changed.
     */
    void complete(ReplyStatus status, byte[] value);
}
