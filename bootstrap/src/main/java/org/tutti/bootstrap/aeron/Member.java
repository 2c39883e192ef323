/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import io.aeron.ExclusivePublication;
import org.agrona.DirectBuffer;
import org.tutti.bootstrap.Arguments;
import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.ProcessIdentity;

/** The coordinator's state of a process that has asked to join as a rank. */
final class Member
{
    /** The states of a member, from its request to its end. */
    enum State
    {
        /** The member requested to join, and was challenged. */
        CHALLENGED,
        /** The member has joined the job. */
        JOINED,
        /** The member was refused. Its claimed rank and process may be those of another member. */
        REFUSED,
        /** The member has left cleanly, or is dead. */
        GONE
    }

    final int memberId;
    final String host;
    final long pid;
    final JoinRequestText request;
    final ExclusivePublication publication;
    final MessageQueue outgoing;
    /** The member's process, if the member has joined and the process is visible here; else null. */
    ProcessIdentity process;
    /** Verifies the member's frames after the challenge. */
    private final FrameAuthenticator incoming;
    final MessageAssembler assembler = new MessageAssembler(2 * Arguments.MAX_VALUE_LENGTH);
    State state = State.CHALLENGED;
    long heardNs;
    /** The time at which this member's process was last seen to exist while the member was silent. */
    long seenNs;

    Member(
        final JoinRequestText request,
        final FrameAuthenticator incoming,
        final ExclusivePublication publication,
        final long heardNs)
    {
        this.memberId = request.memberId;
        this.host = request.host;
        this.pid = request.pid;
        this.request = request;
        this.incoming = incoming;
        this.publication = publication;
        this.outgoing = new MessageQueue(publication);
        this.heardNs = heardNs;
    }

    /** Called when this member is authenticated, with the identity of its process. */
    void joined(final long startTime, final String namespace)
    {
        final ProcessIdentity claimed = new ProcessIdentity(pid, startTime, namespace);
        // Containers may share a host's name, but have their own pids.
        process = host.equals(Hosts.local()) && claimed.isOfThisNamespace() ? claimed : null;
        state = State.JOINED;
    }

    /** Returns the time since the last message of this member, or since its process was seen to exist, in ns. */
    long silenceNs(final long nowNs)
    {
        return nowNs - Math.max(heardNs, seenNs);
    }

    /** Verifies a frame from this member; returns the length of the payload, or throws. */
    int open(final DirectBuffer buffer, final int offset, final int length)
    {
        return incoming.open(buffer, offset, length);
    }

    boolean isJoined()
    {
        return state == State.JOINED;
    }

    /**
     * Returns whether this member has joined the job; it may have left since. Only then are the rank and process that
     * it claimed verified.
     */
    boolean hasJoined()
    {
        return state == State.JOINED || state == State.GONE;
    }
}
