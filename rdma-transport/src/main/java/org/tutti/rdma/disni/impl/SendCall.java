/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.SVCPostSend;
import org.tutti.rdma.SendWorkRequest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;

/** A call that posts sends. */
final class SendCall extends PostCall
{
    private final SVCPostSend call;

    private SendCall(final SVCPostSend call)
    {
        super(call, SendWorkRequest.SIZE);
        this.call = call;
    }

    @SuppressWarnings("JdkObsolete") // DiSNI takes no other list.
    static SendCall of(final IbvQP queuePair) throws IOException
    {
        final List<IbvSendWR> requests = new ArrayList<>(CAPACITY);
        for (int i = 0; i < CAPACITY; i++)
        {
            final IbvSendWR request = new IbvSendWR();
            request.setSg_list(new LinkedList<>());
            requests.add(request);
        }
        return new SendCall(queuePair.postSend(requests, null));
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
