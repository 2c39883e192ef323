/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.util.Arrays;

import org.agrona.ExpandableArrayBuffer;
import org.agrona.sbe.MessageEncoderFlyweight;
import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.ProcessIdentity;
import org.tutti.bootstrap.RankFailure;
import org.tutti.bootstrap.codec.AbortEncoder;
import org.tutti.bootstrap.codec.AllgatherEncoder;
import org.tutti.bootstrap.codec.AwaitEncoder;
import org.tutti.bootstrap.codec.BarrierEncoder;
import org.tutti.bootstrap.codec.ChallengeEncoder;
import org.tutti.bootstrap.codec.FailureEncoder;
import org.tutti.bootstrap.codec.GetEncoder;
import org.tutti.bootstrap.codec.HeartbeatEncoder;
import org.tutti.bootstrap.codec.JoinProofEncoder;
import org.tutti.bootstrap.codec.JoinRequestEncoder;
import org.tutti.bootstrap.codec.JoinedEncoder;
import org.tutti.bootstrap.codec.LeaveEncoder;
import org.tutti.bootstrap.codec.MessageHeaderEncoder;
import org.tutti.bootstrap.codec.PutEncoder;
import org.tutti.bootstrap.codec.RefusedEncoder;
import org.tutti.bootstrap.codec.ReplyEncoder;
import org.tutti.bootstrap.codec.ReplyCode;
import org.tutti.bootstrap.codec.WaitingEncoder;

/**
 * Encodes messages. For messages with a value, only the head up to and including the value's length is encoded, as the
 * value is sent without a copy. For one thread at a time.
 */
final class MessageWriter
{
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();

    byte[] joinRequest(final MemberContext member, final MemberStreams streams, final byte[] nonce)
    {
        final byte[] address = streams.responseAddress();
        final JoinRequestEncoder encoder = new JoinRequestEncoder().wrapAndApplyHeader(buffer, 0, header);
        encoder
            .protocolVersion(Protocol.VERSION)
            .memberId(member.memberId())
            .worldSize(member.worldSize())
            .pid(ProcessHandle.current().pid())
            .responseStreamId(streams.subscription().streamId())
            .responsePort(streams.responsePort())
            .putNonce(nonce, 0, nonce.length)
            .putResponseAddress(address, 0, address.length)
            .jobId(member.jobId())
            .host(member.host());
        return JoinRequestText.seal(member.secret(), encoded(encoder));
    }

    byte[] challenge(final byte[] nonce, final byte[] proof)
    {
        return encoded(new ChallengeEncoder().wrapAndApplyHeader(buffer, 0, header)
            .putNonce(nonce, 0, nonce.length)
            .putProof(proof, 0, proof.length));
    }

    byte[] joinProof()
    {
        final ProcessIdentity process = ProcessIdentity.current();
        return encoded(new JoinProofEncoder().wrapAndApplyHeader(buffer, 0, header)
            .processStartTime(process.startTime())
            .processNamespace(process.namespace()));
    }

    byte[] joined(final long heartbeatTimeoutNs, final int coordinatorRank)
    {
        final ProcessIdentity coordinator = ProcessIdentity.current();
        return encoded(new JoinedEncoder().wrapAndApplyHeader(buffer, 0, header)
            .heartbeatTimeoutNs(heartbeatTimeoutNs)
            .coordinatorRank(coordinatorRank)
            .coordinatorPid(coordinator.pid())
            .coordinatorStartTime(coordinator.startTime())
            .coordinatorNamespace(coordinator.namespace())
            .coordinatorHost(Hosts.local()));
    }

    byte[] refused(final byte[] proof, final String reason)
    {
        return encoded(new RefusedEncoder().wrapAndApplyHeader(buffer, 0, header)
            .putProof(proof, 0, proof.length)
            .reason(reason));
    }

    byte[] putHead(final long correlationId, final String key, final int valueLength)
    {
        return encodedHead(
            new PutEncoder().wrapAndApplyHeader(buffer, 0, header).correlationId(correlationId).key(key), valueLength);
    }

    byte[] get(final long correlationId, final String key, final boolean isTaken)
    {
        return encoded(new GetEncoder().wrapAndApplyHeader(buffer, 0, header)
            .correlationId(correlationId)
            .taken((byte)(isTaken ? 1 : 0))
            .key(key));
    }

    byte[] await(final long correlationId, final String key, final long timeoutNs)
    {
        return encoded(new AwaitEncoder().wrapAndApplyHeader(buffer, 0, header)
            .correlationId(correlationId)
            .timeoutNs(timeoutNs)
            .key(key));
    }

    byte[] allgatherHead(
        final long correlationId, final String name, final int[] members, final long timeoutNs, final int valueLength)
    {
        final byte[] ranks = RankCodec.encode(members);
        return encodedHead(new AllgatherEncoder().wrapAndApplyHeader(buffer, 0, header)
            .correlationId(correlationId)
            .timeoutNs(timeoutNs)
            .name(name)
            .putMembers(ranks, 0, ranks.length), valueLength);
    }

    byte[] barrier(final long correlationId, final String name, final int[] members, final long timeoutNs)
    {
        final byte[] ranks = RankCodec.encode(members);
        return encoded(new BarrierEncoder().wrapAndApplyHeader(buffer, 0, header)
            .correlationId(correlationId)
            .timeoutNs(timeoutNs)
            .name(name)
            .putMembers(ranks, 0, ranks.length));
    }

    byte[] replyHead(final long correlationId, final ReplyCode status, final int valueLength)
    {
        return encodedHead(new ReplyEncoder().wrapAndApplyHeader(buffer, 0, header)
            .correlationId(correlationId)
            .status(status), valueLength);
    }

    byte[] heartbeat()
    {
        return encoded(new HeartbeatEncoder().wrapAndApplyHeader(buffer, 0, header));
    }

    byte[] leave(final long correlationId)
    {
        return encoded(new LeaveEncoder().wrapAndApplyHeader(buffer, 0, header).correlationId(correlationId));
    }

    byte[] abort(final int culprit, final String reason)
    {
        return encoded(new AbortEncoder().wrapAndApplyHeader(buffer, 0, header).culprit(culprit).reason(reason));
    }

    byte[] waiting(final int peer, final String call, final long waitedNs)
    {
        return encoded(new WaitingEncoder().wrapAndApplyHeader(buffer, 0, header)
            .peer(peer).waitedNs(waitedNs).call(call));
    }

    byte[] failure(final RankFailure failure)
    {
        return encoded(new FailureEncoder().wrapAndApplyHeader(buffer, 0, header)
            .rank(failure.rank())
            .pid(failure.pid())
            .host(failure.host())
            .cause(failure.cause()));
    }

    private byte[] encoded(final MessageEncoderFlyweight encoder)
    {
        return Arrays.copyOf(buffer.byteArray(), encoder.limit());
    }

    /** Encodes a head: the value is the message's last field, and its length (uint32) ends the head. */
    private byte[] encodedHead(final MessageEncoderFlyweight encoder, final int valueLength)
    {
        final int limit = encoder.limit();
        buffer.putInt(limit, valueLength, ReplyEncoder.BYTE_ORDER);
        return Arrays.copyOf(buffer.byteArray(), limit + ReplyEncoder.valueHeaderLength());
    }
}
