/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.fault;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.bootstrap.RankFailure;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.device.LocalPort;
import org.tutti.collectives.device.NetDevice;
import org.tutti.collectives.endpoint.Connection;
import org.tutti.collectives.endpoint.QueuePairEndpoint;
import org.tutti.collectives.wireup.CommunicatorRanks;
import org.tutti.collectives.wireup.Team;
import org.tutti.rdma.AsyncEvent;
import org.tutti.rdma.Errno;
import org.tutti.rdma.PortState;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.WorkCompletion;
import org.tutti.rdma.WorkCompletionStatus;

import java.util.List;

/** Diagnoses failures of the transport: of a connection, port or device. Not thread-safe. */
public final class TransportErrors
{
    private final Team team;
    private final CommunicatorRanks ranks;
    private final Diagnosis diagnosis;
    private final UnsafeBuffer completions =
        new UnsafeBuffer(BufferUtil.allocateDirectAligned(WorkCompletion.SIZE, 64));
    private final WorkCompletion completion = new WorkCompletion();

    TransportErrors(final Team team, final Diagnosis diagnosis)
    {
        this.team = team;
        ranks = team.ranks();
        this.diagnosis = diagnosis;
    }

    /**
     * Returns the exception for a failed work request to or from a peer.
     *
     * @param sequence sequence number of the call.
     * @param failed   completion with the error.
     */
    public CollectiveException connectionFailure(final long sequence, final WorkCompletion failed)
    {
        final WorkCompletion cause = cause(failed);
        final WorkCompletionStatus status = cause.status();
        final int peer = QueuePairEndpoint.peer(cause.wrId());
        final int vendorErr = cause.vendorErr();
        final RankFailure failure = ErrorHints.isConsequence(status) ? diagnosis.awaitFailureNotice() : null;
        if (failure != null)
        {
            return diagnosis.failed(sequence, failure);
        }
        return diagnosis.error(peer, diagnosis.where(sequence) + " failed: " + status.text() + " (" + status +
            (vendorErr == 0 ? "" : ", vendor_err " + vendorErr(vendorErr)) + ") on the connection to " +
            connection(peer) + ": " + linkState(team.device(peer)) +
            ErrorHints.of(status, team.device(peer).port().transport()));
    }

    /** Returns the exception for an asynchronous event that ended all outstanding requests. */
    public CollectiveException eventFailure(final long sequence, final int waitedPeer, final AsyncEvent event)
    {
        final int peer = event.element() instanceof final QueuePair qp ? peerOf(qp) : waitedPeer;
        final LocalPort port = deviceOf(event).port();
        final RankFailure failure = event.element() instanceof QueuePair ? diagnosis.awaitFailureNotice() : null;
        if (failure != null)
        {
            return diagnosis.failed(sequence, failure);
        }
        final String text = switch (event.type())
        {
            case PORT_ERR -> "port " + port.port().name() + " of this host lost its link" +
                (peer < 0 ? "" : " while this rank waited for " + ranks.name(peer)) +
                ": check the cable, the switch and the network interface (tutti devices)";
            case DEVICE_FATAL -> "device " + port.port().device() +
                " reported a fatal error: check the kernel log (dmesg), reset it or choose another by TUTTI_DEVICE";
            case CQ_ERR -> "the completion queue of " + port + " overran";
            default -> "the connection to " + (peer < 0 ? "a peer" : connection(peer)) + " broke: " +
                ErrorHints.of(WorkCompletionStatus.WR_FLUSH_ERR, port.transport());
        };
        return diagnosis.error(peer, diagnosis.where(sequence) + " failed: " + text + " (" + event.type() + ")");
    }

    /** Returns the device that reported an event; the first device if none did. */
    private NetDevice deviceOf(final AsyncEvent event)
    {
        final List<NetDevice> devices = team.context().devices();
        return devices.stream().filter(device -> event.equals(device.events().poll())).findFirst()
            .orElse(devices.getFirst());
    }

    private int peerOf(final QueuePair qp)
    {
        for (int peer = 0; peer < team.size(); peer++)
        {
            if (team.connections()[peer] != null && team.connections()[peer].queuePair() == qp)
            {
                return peer;
            }
        }
        return -1;
    }

    private String connection(final int peer)
    {
        final Connection connection = team.connections()[peer];
        return ranks.name(peer) + ", QP " + connection.queuePair().qpNum() + " to " + connection.peerQpNum() +
            " over " + team.device(peer);
    }

    /** Formats an adapter's own error code; software transports use errno. */
    private static String vendorErr(final int vendorErr)
    {
        final String name = Errno.name(vendorErr);
        return name.startsWith("E") ? name : "0x" + Integer.toHexString(vendorErr);
    }

    private static String linkState(final NetDevice device)
    {
        try
        {
            device.events().poll();
            final LocalPort port = device.port();
            final PortState state = port.context().queryPort(port.port().number()).state;
            return state == PortState.ACTIVE ? device.events().isLinkLost() ? "this host's link was lost; " : "" :
                "this host's port " + port.port().name() + " is " + state + "; ";
        }
        catch (final RdmaException deviceIsGone)
        {
            return deviceIsGone.getMessage() + "; ";
        }
    }

    /** Returns the completion of the request that failed first: flushed receives may precede it in the queue. */
    private WorkCompletion cause(final WorkCompletion first)
    {
        while (first.status() == WorkCompletionStatus.WR_FLUSH_ERR &&
            team.queues(QueuePairEndpoint.peer(first.wrId())).queue().poll(completions.addressOffset(), 1) == 1)
        {
            final WorkCompletionStatus status = completion.wrap(completions, 0).status();
            if (status != WorkCompletionStatus.SUCCESS && status != WorkCompletionStatus.WR_FLUSH_ERR)
            {
                return completion;
            }
        }
        return first;
    }
}
