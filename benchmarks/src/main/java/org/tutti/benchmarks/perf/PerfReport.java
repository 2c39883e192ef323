/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.HdrHistogram.Histogram;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataType;
import org.tutti.collectives.reduce.Reducers;
import org.tutti.tools.options.SizeSweep;
import org.tutti.tools.report.Json;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Header and JSON file of a run, which name the machine, ranks and options of its figures.
 *
 * @param config      configuration of the run.
 * @param environment environment of rank 0.
 * @param ranks       all ranks.
 * @param transport   transport, as {@link Communicator#transport()} names it.
 */
record PerfReport(PerfConfig config, Environment environment, List<RankInfo> ranks, String transport)
{
    private static final double[] PERCENTILES = { 50, 90, 99, 99.9, 100 };

    /**
     * Prints the header in the root locale, because programs that parse it may not understand the digits of the user's
     * locale.
     */
    void printHeader(final PrintStream out)
    {
        printTitle(out);
        final SizeSweep sizes = config.sizes();
        out.printf(Locale.ROOT,
            "# minBytes %d maxBytes %d step: %d(%s) warmup iters: %s iters: %s validation: %d%n",
            sizes.min(), sizes.max(), sizes.step() > 0 ? sizes.step() : sizes.factor(),
            sizes.step() > 0 ? "bytes" : "factor",
            config.untimed() < 0 ? "by size" : config.untimed(),
            config.iterations() == 0 ? "by size" : config.iterations(), config.check() ? 1 : 0);
        out.println("# time: mean of " + (config.mode() == Mode.NONBLOCKING ? "iterations, each" :
            "back-to-back iterations") + " after a barrier, " + switch (config.average())
        {
            case RANK_0 -> "on rank 0";
            case MEAN -> "averaged over ranks";
            case MIN -> "minimum over ranks";
            case MAX -> "maximum over ranks";
        });
        out.println("# " + config.warmUp().text() + ", each row timed " +
            (config.isRepeated() ? DisturbanceFilter.TIMES_TEXT : "once"));
        if (config.mode() != Mode.BLOCKING)
        {
            out.println("# mode: " + mode());
        }
        if (config.operation().isStream())
        {
            out.printf(Locale.ROOT, "# window: %d calls from one rank of each pair, then a signal and a flush; " +
                "time: per call%n", config.window());
        }
        printCounts(out);
        printEnvironment(out);
    }

    /** Prints the header of {@link FirstCallsRun}. */
    void printColdHeader(final PrintStream out)
    {
        printTitle(out);
        out.println("# first calls of a process that has just started: no warm-up, each timed once; " +
            "the first call includes waiting for ranks that start later");
        out.println("# total: all calls so far, maximum over ranks; mean: per call since the previous row");
        if (config.mode() != Mode.BLOCKING)
        {
            out.println("# mode: " + config.mode().label() +
                (config.mode() == Mode.PERSISTENT ? ", initialized before the clock starts" : ", started and awaited"));
        }
        printCounts(out);
        printEnvironment(out);
    }

    private void printCounts(final PrintStream out)
    {
        if (config.operation().hasCounts())
        {
            out.printf(Locale.ROOT, "# counts: %s: %s; count: longest block%n",
                config.counts().label(), config.counts().description());
        }
    }

    private void printTitle(final PrintStream out)
    {
        out.printf(Locale.ROOT, "# tutti perf %s, Tutti %s, commit %s%n",
            config.operation().label(), environment.version(), environment.commit());
    }

    private void printEnvironment(final PrintStream out)
    {
        out.printf(Locale.ROOT, "# jvm: %s; reduction kernels: %s%n",
            environment.jvm(), Reducers.vectorised() ? "Vector API" : "plain loops");
        out.printf(Locale.ROOT, "# host: %s, %d cores, %s%n",
            environment.cpu(), environment.cores(), environment.os());
        out.printf(Locale.ROOT, "#%n# Using transport %s%n", transport);
        for (final RankInfo rank : ranks)
        {
            out.printf(Locale.ROOT, "#  Rank %2d Pid %6d on %10s%n", rank.rank(), rank.pid(), rank.host());
        }
        out.println("#");
        out.flush();
    }

    private String mode()
    {
        return config.mode().label() + switch (config.mode())
        {
            case BLOCKING -> "";
            case PERSISTENT -> ": initialized once, then started and awaited in each iteration";
            case NONBLOCKING -> ": pure = start, wait; overall = start, compute for the pure time with " +
                config.tests() + " tests, wait";
            case OVERLAPPING -> ": " + config.requests() + " requests started, then all awaited; time: per request";
        };
    }

    void writeJson(final List<Row> rows) throws IOException
    {
        final Map<String, Object> report = commonFields();
        report.put("results", rows.stream().map(PerfReport::result).toList());
        report.put("out_of_bounds", PerfRun.wrong(rows));
        report.put("avg_busbw_gbs", PerfRun.averageBusBw(rows));
        Files.writeString(config.json(), Json.write(report));
    }

    /** Writes the results of {@link FirstCallsRun}. */
    void writeJson(final FirstCallsRun.Result result) throws IOException
    {
        final Map<String, Object> report = commonFields();
        report.put("first_calls", result.rows().stream().map(PerfReport::result).toList());
        report.put("out_of_bounds", result.wrong() == Measurement.UNCHECKED ? null : result.wrong());
        Files.writeString(config.json(), Json.write(report));
    }

    private Map<String, Object> commonFields()
    {
        return Json.object(
            "tool", "tutti perf",
            "collective", config.operation().label(),
            "transport", transport,
            "config", configuration(),
            "environment", environment.asMap(),
            "ranks", ranks.stream()
                .map(rank -> Json.object("rank", rank.rank(), "host", rank.host(), "pid", rank.pid())).toList());
    }

    private Map<String, Object> configuration()
    {
        return Json.object(
            "min_bytes", config.sizes().min(),
            "max_bytes", config.sizes().max(),
            "step_bytes", config.sizes().step(),
            "step_factor", config.sizes().factor(),
            "iters", config.iterations(),
            "warmup_iters", config.untimed(),
            "check", config.check(),
            "types", config.types().stream().map(DataType::shortName).toList(),
            "ops", config.ops().stream().map(PerfConfig::label).toList(),
            "root", config.root(),
            "average", config.average().ordinal(),
            "timeout_s", config.timeout() == null ? null : config.timeout().toSeconds(),
            "percentiles", config.percentiles(),
            "mode", config.mode().label(),
            "tests", config.tests(),
            "window", config.operation().isStream() ? config.window() : null,
            "counts", config.operation().hasCounts() ? config.counts().label() : null);
    }

    private static Map<String, Object> result(final Row row)
    {
        return Json.object(
            "size", row.size(), "count", row.count(), "type", row.type(), "redop", row.op(), "root", row.root(),
            "out_of_place", half(row.outOfPlace()), "in_place", half(row.inPlace()));
    }

    private static Map<String, Object> result(final FirstCallsRow row)
    {
        final RowWorkload of = row.of();
        return Json.object(
            "size", of.size(), "count", of.count(), "type", of.type(), "redop", of.op(), "root", of.root(),
            "calls", row.calls(), "total_us", row.totalUs(), "mean_us", row.meanUs());
    }

    private static Map<String, Object> half(final Measurement half)
    {
        if (half == null)
        {
            return null;
        }
        final Map<String, Object> map = Json.object(
            "time_us", half.timeUs(), "algbw_gbs", half.algBw(), "busbw_gbs", half.busBw(),
            "wrong", half.wrong() == Measurement.UNCHECKED ? null : half.wrong(), "lost_percent", 100 * half.lost());
        if (half.overlap() != null)
        {
            map.put("overlap", Json.object(
                "overall_us", half.overlap().overallUs(), "compute_us", half.overlap().computeUs(),
                "pure_us", half.overlap().pureUs(), "overlap_percent", half.overlap().percent()));
        }
        if (half.histogram() != null)
        {
            map.put("percentiles_us", percentiles(half.histogram()));
        }
        return map;
    }

    private static Map<String, Object> percentiles(final Histogram histogram)
    {
        final Map<String, Object> map = Json.object("min", histogram.getMinValue() / 1e3);
        for (final double percentile : PERCENTILES)
        {
            map.put(percentile == 100 ? "max" : "p" + (percentile + "").replaceFirst("\\.0$", ""),
                histogram.getValueAtPercentile(percentile) / 1e3);
        }
        return map;
    }
}
