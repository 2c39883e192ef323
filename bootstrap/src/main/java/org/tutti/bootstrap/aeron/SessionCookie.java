/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.util.concurrent.ThreadLocalRandom;

import org.tutti.bootstrap.Hmac;
import org.tutti.bootstrap.JobSecret;

/**
 * Keeps processes that do not know the job's secret from opening sessions at the coordinator's port, without keeping
 * any state for them, as the cookies of TCP (RFC 4987, section 3.6) and DTLS do. A member chooses the initial term id
 * of its stream at random, and the session id that belongs to it: 32 bits of an HMAC-SHA256 under the secret. The media
 * driver looks at both, which each SETUP frame carries, before it makes a session. Used by one thread at a time.
 *
 * <p>A tag this short keeps memory from strangers, no more than that: what a session says is believed only after
 * {@link Admission}.
 */
final class SessionCookie
{
    private final Hmac hmac;
    private final byte[] tag = new byte[Hmac.LENGTH];

    SessionCookie(final JobSecret secret)
    {
        hmac = secret.derive(Protocol.SESSION);
    }

    /** The parameters of a publication's channel by which its session may be opened. */
    String channelParameters()
    {
        final int termId = ThreadLocalRandom.current().nextInt();
        return "|session-id=" + sessionId(termId) + "|init-term-id=" + termId + "|term-id=" + termId +
            "|term-offset=0";
    }

    boolean isValid(final int sessionId, final int initialTermId)
    {
        return sessionId == sessionId(initialTermId);
    }

    private int sessionId(final int initialTermId)
    {
        hmac.update(initialTermId);
        hmac.end(tag);
        return (tag[0] & 0xFF) << 24 | (tag[1] & 0xFF) << 16 | (tag[2] & 0xFF) << 8 | (tag[3] & 0xFF);
    }
}
