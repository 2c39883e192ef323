/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

/**
 * A nonblocking request to the store, so that an unresponsive coordinator cannot block the caller. For one thread at a
 * time.
 */
public interface BootstrapRequest
{
    /**
     * Tests for completion, without waiting.
     *
     * @return true if the request is complete.
     * @throws BootstrapException if a rank failed, the job is aborted, or the bootstrap is closed.
     */
    boolean test();

    /**
     * Returns the answer. Valid after {@link #test} has returned true.
     *
     * @return the value; null if the store has none, and for a put.
     * @throws BootstrapException if the request was refused.
     */
    byte[] value();

    /**
     * Creates a completed request.
     *
     * @param value the answer, or null.
     * @return the request.
     */
    static BootstrapRequest answered(final byte[] value)
    {
        return new BootstrapRequest()
        {
            @Override
            public boolean test()
            {
                return true;
            }

            @Override
            public byte[] value()
            {
                return value;
            }
        };
    }
}
