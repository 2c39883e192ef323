/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import org.agrona.DirectBuffer;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.CoordinatorListener;
import org.tutti.bootstrap.codec.AllgatherDecoder;
import org.tutti.bootstrap.codec.AwaitDecoder;
import org.tutti.bootstrap.codec.BarrierDecoder;
import org.tutti.bootstrap.codec.GetDecoder;
import org.tutti.bootstrap.codec.MessageHeaderDecoder;
import org.tutti.bootstrap.codec.PutDecoder;
import org.tutti.bootstrap.codec.ReplyCode;
import org.tutti.bootstrap.store.CollectiveArrival;
import org.tutti.bootstrap.store.JobStore;
import org.tutti.bootstrap.store.Reply;
import org.tutti.bootstrap.store.ReplyStatus;

/** Serves the ranks' requests to the store. Used only by the coordinator's thread. */
final class StoreService
{
    private static final byte[] NOTHING = new byte[0];

    private final JobStore store;
    private final MessageWriter writer;
    private long nowNs;

    StoreService(final int size, final MessageWriter writer)
    {
        this.store = new JobStore(size);
        this.writer = writer;
    }

    /**
     * Sets the time for the following calls.
     *
     * @param runningNs the time in nanoseconds, by a clock that stands still while the coordinator does not run, so
     *                  that ranks whose requests have not been read yet are not considered late.
     */
    void now(final long runningNs)
    {
        nowNs = runningNs;
    }

    int expire()
    {
        return store.expire(nowNs);
    }

    /** Stores a value of the coordinator. */
    void put(final String key, final byte[] value)
    {
        store.put(key, value);
    }

    boolean hasWaits()
    {
        return store.hasWaits();
    }

    /** Reports the ranks that have been waiting for others for at least {@link Bootstrap#WAIT_REPORT_INTERVAL_NS}. */
    void reportWaits(final CoordinatorListener listener)
    {
        store.forEachWait(nowNs, Bootstrap.WAIT_REPORT_INTERVAL_NS, (rank, missing, what, waitedNs) ->
            listener.onWaiting(rank, missing, "rank " + rank + ": " + what, waitedNs));
    }

    void leave(final int rank)
    {
        store.leave(rank);
    }

    /** Serves a message if it is a request to the store; ignores others. */
    void onRequest(
        final Member member, final MessageHeaderDecoder header, final DirectBuffer buffer, final int offset)
    {
        switch (header.templateId())
        {
            case PutDecoder.TEMPLATE_ID ->
                onPut(member, new PutDecoder().wrapAndApplyHeader(buffer, offset, header));
            case GetDecoder.TEMPLATE_ID ->
            {
                final GetDecoder decoder = new GetDecoder().wrapAndApplyHeader(buffer, offset, header);
                final Reply reply = reply(member, decoder.correlationId());
                if (decoder.taken() == 0)
                {
                    store.get(decoder.key(), reply);
                }
                else
                {
                    store.take(decoder.key(), reply);
                }
            }
            case AwaitDecoder.TEMPLATE_ID ->
            {
                final AwaitDecoder decoder = new AwaitDecoder().wrapAndApplyHeader(buffer, offset, header);
                final Reply reply = reply(member, decoder.correlationId());
                store.await(member.memberId, decoder.key(), nowNs, decoder.timeoutNs(), reply);
            }
            case BarrierDecoder.TEMPLATE_ID ->
                onBarrier(member, new BarrierDecoder().wrapAndApplyHeader(buffer, offset, header));
            case AllgatherDecoder.TEMPLATE_ID ->
                onAllgather(member, new AllgatherDecoder().wrapAndApplyHeader(buffer, offset, header));
            default ->
            {
                // Not a request: no reply is expected.
            }
        }
    }

    private void onPut(final Member member, final PutDecoder decoder)
    {
        final String key = decoder.key();
        final byte[] value = new byte[decoder.valueLength()];
        decoder.getValue(value, 0, value.length);
        store.put(key, value);
        reply(member, decoder.correlationId()).complete(ReplyStatus.OK, NOTHING);
    }

    private void onAllgather(final Member member, final AllgatherDecoder decoder)
    {
        final String name = decoder.name();
        final byte[] members = new byte[decoder.membersLength()];
        decoder.getMembers(members, 0, members.length);
        final byte[] value = new byte[decoder.valueLength()];
        decoder.getValue(value, 0, value.length);
        store.allgather(arrival(member, name, members, decoder.timeoutNs()), value,
            reply(member, decoder.correlationId()));
    }

    private void onBarrier(final Member member, final BarrierDecoder decoder)
    {
        final String name = decoder.name();
        final byte[] members = new byte[decoder.membersLength()];
        decoder.getMembers(members, 0, members.length);
        store.barrier(arrival(member, name, members, decoder.timeoutNs()), reply(member, decoder.correlationId()));
    }

    private CollectiveArrival arrival(
        final Member member, final String name, final byte[] members, final long timeoutNs)
    {
        return new CollectiveArrival(member.memberId, name, RankCodec.decode(members), nowNs, timeoutNs);
    }

    private Reply reply(final Member member, final long correlationId)
    {
        return (status, value) ->
            member.outgoing.add(writer.replyHead(correlationId, encoded(status), value.length), value);
    }

    private static ReplyCode encoded(final ReplyStatus status)
    {
        return ReplyCode.get((short)status.ordinal());
    }
}
