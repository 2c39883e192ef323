/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

import org.tutti.collectives.schedule.Collective;
import org.tutti.tools.simulate.Prediction;
import org.tutti.tools.simulate.Topology;
import org.tutti.tools.report.Numbers;
import org.tutti.tools.report.Page;
import org.tutti.tools.report.Plot;
import org.tutti.tools.report.TimeUnits;
import picocli.CommandLine.Model.CommandSpec;

/** A self-contained HTML page with plots of predictions. */
final class SimulatedPage
{
    private static final String TEMPLATE = "simulate.html";
    private static final int COLOURS = 8;
    private static final double EXACT = 0.0001;

    private final Collective collective;
    private final ModelOptions options;
    private final CommandSpec spec;
    private final List<Simulated> results;
    private final List<Unavailable> unavailable;
    private final List<String> algorithms;

    SimulatedPage(
        final Collective collective, final ModelOptions options, final CommandSpec spec, final List<Simulated> results,
        final List<Unavailable> unavailable)
    {
        this.collective = collective;
        this.options = options;
        this.spec = spec;
        this.results = results;
        this.unavailable = unavailable;
        algorithms = results.stream().map(SimulatedPage::algorithm).distinct().toList();
    }

    /** Writes the page, with the timeline of one run. */
    String write(final Gantt gantt)
    {
        final Map<String, String> values = new LinkedHashMap<>();
        values.put("{title}", ModelOptions.nameOf(collective) + ", simulated");
        values.put("{about}", Page.escape(about()));
        values.put("{legend}", algorithms.stream().map(name -> "<li><span class=\"" + style(name) + "\"></span>" +
            name + "</li>").collect(Collectors.joining("\n")));
        values.put("{ranks}", choices(Simulated::size, Long::toString));
        values.put("{sizes}", choices(SimulatedPage::bytes, Numbers::size));
        values.put("{bySize}", plots("size", Simulated::size, SimulatedPage::bytes, Numbers::size));
        values.put("{byRanks}", plots("ranks", SimulatedPage::bytes, Simulated::size, Long::toString));
        values.put("{map}", ChoiceMap.of(results).section());
        values.put("{runText}", Page.escape(about(gantt)));
        values.put("{run}", GanttPlot.draw(gantt));
        values.put("{rows}", results.stream().map(SimulatedPage::row).collect(Collectors.joining("\n")));
        return Page.of(SimulatedPage.class, TEMPLATE, values);
    }

    private String about()
    {
        final Map<String, List<String>> places = new LinkedHashMap<>();
        results.stream().map(Simulated::size).distinct().forEach(size ->
        {
            final Topology topology = options.topology(spec, size);
            places.computeIfAbsent(topology + ": " + topology.description(), name -> new ArrayList<>())
                .add(Integer.toString(size));
        });
        return places.entrySet().stream().map(place -> String.join(", ", place.getValue()) + " ranks on " +
            place.getKey()).collect(Collectors.joining("; ")) + ". Elements: " + options.type(spec).shortName() +
            ". Cost model: " + options.modelName() + ". Seed: " + options.seed() + "." +
            (options.perturbations().isEmpty() ? "" : " With" + options.perturbations() + ".") +
            " Full dots mark the algorithm that a run uses." + Unavailable.lines(unavailable).stream()
            .map(line -> " " + Character.toUpperCase(line.charAt(0)) + line.substring(1) + ".")
            .collect(Collectors.joining());
    }

    private static String about(final Gantt gantt)
    {
        return gantt.candidate().choice().algorithm().name() + " of " + Numbers.size(gantt.candidate().bytes()) +
            " on " + gantt.slices().size() + " ranks, " + gantt.topology() + ": " +
            TimeUnits.time(gantt.prediction().seconds() * 1e6) + ". Segments of " +
            Numbers.size(gantt.candidate().segmentBytes()) + ", window " + gantt.candidate().choice().window() +
            ". One line per rank.";
    }

    private List<Long> distinct(final ToLongFunction<Simulated> part)
    {
        return results.stream().mapToLong(part).distinct().sorted().boxed().toList();
    }

