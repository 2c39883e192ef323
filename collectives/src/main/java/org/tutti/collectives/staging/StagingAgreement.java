/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.staging;

import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.endpoint.CallDescription;
import org.tutti.collectives.exec.CollectiveCall;
import org.tutti.collectives.exec.Plan;
import org.tutti.collectives.progress.Session;
import org.tutti.collectives.schedule.Collective;
import org.tutti.rdma.memory.RegisteredBuffer;

/**
 * Finds out, before a long call, whether any rank stages it: an allreduce of one word. Each rank chooses its memory for
 * itself, so ranks cannot know it otherwise, and all must make the same calls. Not thread-safe; allocates nothing for a
 * call like the one before.
 */
final class StagingAgreement
{
    private final Session session;
    private final CollectiveCall question = new CollectiveCall();
    private Plan plan;

    StagingAgreement(final Session session)
    {
        this.session = session;
    }

    /**
     * Exchanges the kinds of memory.
     *
     * @param call   long call that all ranks are about to make.
     * @param stages whether this rank stages it.
     * @return whether any rank stages it; the same on all ranks.
     */
    boolean isStaged(final CollectiveCall call, final boolean stages)
    {
        final RegisteredBuffer word = session.staging().word();
        word.buffer().putInt(0, stages ? 1 : 0);
        question.of(Collective.ALLREDUCE).op(ReduceOp.MAX).shape(DataType.INT32, 1, null, null).memory(word, word);
        session.begin(question.plan(plan(call)));
        session.complete(question);
        return word.buffer().getInt(0) != 0;
    }

    /** Returns a plan that bears the description of the long call, so that errors name that call. */
    private Plan plan(final CollectiveCall call)
    {
        if (plan == null || !describes(call))
        {
            final Plan known = plan == null ? session.plans().ofExchange(question) : plan;
            plan = known.describedAs(CallDescription.ofAgreement(
                call.collective(), call.type(), call.op(), count(call), call.root()));
        }
        return plan;
    }

    private boolean describes(final CollectiveCall call)
    {
        final CallDescription described = plan.call();
        return described.collective() == call.collective() && described.count() == count(call) &&
            described.root() == call.root() && described.type().equals(call.type().shortName()) &&
            described.op().equals(call.op() == null ? "" : call.op().shortName());
    }

    private static long count(final CollectiveCall call)
    {
        return call.blocks() == null ? call.count() :
            call.blocks().isUniform() ? call.blocks().longest() : call.blocks().total();
    }
}
