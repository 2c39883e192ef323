/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.DataType;
import ai.djl.nn.Parameter;
import ai.djl.nn.Block;
import ai.djl.util.Pair;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The parameters of a model in the model's order, which must be the same on all ranks. */
final class ModelParameters
{
    private static final long HASH_FACTOR = 0x9E37_79B9_7F4A_7C15L;

    private final Communicator communicator;
    private final List<Pair<String, Parameter>> parameters = new ArrayList<>();

    /**
     * Creates the list of a model's parameters.
     *
     * @param communicator the ranks.
     * @param block        the model's block, initialized.
     */
    ModelParameters(final Communicator communicator, final Block block)
    {
        this.communicator = communicator;
        block.getParameters().forEach(parameters::add);
    }

    /**
     * Checks that all ranks have the same parameters and options. Collective.
     *
     * @param options description of this rank's options.
     * @throws DistributedTrainingException on all ranks if they differ, or a parameter is not supported.
     */
    void requireSame(final String options)
    {
        final List<String> lines = new ArrayList<>();
        lines.add("options " + options);
        parameters.forEach(pair -> lines.add(describe(pair)));
        final List<List<String>> all = RankTexts.gather(communicator, String.join("\n", lines)).stream()
            .map(text -> Arrays.asList(text.split("\n", -1))).toList();
        requireSameLine(all, 0, "options differ between ranks: ", ": give all ranks the same options");
        final TreeMap<Integer, List<Integer>> counts = new TreeMap<>();
        for (int rank = 0; rank < all.size(); rank++)
        {
            counts.computeIfAbsent(all.get(rank).size() - 1, count -> new ArrayList<>()).add(rank);
        }
        final int fewest = counts.firstKey();
        for (int i = 1; i <= fewest; i++)
        {
            requireSameLine(all, i, "parameter " + (i - 1) + " differs between ranks: ",
                ": build the same model on all ranks");
        }
        if (counts.size() > 1)
        {
            final List<String> parts = new ArrayList<>();
            counts.forEach((count, ranks) -> parts.add(count + " on " + RankTexts.name(ranks)));
            throw new DistributedTrainingException("numbers of parameters differ between ranks: " +
                String.join(", ", parts) + ": build the same model on all ranks", RankTexts.minority(counts.values()));
        }
        requireSupported();
    }

    private static void requireSameLine(
        final List<List<String>> all, final int line, final String before, final String fix)
    {
        final Map<String, List<Integer>> groups =
            RankTexts.group(all.stream().map(lines -> lines.get(line)).toList());
        if (groups.size() > 1)
        {
            throw new DistributedTrainingException(
                before + list(groups) + fix, RankTexts.minority(groups.values()));
        }
    }

    private static String list(final Map<String, List<Integer>> groups)
    {
        return groups.entrySet().stream()
            .map(group -> "'" + group.getKey() + "' on " + RankTexts.name(group.getValue()))
            .collect(Collectors.joining(", "));
    }

    private static String describe(final Pair<String, Parameter> pair)
    {
        final Parameter parameter = pair.getValue();
        if (!parameter.isInitialized())
        {
            return pair.getKey() + " without value";
        }
        final NDArray array = parameter.getArray();
        return pair.getKey() + " " + array.getShape() + " " + array.getDataType() +
            (parameter.requiresGradient() ? "" : " frozen");
    }

    /** All ranks have equal descriptions, so that all throw or none. */
    private void requireSupported()
    {
        final List<Integer> all = IntStream.range(0, communicator.size()).boxed().toList();
        for (final Pair<String, Parameter> pair : parameters)
        {
            final Parameter parameter = pair.getValue();
            if (!parameter.isInitialized())
            {
                throw new DistributedTrainingException("parameter " + pair.getKey() +
                    " has no value on " + RankTexts.name(all) + ": initialize all parameters", all);
            }
            final NDArray array = parameter.getArray();
            final long bytes = array.getShape().size() * array.getDataType().getNumOfBytes();
            if (bytes < 1 || bytes > Integer.MAX_VALUE)
            {
                throw new DistributedTrainingException("parameter " + pair.getKey() + " has " + bytes +
                    " bytes: must be from 1 to " + Integer.MAX_VALUE + ", the limit of DJL's buffers: split it", all);
            }
            if (parameter.requiresGradient() && array.getDataType() != DataType.FLOAT32)
            {
                throw new DistributedTrainingException("parameter " + pair.getKey() + " is " + array.getDataType() +
                    ": gradients must be FLOAT32: train with DataType.FLOAT32, and choose a WireType", all);
            }
            if (HostMemory.of(array) == null)
            {
                throw new DistributedTrainingException("parameter " + pair.getKey() + " on " + array.getDevice() +
                    " is not in contiguous host memory: train on Device.cpu()", all);
            }
        }
        if (parameters.stream().noneMatch(pair -> pair.getValue().requiresGradient()))
        {
            throw new DistributedTrainingException("all " + parameters.size() + " parameters of the model are frozen " +
                "on " + RankTexts.name(all) + ": unfreeze those to train by Block.freezeParameters(false)", all);
        }
    }

