/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import ai.djl.ndarray.NDArray;

import org.tutti.collectives.Communicator;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import static java.util.Objects.requireNonNull;

/**
 * Finds out why a reduced gradient is not finite, from the gradients of each rank. Those that are finite may have been
 * replaced.
 */
final class GradientProblems
{
    private GradientProblems()
    {
    }

    /**
     * Describes the problem. Collective.
     *
     * @param communicator the ranks.
     * @param parameters   the trained parameters.
     * @param loss         this rank's loss that is not finite, or null if all were.
     * @param reduced      parameter whose reduced gradient is not finite; null if there is none.
     * @param wire         how gradients travelled.
     * @return exception for all ranks to throw.
     */
    static DistributedTrainingException find(final Communicator communicator, final List<TrainedParameter> parameters,
        final Float loss, final TrainedParameter reduced, final WireType wire)
    {
        final String own = loss != null ? "loss is " + loss : describe(parameters);
        final List<String> all = RankTexts.gather(communicator, own);
        final Map<String, List<Integer>> ranks = RankTexts.group(all);
        if (ranks.isEmpty())
        {
            return new DistributedTrainingException("reduced gradient of parameter " + requireNonNull(reduced).name() +
                " exceeds the range of " + wire + ", but that of each rank is finite: " +
                (wire == WireType.FLOAT16 ? "use WireType.BFLOAT16, or scale the loss down" : "scale the loss down"),
                IntStream.range(0, communicator.size()).boxed().toList());
        }
        final List<String> parts = new ArrayList<>();
        ranks.forEach((text, on) -> parts.add(text + " on " + RankTexts.name(on)));
        return new DistributedTrainingException(
            String.join("; ", parts) + ": no rank has changed its parameters",
            RankTexts.all(ranks.values()));
    }

    private static String describe(final List<TrainedParameter> parameters)
    {
        for (final TrainedParameter parameter : parameters)
        {
            final MemorySegment gradient = parameter.gradient();
            if (gradient == null)
            {
                return describeMissing(parameter);
            }
            for (long i = 0; i < parameter.count(); i++)
            {
                if (!Floats.areFinite(gradient, i, 1))
                {
                    return "gradient of parameter " + parameter.name() + " is not finite at element " + i;
                }
            }
        }
        return "";
    }

    private static String describeMissing(final TrainedParameter parameter)
    {
        try (NDArray gradient = parameter.array().getGradient())
        {
            if (gradient.isSparse())
            {
                return "gradient of parameter " + parameter.name() + " is sparse, which is not supported,";
            }
            // For a gradient that does not exist, DJL returns zeros.
            return isZero(gradient) ?
                "parameter " + parameter.name() + " has no gradient (the loss does not depend on it: use it in " +
                    "forward, or freeze it on all ranks)" :
                "gradient of parameter " + parameter.name() + " is not contiguous, which is not supported,";
        }
    }

    private static boolean isZero(final NDArray array)
    {
        for (final float value : array.toFloatArray())
        {
            if (value != 0)
            {
                return false;
            }
        }
        return true;
    }
}
