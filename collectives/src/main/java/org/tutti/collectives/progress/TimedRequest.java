/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.collectives.Request;

/** A request with a timeout. */
public interface TimedRequest extends Request
{
    /** Returns the timeout in nanoseconds, measured from when a thread begins to wait. */
    long timeoutNs();
}
