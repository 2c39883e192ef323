/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.tutti.launcher.ByteSize;
import org.tutti.collectives.ConfigurationException;
import org.tutti.collectives.select.model.CostModel;
import org.tutti.collectives.select.model.CostModelFile;
import org.tutti.collectives.select.model.WireKind;
import org.tutti.launcher.ToolCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tutti calibrate}: fits the cost model of a wire to measured times, and reports the errors. */
@Command(
    name = "calibrate",
    mixinStandardHelpOptions = true,
    description = "Fits the cost model of a wire to measured times, and reports the errors.",
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
        "  benchmarks/simulator/measure >measured.csv",
        "  tutti calibrate measured.csv --fit 2 -o shm.model",
        "  tutti simulate allreduce -np 8 --topology host --model shm.model",
        "  TUTTI_TRANSPORT=tcp benchmarks/simulator/measure >tcp.csv",
        "  tutti calibrate tcp.csv --wire tcp --from shm.model -o tcp.model",
        "  tutti calibrate tcp.csv --check tcp.model",
        "  TUTTI_MODEL=tcp.model tutti run --host a,b -np 16 perf allreduce",
        "",
        "Lines of the file are collective,algorithm,ranks,bytes,microseconds. See docs/tuning.md."})
public final class CalibrateCommand implements ToolCommand
{
    private static final int ELEMENT_SIZE = 4;
    private static final String CORES = "host.cores";

    @Parameters(index = "0", paramLabel = "FILE", description = "File of measured times.")
    private Path file;

    @Option(names = "--fit", paramLabel = "RANKS", defaultValue = "2",
        description = "Fits to the times of this number of ranks, then predicts all times (default: ${DEFAULT-VALUE}).")
    private int fittedRanks;

    @Option(names = "--wire", paramLabel = "NAME", defaultValue = "shm",
        description = "Wire that was measured: shm, tcp or verbs (default: ${DEFAULT-VALUE}). Other wires keep the " +
            "shipped parameters.")
    private String wireName;

    @Option(names = "--cores", paramLabel = "N",
        description = "Processors of a host (default: those of this one; with another wire than shm, those that the " +
            "file of --from states).")
    private Integer cores;

    @Option(names = "--model", paramLabel = "NAME=VALUE[,...]", split = ",",
        description = "Initial values, and values that are not fitted.")
    private Map<String, Double> values = Map.of();

    @Option(names = "--from", paramLabel = "FILE",
        description = "Model to start from, with which the times were measured (TUTTI_MODEL); its values of other " +
            "wires are kept (default: the shipped one).")
    private Path from;

    @Option(names = "--check", paramLabel = "FILE",
        description = "Fits nothing: predicts all times, measured with TUTTI_MODEL=FILE, by the model in FILE, and " +
            "reports the errors.")
    private Path checked;

