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

/** What the coordinator knows of a rank. */
final class Member
{
    /** State of a member, from its request to its end. */
    enum State
    {
        /** It wants to join, and was asked for proof. */
        CHALLENGED,
        /** It is part of the job. */
        JOINED,
        /** It was told why it cannot join. The rank and process that it gave may be those of another member. */
        REFUSED,
        /** It left in good order, or is dead. */
        GONE
    }

    final int memberId;
    final String host;
    final long pid;
    final JoinRequestText request;
    final ExclusivePublication publication;
    final MessageQueue outgoing;
    /** Its process, once it has joined and if that is among those that this process can see, or null. */
    ProcessIdentity process;
    /** Checks what it sends, once it was challenged. */
    private final FrameAuthenticator incoming;
    final MessageAssembler assembler = new MessageAssembler(2 * Arguments.MAX_VALUE_LENGTH);
    State state = State.CHALLENGED;
    long heardNs;
    /** When its process was last seen to be there while nothing was heard of it. */
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

    /** It has proved itself: what it says of its process is known. */
    void joined(final long startTime, final String namespace)
    {
        final ProcessIdentity told = new ProcessIdentity(pid, startTime, namespace);
        // Containers may share a host's name, and each counts its own processes.
        process = host.equals(Hosts.local()) && told.isOfThisNamespace() ? told : null;
        state = State.JOINED;
    }

    /** For how long nothing has come that shows it to be there. */
    long silenceNs(final long nowNs)
    {
        return nowNs - Math.max(heardNs, seenNs);
    }

    /** Checks a frame that it sent; returns the length of what the frame carries, or throws. */
    int open(final DirectBuffer buffer, final int offset, final int length)
    {
        return incoming.open(buffer, offset, length);
    }

    boolean isJoined()
    {
        return state == State.JOINED;
    }

    /** Whether it is, or was, part of the job: only then its rank and process are what it said. */
    boolean hasJoined()
    {
        return state == State.JOINED || state == State.GONE;
    }
}
