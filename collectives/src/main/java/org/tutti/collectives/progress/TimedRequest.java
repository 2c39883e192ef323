/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.collectives.Request;

/** A request that says how long it may be awaited. */
public interface TimedRequest extends Request
{
    /** The deadline in nanoseconds, measured from when a thread begins to await it. */
    long timeoutNs();
}
