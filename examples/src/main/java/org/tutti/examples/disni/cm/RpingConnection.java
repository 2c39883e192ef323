/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.disni.cm;

import com.ibm.disni.util.MemoryUtils;
import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.SVCPollCq;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.LinkedList;
import java.util.List;

/**
 * A connection by rdma_cm, with buffers for one message in each direction and for the text of a ping. Not thread-safe.
 */
@SuppressWarnings({"JdkObsolete", "NonApiType"}) // DiSNI's interface requires LinkedList.
final class RpingConnection implements AutoCloseable
{
    private static final int DEPTH = 4;
    private static final int RETRIES = 7;
    private static final int RESOLVE_MS = 2000;
    private static final int LOCAL_WRITE_AND_REMOTE = 1 | 2 | 4;
    private static final int FLUSHED = IbvWC.IbvWcStatus.IBV_WC_WR_FLUSH_ERR.ordinal();

    private final RdmaEventChannel channel;
    private final RdmaCmId listener;
    private final RdmaCmId id;
    private final long timeoutNs;
    private final ByteBuffer sent = ByteBuffer.allocateDirect(RpingMessage.LENGTH);
    private final ByteBuffer received = ByteBuffer.allocateDirect(RpingMessage.LENGTH);
    private final ByteBuffer data;
    private final IbvPd domain;
    private final IbvCompChannel completions;
    private final IbvCQ queue;
    private final IbvQP queuePair;
    private final IbvMr sentRegion;
    private final IbvMr receivedRegion;
    private final IbvMr dataRegion;
    private final IbvWC[] completion = {new IbvWC()};
    private final SVCPollCq poll;
    private int messages;
    private int done;

    private RpingConnection(final RdmaEventChannel channel, final RdmaCmId listener, final RdmaCmId id, final int size,
        final long timeoutNs) throws IOException
    {
        this.channel = channel;
        this.listener = listener;
        this.id = id;
        this.timeoutNs = timeoutNs;
        final IbvContext context = id.getVerbs();
        domain = context.allocPd();
        completions = context.createCompChannel();
        queue = context.createCQ(completions, 4 * DEPTH, 0);
        final IbvQPInitAttr attributes = new IbvQPInitAttr();
        attributes.setQp_type(IbvQP.IBV_QPT_RC);
        attributes.setSend_cq(queue);
        attributes.setRecv_cq(queue);
        attributes.cap().setMax_send_wr(DEPTH);
        attributes.cap().setMax_recv_wr(DEPTH);
        queuePair = id.createQP(domain, attributes);
        data = ByteBuffer.allocateDirect(size);
        sentRegion = register(sent);
        receivedRegion = register(received);
        dataRegion = register(data);
        poll = queue.poll(completion, 1);
        postReceive();
    }

    private IbvMr register(final ByteBuffer buffer) throws IOException
    {
        return domain.regMr(buffer, LOCAL_WRITE_AND_REMOTE).execute().free().getMr();
    }

    static RpingConnection connect(final InetSocketAddress server, final int size, final long timeoutNs)
        throws IOException
    {
        final RdmaEventChannel channel = RdmaEventChannel.createEventChannel();
        final RdmaCmId id = channel.createId(RdmaCm.RDMA_PS_TCP);
        id.resolveAddr(null, server, RESOLVE_MS);
        await(channel, EventType.RDMA_CM_EVENT_ADDR_RESOLVED, timeoutNs);
        id.resolveRoute(RESOLVE_MS);
        await(channel, EventType.RDMA_CM_EVENT_ROUTE_RESOLVED, timeoutNs);
        final RpingConnection connection = new RpingConnection(channel, null, id, size, timeoutNs);
        id.connect(parameters());
        await(channel, EventType.RDMA_CM_EVENT_ESTABLISHED, timeoutNs);
        return connection;
    }

    static RpingConnection accept(final InetSocketAddress own, final int size, final long timeoutNs)
        throws IOException
    {
        final RdmaEventChannel channel = RdmaEventChannel.createEventChannel();
        final RdmaCmId listener = channel.createId(RdmaCm.RDMA_PS_TCP);
        listener.bindAddr(own);
        listener.listen(1);
        final RdmaCmId id =
            await(channel, EventType.RDMA_CM_EVENT_CONNECT_REQUEST, timeoutNs).getConnIdPriv();
        final RpingConnection connection = new RpingConnection(channel, listener, id, size, timeoutNs);
        id.accept(parameters());
        await(channel, EventType.RDMA_CM_EVENT_ESTABLISHED, timeoutNs);
        return connection;
    }

    private static RdmaConnParam parameters() throws IOException
    {
        final RdmaConnParam parameters = new RdmaConnParam();
        parameters.setRetry_count((byte)RETRIES);
        parameters.setRnr_retry_count((byte)RETRIES);
        return parameters;
    }

