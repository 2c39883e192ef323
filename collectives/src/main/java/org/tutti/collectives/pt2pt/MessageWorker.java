/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

import org.tutti.collectives.endpoint.Immediate;
import org.tutti.collectives.exec.Worker;
import org.tutti.collectives.fault.ClosedPeers;
import org.tutti.collectives.wireup.Team;

/** Receives the messages of peers, and hands them to sender and receiver. Not thread-safe. */
final class MessageWorker extends Worker
{
    private final MessagePeers peers;
    private final MessageSender sender;
    private final MessageReceiver receiver;

    MessageWorker(
        final Team team, final ClosedPeers closed, final MessageDiagnosis diagnosis, final MessagePeers peers,
        final MessageSender sender, final MessageReceiver receiver)
    {
        super(team, closed, diagnosis);
        this.peers = peers;
        this.sender = sender;
        this.receiver = receiver;
    }

    @Override
    protected void deliver(
        final int peer, final int immediate, final long length, final long sequence, final long oldest,
        final long last)
    {
        final int value = MessageImmediate.value(immediate);
        switch (Immediate.channel(immediate))
        {
            case MessageImmediate.MESSAGE -> receiver.onMessage(peers.get(peer), value);
            case MessageImmediate.DATA -> receiver.onData(peers.get(peer), value);
            case MessageImmediate.COPIED -> sender.onCopied(peers.get(peer), value);
            case MessageImmediate.CREDITS -> peers.get(peer).readCredits();
            case Immediate.CLOSE_CHANNEL -> deliverOther(peer, immediate, sequence);
            default -> throw MessagePeer.corrupt(peer, "a message of an unknown kind");
        }
    }

    @Override
    protected void closed(final int peer, final int immediate, final long sequence)
    {
        peers.onClose(peer);
    }
}
