/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

/** A nonblocking receive. */
public interface ReceiveRequest extends Request
{
    /**
     * Returns the status of the message.
     *
     * @return status, owned by this request.
     * @throws IllegalStateException if the request is not done.
     */
    MessageStatus status();
}
