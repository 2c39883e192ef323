/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs a plan case by case, with interleaved peers so that background load affects all alike, until each peer has
 * enough runs at a core-to-core latency near the lowest one, or the maximum number of rounds is reached. Not
 * thread-safe.
 */
final class SuiteRun
{
    private static final LoopbackTraffic LOOPBACK = LoopbackTraffic.ofHost();

    private final SuitePlan plan;
    private final Commands commands;
    private final CoreLatency distance;
    private final Progress progress;
    private final Conditions conditions;
    private final Consumer<CaseResult> sink;

    /**
     * Creates a run of a plan.
     *
     * @param sink receives each completed case, and each partial case in which Tutti and another peer have a run.
     */
    SuiteRun(
        final SuitePlan plan, final Commands commands, final CoreLatency distance, final Progress progress,
        final Conditions conditions, final Consumer<CaseResult> sink)
    {
        this.plan = plan;
        this.commands = commands;
        this.distance = distance;
        this.progress = progress;
        this.conditions = conditions;
        this.sink = sink;
    }

    /**
     * Runs the plan. If a run fails, the rest of its case is skipped, and the other cases still run.
     *
     * @return null if the results are complete, else the reason why some are missing.
     */
    String run()
    {
        final List<String> missing = new ArrayList<>();
        boolean isInterrupted = false;
        for (final Case each : plan.cases())
        {
            if (isInterrupted)
            {
                break;
            }
            final List<Sample> samples = new ArrayList<>();
            try
            {
                run(each, samples);
            }
            catch (final InterruptedException ex)
            {
                isInterrupted = true;
                missing.add("interrupted");
            }
            catch (final SuiteException ex)
            {
                missing.add(each.title() + ": " + ex.getMessage());
            }
            progress.clear();
            if (samples.stream().map(Sample::peer).distinct().count() > 1 &&
                Sample.count(samples, CaseResult.TUTTI) > 0)
            {
                sink.accept(CaseResult.of(each, conditions, samples));
            }
        }
        return missing.isEmpty() ? null : String.join("\n", missing);
    }

    private void run(final Case of, final List<Sample> samples) throws InterruptedException
    {
        for (int round = 0; round < plan.mostRounds() && !isDone(samples); round++)
        {
            final List<Peer> order = plan.order(of, round);
            progress.add(round < plan.rounds() ? 0 : order.size());
            for (final Peer each : order)
            {
                progress.begin(of.title() + ", round " + (round + 1) + ": " + each.name());
                final long start = System.nanoTime();
                samples.add(sample(of, round + 1, each));
                progress.end(Duration.ofNanos(System.nanoTime() - start));
            }
        }
    }

    private boolean isDone(final List<Sample> samples)
    {
        final List<Sample> near = Sample.near(samples);
        return !samples.isEmpty() && samples.stream().map(Sample::peer).distinct()
            .allMatch(peer -> Sample.count(near, peer) >= plan.rounds());
    }

    private Sample sample(final Case of, final int round, final Peer peer) throws InterruptedException
    {
        final boolean isTcp = of.wire() == Wire.TCP;
        final long trafficBefore = isTcp ? LOOPBACK.bytes() : 0;
        final int before = distance.measureNs();
        final String output = commands.run(peer.command(of, plan.sizes(of)));
        final int after = distance.measureNs();
        final PeerOutput reading;
        try
        {
            reading = peer.read(of, output);
        }
        catch (final SuiteException ex)
        {
            throw new SuiteException(ex.getMessage() + "\n" + Commands.lastLines(output), ex);
        }
        if (isTcp)
        {
            LOOPBACK.require(peer.name(), of, reading.timesUs(), trafficBefore);
        }
        return new Sample(round, reading.label(), Math.max(before, after), reading.timesUs());
    }
}
