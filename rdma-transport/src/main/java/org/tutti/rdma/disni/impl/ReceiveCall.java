/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.SVCPostRecv;
import org.tutti.rdma.ReceiveWorkRequest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;

/** A call that posts receives. */
final class ReceiveCall extends PostCall
{
    private final SVCPostRecv call;

    private ReceiveCall(final SVCPostRecv call)
    {
        super(call, ReceiveWorkRequest.SIZE);
        this.call = call;
    }

    @SuppressWarnings("JdkObsolete") // DiSNI takes no other list.
    static ReceiveCall of(final IbvQP queuePair) throws IOException
    {
        final List<IbvRecvWR> requests = new ArrayList<>(CAPACITY);
        for (int i = 0; i < CAPACITY; i++)
        {
            final IbvRecvWR request = new IbvRecvWR();
            request.setSg_list(new LinkedList<>());
            requests.add(request);
        }
        return new ReceiveCall(queuePair.postRecv(requests, null));
    }

    @Override
    void execute() throws IOException
    {
        call.execute();
    }

    @Override
    void free() throws IOException
    {
        call.free();
    }
}
