/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.util.concurrent.ThreadLocalRandom;

import org.tutti.bootstrap.Hmac;
import org.tutti.bootstrap.JobSecret;

/**
 * Prevents processes that do not know the job's secret from opening sessions at the coordinator's port, without state,
 * like the cookies of TCP (RFC 4987, section 3.6) and DTLS. A member chooses a random initial term id for its stream,
 * and derives the session id from it: 32 bits of an HMAC-SHA256 with the secret. The media driver checks both, which
 * each SETUP frame contains, before it creates a session. For one thread at a time.
 *
 * <p>Such a short tag only protects memory: the members of a session are authenticated by {@link Admission}.
 */
final class SessionCookie
{
    private final Hmac hmac;
    private final byte[] tag = new byte[Hmac.LENGTH];

    SessionCookie(final JobSecret secret)
    {
        hmac = secret.derive(Protocol.SESSION);
    }

    /** Returns the channel parameters with which a publication's session may be opened. */
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