    /** Copies all values of rank 0 to all ranks. Collective. */
    void broadcast()
    {
        for (final Pair<String, Parameter> pair : parameters)
        {
            final MemorySegment memory = HostMemory.of(pair.getValue().getArray());
            communicator.broadcast(memory, memory.byteSize(), org.tutti.collectives.DataType.INT8, 0);
        }
    }

    /**
     * Averages running statistics over all ranks. Collective.
     *
     * @throws DistributedTrainingException on all ranks if a value of some rank is not finite; all are unchanged then.
     */
    void averageStatistics()
    {
        final List<Pair<String, Parameter>> statistics =
            parameters.stream().filter(pair -> isStatistics(pair.getValue())).toList();
        RankTexts.requireNone(communicator, "cannot average running statistics",
            statistics.stream().filter(pair -> !isFinite(pair.getValue())).findFirst()
                .map(pair -> pair.getKey() + " is not finite").orElse(""),
            "check inputs before the forward pass, which has changed the statistics", null);
        for (final Pair<String, Parameter> pair : statistics)
        {
            final MemorySegment memory = HostMemory.of(pair.getValue().getArray());
            communicator.allreduce(memory, memory, memory.byteSize() / Float.BYTES,
                org.tutti.collectives.DataType.FLOAT32, ReduceOp.AVG);
        }
    }

    private static boolean isStatistics(final Parameter parameter)
    {
        return switch (parameter.getType())
        {
            case RUNNING_MEAN, RUNNING_VAR -> parameter.getArray().getDataType() == DataType.FLOAT32;
            default -> false;
        };
    }

    private static boolean isFinite(final Parameter parameter)
    {
        final MemorySegment memory = HostMemory.of(parameter.getArray());
        return Floats.areFinite(memory, 0, memory.byteSize() / Float.BYTES);
    }

    /**
     * Checks that trained parameters are bitwise equal on all ranks. Collective.
     *
     * @throws DistributedTrainingException on all ranks if they differ.
     */
    void requireEqualValues()
    {
        final Map<String, List<Integer>> groups =
            RankTexts.group(RankTexts.gather(communicator, Long.toHexString(fingerprint(Parameter::requiresGradient))));
        if (groups.size() > 1)
        {
            throw new DistributedTrainingException("values of parameters differ between ranks: hash " + list(groups) +
                ": give the optimizers of all ranks the same settings, and change parameters on all ranks alike",
                RankTexts.minority(groups.values()));
        }
    }

    /**
     * Returns the parameters that have gradients.
     *
     * @return parameters in the model's order.
     */
    List<TrainedParameter> trained()
    {
        return parameters.stream().filter(pair -> pair.getValue().requiresGradient())
            .map(pair -> new TrainedParameter(pair.getKey(), pair.getValue().getArray())).toList();
    }

    /**
     * Hashes the values of all parameters.
     *
     * @return hash of every bit, in order.
     */
    long fingerprint()
    {
        return fingerprint(parameter -> true);
    }

    private long fingerprint(final Predicate<Parameter> included)
    {
        long hash = HASH_FACTOR;
        for (final Pair<String, Parameter> pair : parameters)
        {
            if (included.test(pair.getValue()))
            {
                hash = hash(HostMemory.of(pair.getValue().getArray()), hash);
            }
        }
        return hash;
    }

    private static long hash(final MemorySegment memory, final long seed)
    {
        final long whole = memory.byteSize() & -Long.BYTES;
        long hash = seed;
        for (long i = 0; i < whole; i += Long.BYTES)
        {
            hash = hash(hash, memory.get(ValueLayout.JAVA_LONG_UNALIGNED, i));
        }
        for (long i = whole; i < memory.byteSize(); i++)
        {
            hash = hash(hash, memory.get(ValueLayout.JAVA_BYTE, i));
        }
        return hash;
    }

    private static long hash(final long hash, final long value)
    {
        return Long.rotateLeft((hash ^ value) * HASH_FACTOR, 31);
    }
}
