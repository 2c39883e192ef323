/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.fault.Diagnosis;
import org.tutti.collectives.fault.LateRanks;
import org.tutti.collectives.wireup.CommunicatorRanks;
import org.tutti.collectives.wireup.Team;

/** Diagnoses failures of sends and receives. */
final class MessageDiagnosis extends Diagnosis
{
    private static final String MATCHING_RULE =
        "a message must have the type of the receive that it matches, and at most its number of elements";
    /** Maximum number of messages that an error lists. */
    private static final int MAX_LISTED = 3;

    private final Team team;
    private final CommunicatorRanks ranks;
    private final OperationTable operations;
    private final MatchingQueues<MessageOperation, IncomingMessage> queues;

    MessageDiagnosis(
        final Team team, final OperationTable operations,
        final MatchingQueues<MessageOperation, IncomingMessage> queues)
    {
        super(team);
        this.team = team;
        this.operations = operations;
        this.queues = queues;
        ranks = team.ranks();
    }

    @Override
    public String where(final long sequence)
    {
        final MessageOperation operation = operations.find(sequence);
        return operation == null ? own() + ": call" : where(operation);
    }

    private String where(final MessageOperation operation)
    {
        return own() + ": " + operation + " #" + operation.sequence;
    }

    private String own()
    {
        return ranks.name(team.rank());
    }

    /** Returns the exception for a message that a receive matches but cannot take. */
    CollectiveException mismatch(final MessageOperation receive, final IncomingMessage message)
    {
        final int peer = message.source();
        final boolean isLonger = message.typeHash == MessageHeader.typeHash(receive.type);
        return error(peer, "ranks disagree in call #" + receive.sequence + ": " + ranks.name(peer) + " called " +
            message.text(team.rank()) + ", " + own() + " called " + receive +
            (isLonger ? ", and the message is longer than the buffer: " : ": ") + MATCHING_RULE);
    }

    /** Returns the exception for an operation that waits for a peer that has closed, or for any if all have. */
    CollectiveException closed(final MessageOperation operation, final int peer)
    {
        return error(peer, where(operation) + " failed: " + (peer < 0 ? "all other ranks have closed their " +
            "communicators" : ranks.name(peer) + " closed its communicator") + " without making the matching call");
    }

    /** Returns the exception for a message that was never received. */
    CollectiveException notReceived(final IncomingMessage message)
    {
        return error(message.source(), own() + " closed its communicator without receiving " +
            message.text(team.rank()) + " of " + ranks.name(message.source()));
    }

    @Override
    public CollectiveException timeout(final long sequence, final int peer, final long timeoutNs)
    {
        final boolean isConnected =
            peer >= 0 && team.connections()[peer] != null && team.connections()[peer].isJoined();
        final String problem = team.bootstrap().coordinatorProblem();
        if (problem != null && !isConnected)
        {
            return coordinatorTimeout(sequence, timeoutNs, problem);
        }
        final LateRanks late = new LateRanks(team);
        final MessageOperation operation = operations.find(sequence);
        if (peer >= 0 && (operation == null || operation.isUnmatched()))
        {
            late.add(peer, isConnected ? " has not made the matching call" : " has not made the call");
        }
        late.readProcessStates();
        final String unmatched = unmatched(peer);
        return late.timeout(timedOut(sequence, timeoutNs) +
            (unmatched.isEmpty() ? "" : " (not received: " + unmatched + ")"), peer, "");
    }

    /** Lists messages of a rank, or of any rank, that no receive has matched. */
    private String unmatched(final int source)
    {
        final StringBuilder text = new StringBuilder();
        int count = 0;
        for (IncomingMessage each = queues.firstUnexpected(source); each != null && count < MAX_LISTED;
            each = queues.nextUnexpected(each, source))
        {
            text.append(count++ == 0 ? "" : ", ").append(each.text(team.rank()))
                .append(" of ").append(ranks.name(each.source()));
        }
        return text.toString();
    }
}
