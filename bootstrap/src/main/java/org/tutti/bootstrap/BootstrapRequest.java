/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

/**
 * A request to the store that its caller tests instead of waiting for it, so that a coordinator that does not answer
 * cannot hold up the call that needs the answer. For one thread at a time.
 */
public interface BootstrapRequest
{
    /**
     * Makes progress, without waiting.
     *
     * @return whether the request is answered.
     * @throws BootstrapException if a rank failed, the job is aborted, or the bootstrap is closed.
     */
    boolean test();

    /**
     * The answer, once {@link #test} has returned true.
     *
     * @return the bytes; null if the store has none, and for a put.
     * @throws BootstrapException if the request was refused.
     */
    byte[] value();

    /**
     * A request that was answered at once.
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
