/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.model;

import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;
import org.tutti.rdma.contract.LocalNode;
import org.tutti.rdma.contract.PeerProcess;
import org.tutti.rdma.contract.ShmFixture;

import java.util.List;

/**
 * Tests that random programs of verbs calls have the same effect on the shm provider as on the model. Failing
 * programs are printed as they are: shrinking them would continue on the threads that later tests need.
 */
class ShmModelTest
{
    private static final ShmFixture FIXTURE = new ShmFixture();
    private static final PeerProcess PEER = FIXTURE.startPeer();

    @AfterContainer
    static void shouldLeaveNothingBehind()
    {
        PEER.close();
        FIXTURE.close();
    }

    @Provide
    Arbitrary<List<Action>> programs()
    {
        return Action.programs(30);
    }

    @Property(tries = 150, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    void shouldMatchTheModel(
        @ForAll("programs") final List<Action> program, @ForAll final boolean isRnrForEver)
    {
        runWithinAProcess(program, isRnrForEver);
    }

    @Property(tries = 1500, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    @Tag("torture")
    void shouldMatchTheModelForLongPrograms(
        @ForAll("programs") final List<Action> program, @ForAll final boolean isRnrForEver)
    {
        runWithinAProcess(program, isRnrForEver);
    }

    private static void runWithinAProcess(final List<Action> program, final boolean isRnrForEver)
    {
        try (ProgramRunner runner =
            new ProgramRunner(new LocalNode(FIXTURE::open), new LocalNode(FIXTURE::open), isRnrForEver))
        {
            runner.run(program);
        }
    }

    @Property(tries = 30, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    void shouldMatchTheModelBetweenTwoProcesses(
        @ForAll("programs") final List<Action> program, @ForAll final boolean isRnrForEver)
    {
        try (ProgramRunner runner = new ProgramRunner(new LocalNode(FIXTURE::open), PEER.node(), isRnrForEver))
        {
            runner.run(program);
        }
    }

    @Example
    void shouldReadInlineDataOfAChainAfterEarlierReadsAndAtomicsComplete()
    {
        runWithinAProcess(Action.inlineWritesBehindFences(), false);
    }
}