    @Option(names = { "-o", "--output" }, paramLabel = "FILE",
        description = "Writes the model to FILE, for TUTTI_MODEL and tutti simulate --model.")
    private Path output;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException
    {
        if (checked != null)
        {
            check();
            return 0;
        }
        final WireKind wire = wire();
        final CostModelFile base = from == null ? null : file("--from", from);
        final WireKind across = wire == WireKind.SHM && base != null && base.wire() != null ? base.wire() : wire;
        final CostModel start;
        final CostModel model;
        final List<Calibration.Measured> rows;
        try
        {
            start = CostModelFile.model(base, WireKind.SHM, across).with(Map.of(CORES, processors(wire, base)))
                .with(values);
            rows = read(wire, start);
            final List<Calibration.Measured> fitted =
                rows.stream().filter(row -> row.ranks() == fittedRanks).toList();
            if (fitted.isEmpty())
            {
                throw new IllegalArgumentException("--fit=" + fittedRanks + ": " + file + " has no such line");
            }
            model = Calibration.fit(wire, start, fitted, ELEMENT_SIZE);
        }
        catch (final IllegalArgumentException e)
        {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        final PrintWriter out = spec.commandLine().getOut();
        print(out, wire, rows, model, start, fittedRanks);
        final Map<String, Double> written = new LinkedHashMap<>(model.values());
        final String other = wire == WireKind.SHM ? "network." : "host.";
        written.keySet().removeIf(name -> name.startsWith(other) && !isGiven(name, base));
        final String text = CostModelFile.text(across == WireKind.SHM ? null : across, written);
        out.print(text);
        if (output != null)
        {
            Files.writeString(output, text);
        }
        out.flush();
        return 0;
    }

    /** Returns the number of processors of a host: times over a wire may be measured by another host than this one. */
    private double processors(final WireKind wire, final CostModelFile base)
    {
        final Double known = wire == WireKind.SHM || base == null ? null : base.values().get(CORES);
        return cores != null ? cores : known != null ? known : Runtime.getRuntime().availableProcessors();
    }

    /** Whether the user gave a value of a wire that was not measured; the number of processors is of no wire. */
    private boolean isGiven(final String name, final CostModelFile base)
    {
        return name.equals(CORES) || values.containsKey(name) || (base != null && base.values().containsKey(name));
    }

    private void check()
    {
        for (final String excluded : List.of("--fit", "--wire", "--cores", "--model", "--from", "--output"))
        {
            if (spec.commandLine().getParseResult().hasMatchedOption(excluded))
            {
                throw ModelOptions.wrong(spec, "--check and " + excluded + " exclude each other: the model's file " +
                    "states the wire, and nothing is fitted");
            }
        }
        final CostModelFile file = file("--check", checked);
        final WireKind wire = file.wire() == null ? WireKind.SHM : file.wire();
        final PrintWriter out = spec.commandLine().getOut();
        final CostModel model = CostModelFile.model(file, WireKind.SHM, wire);
        print(out, wire, read(wire, model), model, model, 0);
        out.flush();
    }

    private CostModelFile file(final String option, final Path path)
    {
        try
        {
            return CostModelFile.read(path);
        }
        catch (final ConfigurationException e)
        {
            throw new ParameterException(spec.commandLine(), option + "=" + e.getMessage(), e);
        }
    }

    private WireKind wire()
    {
        try
        {
            return WireKind.named(wireName);
        }
        catch (final IllegalArgumentException e)
        {
            throw new ParameterException(spec.commandLine(), "--wire=" + wireName + ": " + e.getMessage(), e);
        }
    }

    private void print(
        final PrintWriter out, final WireKind wire, final List<Calibration.Measured> rows, final CostModel model,
        final CostModel run, final int fittedNumber)
    {
        final List<List<String>> table = new ArrayList<>();
        table.add(List.of("COLLECTIVE", "ALGORITHM", "RANKS", "SIZE", "MEASURED/US", "PREDICTED/US", "ERROR/%"));
        final List<Double> fitted = new ArrayList<>();
        final List<Double> others = new ArrayList<>();
        for (final Calibration.Measured row : rows)
        {
            final double predicted = Calibration.predictUs(model, run, wire, row, ELEMENT_SIZE);
            final double error = predicted / row.timeUs() - 1;
            (row.ranks() == fittedNumber ? fitted : others).add(Math.max(predicted / row.timeUs(),
                row.timeUs() / predicted));
            table.add(List.of(ModelOptions.nameOf(row.collective()), row.algorithm(), Integer.toString(row.ranks()),
                new ByteSize(row.bytes()).toString(), number(row.timeUs()), number(predicted),
                String.format(Locale.ROOT, "%+.0f", 100 * error)));
        }
        Columns.print(out, "", table, 2, 3, 4, 5, 6);
        summarise(out, fittedNumber + " ranks, fitted", fitted);
        summarise(out, fittedNumber == 0 ? "predicted" : "other ranks, predicted", others);
    }

    private static void summarise(final PrintWriter out, final String what, final List<Double> factors)
    {
        if (!factors.isEmpty())
        {
            final List<Double> sorted = factors.stream().sorted().toList();
            out.printf(Locale.ROOT, "# %s: error factor %.2f median, %.2f maximum, of %d times%n", what,
                sorted.get(sorted.size() / 2), sorted.getLast(), sorted.size());
        }
    }

    private static String number(final double us)
    {
        return String.format(Locale.ROOT, us < 100 ? "%.2f" : "%.0f", us);
    }

    private List<Calibration.Measured> read(final WireKind wire, final CostModel run)
    {
        try
        {
            return new MeasuredTimes(file, wire, run, ELEMENT_SIZE).read();
        }
        catch (final IllegalArgumentException e)
        {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
