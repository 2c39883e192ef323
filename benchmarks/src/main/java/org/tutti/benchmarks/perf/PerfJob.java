/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.Communicator;
import org.tutti.launcher.JobCommand;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** Measures one collective: what {@code perf allreduce} and its like do. */
abstract class PerfJob implements JobCommand
{
    private static final int FAILURE = 1;
    private static final int USAGE = 2;

    private final Operation operation;

    @Spec
    private CommandSpec spec;

    @Mixin
    private PerfOptions options;

    PerfJob(final Operation operation)
    {
        this.operation = operation;
    }

    @Override
    public final void check(final int size)
    {
        requireRoot(config(), size);
        requirePeers(size);
    }

    @Override
    public final Integer call()
    {
        final PerfConfig config = config();
        try (Communicator world = Communicator.world())
        {
            final Communicator communicator =
                config.timeout() == null ? world : world.withTimeout(config.timeout());
            if (communicator.rank() == 0)
            {
                requireRoot(config, communicator.size());
                requirePeers(communicator.size());
            }
            return config.root() < communicator.size() && operation.fits(communicator.size()) ?
                run(config, communicator, options.jfr(), System.out) : USAGE;
        }
    }

    /**
     * Measures and reports while the flight recorder runs, if it shall.
     *
     * @param jfr directory of the ranks' recordings, or null.
     * @return as {@link #run(PerfConfig, Communicator, PrintStream)}.
     */
    static int run(final PerfConfig config, final Communicator communicator, final Path jfr, final PrintStream out)
    {
        if (jfr == null)
        {
            return run(config, communicator, out);
        }
        final FlightRecording recording;
        try
        {
            recording = FlightRecording.start(jfr, communicator.rank());
        }
        catch (final IOException e)
        {
            System.err.println("perf: --jfr=" + jfr + " cannot be written: " + e);
            return FAILURE;
        }
        final int code = run(config, communicator, out);
        recording.stop();
        if (communicator.rank() == 0)
        {
            out.println("# Flight recordings    : " + FlightRecording.file(jfr, 0) +
                ", and one of each other rank beside it");
        }
        return code;
    }

    /** What the command line asks for. */
    final PerfConfig config()
    {
        return options.conclude(operation, spec);
    }

    /**
     * Measures and reports, on all ranks together.
     *
     * @param config       what.
     * @param communicator of the ranks; stays the caller's.
     * @param out          where rank 0 prints.
     * @return this rank's exit code: 1 if any rank saw wrong data, as far as this one knows.
     */
    static int run(final PerfConfig config, final Communicator communicator, final PrintStream out)
    {
        final List<RankInfo> ranks = RankInfo.gather(communicator);
        final PerfReport report = communicator.rank() == 0 ?
            new PerfReport(config, Environment.current(), ranks, communicator.transport()) : null;
        if (report != null)
        {
            report.printHeader(out);
        }
        final List<Row> rows = new PerfRun(config, communicator, out).run();
        if (report != null && config.json() != null)
        {
            try
            {
                report.writeJson(rows);
            }
            catch (final IOException e)
            {
                System.err.println("perf: --json=" + config.json() + " cannot be written: " + e);
                return FAILURE;
            }
        }
        return PerfRun.wrong(rows) == 0 ? 0 : FAILURE;
    }

    private void requirePeers(final int size)
    {
        if (size < operation.minSize())
        {
            throw new ParameterException(spec.commandLine(), "-np " + size + ": " + spec.name() +
                " needs at least " + operation.minSize() + " ranks");
        }
        if (!operation.fits(size))
        {
            throw new ParameterException(spec.commandLine(), "-np " + size + ": " + spec.name() +
                " needs an even number of ranks, each of the first half and one of the other");
        }
    }

    private void requireRoot(final PerfConfig config, final int size)
    {
        if (config.root() >= size)
        {
            throw new ParameterException(spec.commandLine(),
                "-r=" + config.root() + ": must be a rank, from 0 to " + (size - 1));
        }
    }
}
