/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.tutti.bootstrap.Coordinator;
import org.tutti.bootstrap.ProcessState;
import org.tutti.bootstrap.RankFailure;
import org.tutti.launcher.agent.AgentMessage;
import org.tutti.launcher.host.Binding;
import org.tutti.launcher.host.RankPlacement;
import org.tutti.launcher.io.Console;
import org.tutti.launcher.rank.ProgramSpec;

/**
 * Tests which failure is reported, which ranks are notified, and which get a grace period, for given orders of events.
 */
class JobControlTest implements Coordinator
{
    private final BlockingQueue<JobEvent> events = new LinkedBlockingQueue<>();
    private final List<String> calls = new ArrayList<>();
    /** The immediate reactions of ranks to messages. */
    private final Map<String, Runnable> reactions = new HashMap<>();

    /** The coordinator's verdict on ranks that exit. */
    private final Map<Integer, RankFailure> exits = new HashMap<>();

    @Test
    void shouldFailWhenLastRankExitsWithoutLeaving() throws InterruptedException
    {
        exits.put(1, new RankFailure(1, "here", 11, "exited with code 0 without leaving the job"));
        ended(0, 10, 0);
        ended(1, 11, 0);
        final JobControl control = control(2);

        assertEquals(1, exitCode(control));
        assertEquals("tutti: rank 1 on here (pid 11) failed: exited with code 0 without leaving the job",
            control.outcome().report(""));
    }

    @Test
    void shouldReportRankThatFailedFirstAtCoordinator() throws InterruptedException
    {
        // Rank 1 aborted the job and has yet to end; rank 0 was notified, and ends first.
        events.add(new JobEvent.Joined(0));
        events.add(new JobEvent.Joined(1));
        events.add(new JobEvent.Failed(new RankFailure(1, "here", 11, "out of patience")));
        ended(0, 10, 1);
        ended(1, 11, 42);
        events.add(new JobEvent.AgentSaid("here", new AgentMessage.LastOutput(1, List.of("enough"))));
        final JobControl control = control(2);

        assertEquals(42, exitCode(control));
        assertEquals("tutti: rank 1 on here (pid 11) failed: out of patience\ntutti: its last output:\n    enough",
            control.outcome().report(""));
    }

    @Test
    void shouldReportReasonOfAbortWhenItArrivesAfterTheExit() throws InterruptedException
    {
        exits.put(1, new RankFailure(1, "here", 11, "aborted: out of patience"));
        ended(1, 11, 42);
        final JobControl control = control(2);
        reactions.put("TERM to 0", () -> ended(0, 10, 143));

        assertEquals(42, exitCode(control));
        assertEquals("tutti: rank 1 on here (pid 11) failed: aborted: out of patience", control.outcome().report(""));
    }

    @Test
    void shouldGiveJoinedRanksGracePeriodToReportFailure() throws InterruptedException
    {
        events.add(new JobEvent.Joined(0));
        events.add(new JobEvent.Joined(1));
        ended(1, 11, 137);
        // Long enough that the end of rank 2 is seen within it, on a loaded host too.
        final JobControl control = control(3, TimeUnit.SECONDS.toNanos(2));
        reactions.put("TERM to 2", () -> ended(2, 12, 143));
        reactions.put("KILL to 0", () -> ended(0, 10, 137));

        assertEquals(137, exitCode(control));
        // Rank 2 never joined and so got no notification; rank 0 got it, but did not end.
        assertEquals(List.of("failed 1: killed by SIGKILL", "TERM to 2", "TERM to 0", "KILL to 0"), calls);
        assertTrue(control.outcome().report("").startsWith("tutti: rank 1 on here (pid 11) failed: killed by SIGKILL"));
    }

    @Test
    void shouldFailWhenRankCannotBeStarted() throws InterruptedException
    {
        events.add(new JobEvent.AgentSaid("here", new AgentMessage.NotStarted(0, "no memory")));
        ended(1, 11, 0);
        final JobControl control = control(2);

        assertEquals(1, exitCode(control));
        assertEquals("tutti: rank 0 on here failed: could not be started: no memory", control.outcome().report(""));
    }

    @Test
    void shouldEndRanksOfOtherHostsWhenAgentIsLost() throws InterruptedException
    {
        events.add(new JobEvent.AgentLost("there", "no heartbeat"));
        final JobControl control = control(3, TimeUnit.MINUTES.toNanos(1));
        reactions.put("TERM to 0", () -> ended(0, 10, 143));
        reactions.put("TERM to 1", () -> ended(1, 11, 143));

        assertEquals(1, exitCode(control));
        assertEquals(List.of("abort: lost there with rank 2: no heartbeat", "TERM to 0", "TERM to 1"), calls);
    }

    @Test
    void shouldStopWaitingForSlowReaderOnSignal() throws InterruptedException
    {
        ended(0, 10, 0);
        final JobControl control = control(1);
        control.awaitEnd();

        final int code = control.awaitOutput(timeoutMs ->
        {
            events.add(new JobEvent.Signalled("INT", 2));
            return false;
        });

        assertEquals(128 + 2, code);
    }

