/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import org.tutti.tools.report.Json;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A machine-readable report with all runs. Versions are compatible: fields are added, never changed or removed. */
final class SuiteJson
{
    private static final int VERSION = 1;

    private SuiteJson()
    {
    }

    static String write(final SuiteReport report)
    {
        return Json.write(Json.object(
            "version", VERSION,
            "tool", "tutti bench",
            "command", report.command(),
            "is_whole", report.missing() == null,
            "missing", report.missing(),
            "cases", report.cases().stream().map(SuiteJson::of).toList()));
    }

    private static Map<String, Object> of(final CaseResult result)
    {
        final Case of = result.of();
        final Conditions conditions = result.conditions();
        return Json.object(
            "collective", of.operation().label(),
            "form", of.form(),
            "ranks", of.ranks(),
            "bind", of.bind(),
            "wire", of.wire().option(),
            "options", of.options(),
            "date", conditions.date(),
            "commit", conditions.commit(),
            "jvm", conditions.jvm(),
            "host", conditions.host(),
            "core_to_core_ns", result.coreToCoreNs(),
            "rounds", result.rounds(),
            "rows", result.rows().entrySet().stream().map(row -> row(of, row.getKey(), row.getValue())).toList(),
            "samples", result.samples().stream().map(SuiteJson::sample).toList());
    }

    private static Map<String, Object> row(final Case of, final long size, final Map<String, Figure> figures)
    {
        final List<Map<String, Object>> list = figures.entrySet().stream().map(entry -> Json.object(
            "program", entry.getKey(),
            "time_us", entry.getValue().medianUs(),
            "min_us", entry.getValue().minUs(),
            "max_us", entry.getValue().maxUs(),
            "busbw_gbs", of.busGbs(size, entry.getValue().medianUs()),
            "by_tutti", CaseResult.ratio(figures, entry.getKey()))).toList();
        return Json.object(of.isCold() ? "calls" : "size_bytes", size, "figures", list);
    }

    private static Map<String, Object> sample(final Sample sample)
    {
        final Map<String, Object> times = new TreeMap<>((left, right) -> Long.compare(
            Long.parseLong(left), Long.parseLong(right)));
        sample.timesUs().forEach((size, us) -> times.put(Long.toString(size), us));
        return Json.object(
            "round", sample.round(), "program", sample.peer(), "core_to_core_ns", sample.coreToCoreNs(),
            "time_us", times);
    }
}
