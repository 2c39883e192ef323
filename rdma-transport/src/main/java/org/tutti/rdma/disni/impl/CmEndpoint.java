/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.impl.NatIbvQP;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.verbs.ForeignQueuePair;

import java.io.IOException;

/**
 * An rdma_cm identifier with a queue pair of the device, for one connection. Guarded by the lock of its
 * {@link DisniQueuePair}.
 */
final class CmEndpoint
{
    private final ConnectionManager manager;
    private final RdmaCmId id;
    private final int attempt;
    private final ForeignQueuePair device;
    private final SendCall sends;
    private final ReceiveCall receives;

    /**
     * Creates the queue pair of an identifier.
     *
     * @param manager    manager of the identifier.
     * @param id         identifier bound to a device; destroyed with the endpoint, and if this constructor fails.
     * @param domain     domain of the queue pair.
     * @param attributes attributes of the queue pair.
     * @param attempt    number of this attempt to connect, by which its completions are recognized.
     * @throws IOException if the device rejects the queue pair.
     */
    CmEndpoint(
        final ConnectionManager manager,
        final RdmaCmId id,
        final IbvPd domain,
        final QueuePairInitAttributes attributes,
        final int attempt) throws IOException
    {
        this.manager = manager;
        this.id = id;
        this.attempt = attempt;
        final IbvQPInitAttr init = new IbvQPInitAttr();
        init.setQp_type(IbvQP.IBV_QPT_RC);
        init.setSend_cq(((DisniCompletionQueue)attributes.sendQueue()).queue());
        init.setRecv_cq(((DisniCompletionQueue)attributes.receiveQueue()).queue());
        init.cap().setMax_send_wr(attributes.maxSendRequests());
        init.cap().setMax_recv_wr(Math.max(1, attributes.maxReceiveRequests()));
        init.cap().setMax_send_sge(DisniContext.MAX_SGE);
        init.cap().setMax_recv_sge(DisniContext.MAX_SGE);
        init.cap().setMax_inline_data(attributes.maxInlineData());
        try
        {
            final IbvQP queuePair = manager.cm().createQP(id, domain, init);
            device = new ForeignQueuePair(((NatIbvQP)queuePair).getObjId());
            sends = SendCall.of(queuePair);
            receives = ReceiveCall.of(queuePair);
        }
        catch (final IOException e)
        {
            manager.destroy(id);
            throw e;
        }
    }

    RdmaCmId id()
    {
        return id;
    }

    int attempt()
    {
        return attempt;
    }

    /** The queue pair, for queries and changes that DiSNI lacks. */
    ForeignQueuePair device()
    {
        return device;
    }

    SendCall sends()
    {
        return sends;
    }

    ReceiveCall receives()
    {
        return receives;
    }

    /** Moves the queue pair to the error state, and notifies a connected peer. */
    void disconnect()
    {
        try
        {
            manager.cm().disconnect(id);
        }
        catch (final IOException e)
        {
            throw DisniErrors.of("rdma_disconnect", "a connection", e);
        }
    }

    /** Disconnects and frees all resources. */
    void destroy()
    {
        try
        {
            sends.free();
            receives.free();
            manager.cm().destroyQP(id);
        }
        catch (final IOException e)
        {
            throw DisniErrors.of("ibv_destroy_qp", "a queue pair", e);
        }
        manager.destroy(id);
    }
}