    @Test
    void shouldFailWhenHostIsLostBeforeItsOutputArrived() throws InterruptedException
    {
        ended(0, 10, 0);
        final JobControl control = control(1);
        control.awaitEnd();

        final int code = control.awaitOutput(timeoutMs ->
            events.add(new JobEvent.AgentLost("there", "the connection ended")));

        assertEquals(1, code);
        assertEquals("tutti: the job was ended: lost there, and possibly output of its ranks: the connection ended",
            control.outcome().report(""));
    }

    @Test
    void shouldFailWhenReaperIsKilledAfterLastRankEnded() throws InterruptedException
    {
        ended(0, 10, 0);
        events.add(new JobEvent.ReaperLost("here", "it was killed"));
        final JobControl control = control(1);

        assertEquals(1, exitCode(control));
        assertEquals("tutti: the job was ended: it was killed", control.outcome().report(""));
    }

    @Test
    void shouldAllowRestartWhenRankOrHostFailed() throws InterruptedException
    {
        ended(1, 11, 3);
        ended(0, 10, 143);
        final JobControl rank = control(2);
        assertEquals(3, exitCode(rank));
        assertTrue(rank.outcome().isRestartable());
        assertEquals(Set.of(), rank.outcome().lostHosts());

        events.add(new JobEvent.AgentLost("there", "no heartbeat"));
        ended(0, 10, 143);
        final JobControl host = control(2);
        assertEquals(1, exitCode(host));
        assertTrue(host.outcome().isRestartable());
        assertEquals(Set.of("there"), host.outcome().lostHosts());
        assertEquals("tutti: the job was ended: lost there with rank 1: no heartbeat; restart 1 of 1",
            host.outcome().report("; restart 1 of 1"));
    }

    @Test
    void shouldNotAllowRestartWhenJobSucceededOrRankCannotBeStartedOrUserEndedIt() throws InterruptedException
    {
        ended(0, 10, 0);
        final JobControl success = control(1);
        assertEquals(0, exitCode(success));
        assertFalse(success.outcome().isRestartable());

        events.add(new JobEvent.AgentSaid("here", new AgentMessage.NotStarted(0, "no such program")));
        final JobControl command = control(1);
        assertEquals(1, exitCode(command));
        assertFalse(command.outcome().isRestartable());

        ended(1, 11, 3);
        events.add(new JobEvent.Signalled("INT", 2));
        ended(0, 10, 130);
        final JobControl user = control(2);
        assertEquals(3, exitCode(user));
        assertFalse(user.outcome().isRestartable());
    }

    private static int exitCode(final JobControl control) throws InterruptedException
    {
        control.awaitEnd();
        return control.awaitOutput(timeoutMs -> true);
    }

    /** Creates the control of a job with a short grace period. */
    private JobControl control(final int size)
    {
        return control(size, TimeUnit.MILLISECONDS.toNanos(50));
    }

    private JobControl control(final int size, final long graceNs)
    {
        final JobSpec spec = new JobSpec(new JobSpec.Where(RankPlacement.local(size), null, null, null),
            List.of(new JobSpec.Section(
                size, new ProgramSpec(ProgramSpec.Kind.EXECUTABLE, "", List.of(), List.of("true")), Map.of())),
            new JobSpec.Output(false, false, null, shown(size)), new Binding(Binding.Unit.NONE, false),
            TimeUnit.MINUTES.toNanos(1), graceNs, true, false);
        final JobControl.RankHosts hosts = new JobControl.RankHosts()
        {
            @Override
            public String name(final int rank)
            {
                return rank == size - 1 ? "there" : "here";
            }

            @Override
            public void send(final int rank, final AgentMessage message)
            {
                final String words = ((AgentMessage.Signal)message).signal() + " to " + rank;
                calls.add(words);
                reactions.getOrDefault(words, () -> {}).run();
            }
        };
        return new JobControl(
            spec, events, hosts, this, new StartupTimes(System.nanoTime()), new Console(false, false), 0);
    }

    private static BitSet shown(final int size)
    {
        final BitSet shown = new BitSet();
        shown.set(0, size);
        return shown;
    }

    private void ended(final int rank, final long pid, final int code)
    {
        events.add(new JobEvent.AgentSaid("here", new AgentMessage.Ended(rank, pid, code)));
    }

    @Override
    public int size()
    {
        return 0;
    }

    @Override
    public String jobName()
    {
        return "";
    }

    @Override
    public String secret()
    {
        return "";
    }

    @Override
    public String address()
    {
        return null;
    }

    @Override
    public String addressReason()
    {
        return "";
    }

    @Override
    public int port()
    {
        return 0;
    }

    @Override
    public RankFailure rankFailed(final RankFailure failure)
    {
        calls.add("failed " + failure.rank() + ": " + failure.cause());
        return exits.getOrDefault(failure.rank(), failure);
    }

    @Override
    public RankFailure rankExited(final int rank)
    {
        calls.add("exited " + rank);
        return exits.get(rank);
    }

    @Override
    public void abort(final String cause)
    {
        calls.add("abort: " + cause);
    }

    @Override
    public void processState(final int rank, final long pid, final ProcessState state)
    {
        calls.add("rank " + rank + " " + state.words());
    }

    @Override
    public RankFailure failure()
    {
        return null;
    }

    @Override
    public void close()
    {
        // Nothing to close.
    }
}
