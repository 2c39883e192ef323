/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.util.List;
import java.util.Map;

import org.tutti.collectives.schedule.Collective;
import org.tutti.tools.report.Json;
import org.tutti.collectives.select.model.CostModel;
import org.tutti.tools.simulate.Prediction;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Predictions as JSON, described in docs/simulator.md. Versions are compatible: fields are added, never changed or
 * removed.
 */
final class SimulatedJson
{
    private static final int VERSION = 1;

    private final Collective collective;
    private final ModelOptions options;
    private final CostModel model;
    private final CommandSpec spec;

    SimulatedJson(
        final Collective collective, final ModelOptions options, final CostModel model, final CommandSpec spec)
    {
        this.collective = collective;
        this.options = options;
        this.model = model;
        this.spec = spec;
    }

    Map<String, Object> of(final List<Simulated> results, final List<Unavailable> unavailable)
    {
        final List<Integer> sizes = results.stream().map(Simulated::size).distinct().toList();
        return Json.object(
            "version", VERSION,
            "collective", ModelOptions.nameOf(collective),
            "type", options.type(spec).shortName(),
            "model", Json.object("name", options.modelName(), "values", model.values()),
            "seed", options.seed(),
            "perturbations", options.perturbations().strip(),
            "topologies", sizes.stream().map(size -> Json.object(
                "ranks", size, "name", options.topology(spec, size).toString(),
                "description", options.topology(spec, size).description())).toList(),
            "results", results.stream().map(SimulatedJson::result).toList(),
            "unavailable", unavailable.stream().map(each -> Json.object(
                "ranks", each.size(), "bytes", each.bytes(), "algorithm", each.refusal().algorithm(),
                "chosen", each.refusal().isChosen(), "reason", each.refusal().reason())).toList());
    }

    private static Map<String, Object> result(final Simulated result)
    {
        final Candidate candidate = result.candidate();
        final Prediction prediction = result.prediction();
        final Map<String, Object> map = Json.object(
            "ranks", result.size(), "bytes", candidate.bytes(), "algorithm", candidate.choice().algorithm().name(),
            "segment_bytes", candidate.segmentBytes(), "window", candidate.choice().window(),
            "chosen", candidate.isChosen(), "problem", result.problem());
        if (prediction != null)
        {
            map.putAll(Json.object(
                "time_us", result.timeUs(), "algbw_gbs", result.algBwGbs(), "method", prediction.method().toString(),
                "error", prediction.error(), "simulated_ranks", prediction.simulatedRanks(),
                "sends_per_rank", prediction.messages(), "bytes_per_rank", prediction.bytes()));
        }
        return map;
    }
}