    private static RdmaCmEvent await(
        final RdmaEventChannel channel, final EventType expected, final long timeoutNs) throws IOException
    {
        final RdmaCmEvent event = channel.getCmEvent((int)(timeoutNs / 1_000_000));
        if (event == null)
        {
            throw new IOException("no " + expected + " within " + timeoutNs / 1_000_000_000 + " s");
        }
        if (event.getEvent() != expected.ordinal())
        {
            throw new IOException(EventType.values()[event.getEvent()] + " instead of " + expected);
        }
        return event;
    }

    /** Buffer for the text of a ping, which starts at index 0. */
    ByteBuffer data()
    {
        return data;
    }

    /** The last received message. */
    RpingMessage message()
    {
        return RpingMessage.read(received);
    }

    /** Sends the location of the text to the peer. */
    void sendData(final int length) throws IOException
    {
        new RpingMessage(MemoryUtils.getAddress(data), dataRegion.getRkey(), length).write(sent);
        final IbvSendWR request = request(IbvSendWR.IBV_WR_SEND, sent, RpingMessage.LENGTH, sentRegion);
        post(request);
    }

    /** Reads the peer's text from the location in the last message. */
    void read(final int length) throws IOException
    {
        final IbvSendWR request = request(IbvSendWR.IBV_WR_RDMA_READ, data, length, dataRegion);
        request.getRdma().setRemote_addr(message().address());
        request.getRdma().setRkey(message().rkey());
        post(request);
    }

    /** Writes the text to the location in the last message. */
    void write(final int length) throws IOException
    {
        final IbvSendWR request = request(IbvSendWR.IBV_WR_RDMA_WRITE, data, length, dataRegion);
        request.getRdma().setRemote_addr(message().address());
        request.getRdma().setRkey(message().rkey());
        post(request);
    }

    private IbvSendWR request(final int opcode, final ByteBuffer buffer, final int length, final IbvMr region)
        throws IOException
    {
        if (length > buffer.capacity())
        {
            throw new IOException("the client's pings have " + length + " bytes: use --size " + length);
        }
        final IbvSendWR request = new IbvSendWR();
        request.setOpcode(opcode);
        request.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
        request.setSg_list(list(buffer, length, region));
        return request;
    }

    private static LinkedList<IbvSge> list(final ByteBuffer buffer, final int length, final IbvMr region)
    {
        final IbvSge entry = new IbvSge();
        entry.setAddr(MemoryUtils.getAddress(buffer));
        entry.setLength(length);
        entry.setLkey(region.getLkey());
        return new LinkedList<>(List.of(entry));
    }

    /** Posts a request and waits for its completion; a message may arrive before the completion. */
    private void post(final IbvSendWR request) throws IOException
    {
        queuePair.postSend(List.of(request), null).execute().free();
        final int before = done;
        while (done == before)
        {
            if (!next())
            {
                throw new IOException("the peer disconnected during a ping");
            }
        }
    }

    private void postReceive() throws IOException
    {
        final IbvRecvWR request = new IbvRecvWR();
        request.setSg_list(list(received, RpingMessage.LENGTH, receivedRegion));
        queuePair.postRecv(List.of(request), null).execute().free();
    }

    /**
     * Waits for a message or a disconnect.
     *
     * @return false if the peer disconnected.
     */
    boolean awaitMessage() throws IOException
    {
        while (messages == 0)
        {
            if (!next())
            {
                return false;
            }
        }
        messages--;
        postReceive();
        return true;
    }

    /** Polls until there is a completion, and counts it; returns false if the peer has disconnected. */
    private boolean next() throws IOException
    {
        final long startNs = System.nanoTime();
        while (poll.execute().getPolls() == 0)
        {
            final RdmaCmEvent event = channel.getCmEvent(0);
            if (event != null && event.getEvent() == EventType.RDMA_CM_EVENT_DISCONNECTED.ordinal())
            {
                return false;
            }
            if (System.nanoTime() - startNs > timeoutNs)
            {
                throw new IOException("no answer from the peer within " + timeoutNs / 1_000_000_000 + " s");
            }
            Thread.onSpinWait();
        }
        if (completion[0].getStatus() == FLUSHED)
        {
            return false;
        }
        if (completion[0].getStatus() != 0)
        {
            throw new IOException("request failed: " +
                IbvWC.IbvWcStatus.valueOf(completion[0].getStatus()));
        }
        if ((completion[0].getOpcode() & IbvWC.IbvWcOpcode.IBV_WC_RECV.getOpcode()) != 0)
        {
            messages++;
        }
        else
        {
            done++;
        }
        return true;
    }

    @Override
    public void close() throws IOException
    {
        id.disconnect();
        poll.free();
        id.destroyQP();
        sentRegion.deregMr().execute().free();
        receivedRegion.deregMr().execute().free();
        dataRegion.deregMr().execute().free();
        queue.destroyCQ();
        completions.destroyCompChannel();
        try
        {
            domain.deallocPd();
        }
        catch (final IOException e)
        {
            throw e;
        }
        catch (final Exception e)
        {
            throw new IOException(e);
        }
        id.destroyId();
        if (listener != null)
        {
            listener.destroyId();
        }
        channel.destroyEventChannel();
    }
}
