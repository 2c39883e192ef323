/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.Communicator;
import org.tutti.launcher.JobCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** Measures one operation: {@code perf allreduce} and the like. */
@Command(mixinStandardHelpOptions = true)
class PerfJob implements JobCommand
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
                record(config, options.jfr(), communicator, System.out, options.isCold()) : USAGE;
        }
    }

    /**
     * Measures and reports, with flight recordings if requested.
     *
     * @param jfr    directory of the ranks' recordings, or null for none.
     * @param isCold whether to measure the first calls.
     * @return this rank's exit code, as of {@link #run(PerfConfig, Communicator, PrintStream)}.
     */
    static int record(
        final PerfConfig config, final Path jfr, final Communicator communicator, final PrintStream out,
        final boolean isCold)
    {
        if (jfr == null)
        {
            return isCold ? runCold(config, communicator, out) : run(config, communicator, out);
        }
        final FlightRecording recording;
        try
        {
            recording = FlightRecording.start(jfr, communicator.rank());
        }
        catch (final IOException e)
        {
            System.err.println("perf: --jfr=" + jfr + ": cannot write: " + e);
            return FAILURE;
        }
        final int code = isCold ? runCold(config, communicator, out) : run(config, communicator, out);
        recording.stop();
        if (communicator.rank() == 0)
        {
            out.println("# Flight recordings    : " + FlightRecording.file(jfr, 0) +
                ", and one per other rank in the same directory");
        }
        return code;
    }

    /** Validates the options. */
    final PerfConfig config()
    {
        return options.conclude(operation, spec);
    }

    /**
     * Measures and reports, on all ranks together.
     *
     * @param config       config of the run.
     * @param communicator communicator of the ranks; the caller keeps ownership.
     * @param out          stream that rank 0 prints to.
     * @return this rank's exit code: 1 if this rank found wrong data, learned that another rank did, or cannot write
     *     the JSON file; else 0.
     */
    static int run(final PerfConfig config, final Communicator communicator, final PrintStream out)
    {
        final PerfReport report = report(config, communicator);
        if (report != null)
        {
            report.printHeader(out);
        }
        final List<Row> rows = new PerfRun(config, communicator, out).run();
        final boolean isWritten = report == null || isWritten(config, () -> report.writeJson(rows));
        return isWritten && PerfRun.wrong(rows) == 0 ? 0 : FAILURE;
    }

    /**
     * As {@link #run(PerfConfig, Communicator, PrintStream)}, but measures first calls. The data for the header is
     * gathered afterwards, because gathering is itself a call.
     */
    static int runCold(final PerfConfig config, final Communicator communicator, final PrintStream out)
    {
        final FirstCallsRun.Result result = new FirstCallsRun(config, communicator).run();
        final PerfReport report = report(config, communicator);
        if (report != null)
        {
            report.printColdHeader(out);
            out.println(ResultTable.coldHeader());
            result.rows().forEach(row -> out.println(ResultTable.row(row)));
            out.println(ResultTable.coldFooter(result.wrong()));
            out.flush();
        }
        final boolean isWritten = report == null || isWritten(config, () -> report.writeJson(result));
        return isWritten && result.wrong() <= 0 ? 0 : FAILURE;
    }

    /** The report on rank 0; null on the other ranks. */
    private static PerfReport report(final PerfConfig config, final Communicator communicator)
    {
        final List<RankInfo> ranks = RankInfo.gather(communicator);
        return communicator.rank() == 0 ?
            new PerfReport(config, Environment.current(), ranks, communicator.transport()) : null;
    }

    /** An action that writes a file. */
    private interface Writing
    {
        void run() throws IOException;
    }

    private static boolean isWritten(final PerfConfig config, final Writing writing)
    {
        try
        {
            if (config.json() != null)
            {
                writing.run();
            }
            return true;
        }
        catch (final IOException e)
        {
            System.err.println("perf: --json=" + config.json() + ": cannot write: " + e);
            return false;
        }
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
                " needs an even number of ranks: it pairs the first half with the second");
        }
    }

    private void requireRoot(final PerfConfig config, final int size)
    {
        if (config.root() >= size)
        {
            throw new ParameterException(spec.commandLine(),
                "-r=" + config.root() + ": must be a rank from 0 to " + (size - 1));
        }
    }
}
