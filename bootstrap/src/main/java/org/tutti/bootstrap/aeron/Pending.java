/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.nio.charset.StandardCharsets;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.BootstrapTimeoutException;
import org.tutti.bootstrap.codec.ReplyStatus;

/** A request that waits for its reply; completed by whichever thread receives it. */
final class Pending
{
    private byte[] value;
    private volatile ReplyStatus status;

    void complete(final ReplyStatus replyStatus, final byte[] replyValue)
    {
        value = replyValue;
        status = replyStatus;
    }

    boolean isComplete()
    {
        return status != null;
    }

    /** The answer, null if the store has none; throws what the coordinator said is wrong. */
    byte[] result()
    {
        return switch (status)
        {
            case OK -> value;
            case ABSENT -> null;
            case TIMED_OUT -> throw new BootstrapTimeoutException(new String(value, StandardCharsets.UTF_8));
            case REFUSED, NULL_VAL -> throw new BootstrapException(new String(value, StandardCharsets.UTF_8));
        };
    }
}
