/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import io.aeron.ExclusivePublication;
import org.tutti.bootstrap.Arguments;
import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.ProcessIdentity;

/** What the coordinator knows of a rank. */
final class Member
{
    /** From its first word to its last. */
    enum State
    {
        /** It wants to join, and was asked for proof. */
        CHALLENGED,
        /** It is part of the job. */
        JOINED,
        /** It left in good order, was refused, or is dead. */
        GONE
    }

    final int memberId;
    final String host;
    final long pid;
    final JoinRequestText request;
    final byte[] coordinatorNonce;
    final ExclusivePublication publication;
    final Outbox outbox;
    /** Its process if that is among those of this host, or null. */
    final ProcessIdentity process;
    final Inbox inbox = new Inbox(2 * Arguments.MAX_VALUE_LENGTH);
    State state = State.CHALLENGED;
    long heardNs;

    Member(
        final JoinRequestText request,
        final byte[] coordinatorNonce,
        final ExclusivePublication publication,
        final long heardNs)
    {
        this.memberId = request.memberId;
        this.host = request.host;
        this.pid = request.pid;
        this.request = request;
        this.coordinatorNonce = coordinatorNonce;
        this.publication = publication;
        this.outbox = new Outbox(publication);
        this.heardNs = heardNs;
        process = host.equals(Hosts.local()) ? ProcessIdentity.of(pid) : null;
    }

    /** Whether it is known to be stopped, by a debugger, say: then it is silent, but not dead. */
    boolean isStopped()
    {
        return process != null && process.isStopped();
    }

    boolean isJoined()
    {
        return state == State.JOINED;
    }
}