    private String choices(final ToLongFunction<Simulated> part, final LongFunction<String> label)
    {
        final List<Long> values = distinct(part);
        return values.stream().map(value -> "<option value=\"" + value + "\"" +
            (value.equals(values.getLast()) ? " selected=\"selected\"" : "") + ">" + label.apply(value) + "</option>")
            .collect(Collectors.joining());
    }

    /** A plot for each selectable value; at first, the page shows the last plot only. */
    private String plots(
        final String name, final ToLongFunction<Simulated> chosen, final ToLongFunction<Simulated> horizontal,
        final LongFunction<String> label)
    {
        final Plot.Axes axes = new Plot.Axes("time against " + name, name, label, TimeUnits::time, true);
        final List<Long> values = distinct(chosen);
        return values.stream().map(value ->
        {
            final List<Plot.Series> series = algorithms.stream().map(algorithm -> series(algorithm, results.stream()
                .filter(result -> chosen.applyAsLong(result) == value && algorithm(result).equals(algorithm)).toList(),
                horizontal)).filter(each -> !each.points().isEmpty()).toList();
            return "<div class=\"plot\" data-value=\"" + value + "\"" +
                (value.equals(values.getLast()) ? "" : " hidden=\"hidden\"") + ">\n" +
                (series.isEmpty() ? "No predictions." : Plot.draw(axes, series)) + "</div>";
        }).collect(Collectors.joining("\n"));
    }

    private Plot.Series series(
        final String algorithm, final List<Simulated> of, final ToLongFunction<Simulated> horizontal)
    {
        // A logarithmic axis has no place for zero.
        final List<Plot.Point> points = of.stream()
            .filter(result -> result.prediction() != null && result.timeUs() > 0 && horizontal.applyAsLong(result) > 0)
            .sorted(Comparator.comparingLong(horizontal))
            .map(result -> point(horizontal.applyAsLong(result), result)).toList();
        return new Plot.Series(algorithm, "", style(algorithm), 0, false, points);
    }

    private static Plot.Point point(final long at, final Simulated result)
    {
        final double us = result.timeUs();
        return new Plot.Point(
            (double)at, us, us, us, result.candidate().isChosen() ? Plot.Dot.CHOSEN : Plot.Dot.HOLLOW);
    }

    private String style(final String algorithm)
    {
        final int index = algorithms.indexOf(algorithm);
        return "s" + index % COLOURS + (index < COLOURS ? "" : " dashed");
    }

    private static String row(final Simulated result)
    {
        final Candidate candidate = result.candidate();
        final List<String> cells = new ArrayList<>(List.of(
            Integer.toString(result.size()), Numbers.size(candidate.bytes()), algorithm(result),
            Numbers.size(candidate.segmentBytes()), Integer.toString(candidate.choice().window())));
        cells.addAll(result.prediction() == null ? List.of("", "", "", "", result.problem()) :
            predicted(result, result.prediction()));
        return (candidate.isChosen() ? "<tr class=\"chosen\">" : "<tr>") + cells.stream()
            .map(cell -> "<td>" + Page.escape(cell) + "</td>").collect(Collectors.joining()) + "</tr>";
    }

    private static List<String> predicted(final Simulated result, final Prediction prediction)
    {
        final boolean isCounted = !Double.isNaN(prediction.messages());
        return List.of(TimeUnits.time(result.timeUs()), Numbers.significant(result.algBwGbs()),
            isCounted ? String.format(Locale.ROOT, "%.1f", prediction.messages()) : "",
            isCounted ? Numbers.size(Math.round(prediction.bytes())) : "",
            prediction.method().toString().toLowerCase(Locale.ROOT).replace('_', ' ') + (prediction.error() > EXACT ?
            String.format(Locale.ROOT, " ±%.2f %%", 100 * prediction.error()) : ""));
    }

    private static String algorithm(final Simulated result)
    {
        return result.candidate().choice().algorithm().name();
    }

    private static long bytes(final Simulated result)
    {
        return result.candidate().bytes();
    }
}
