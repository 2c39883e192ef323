/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.LocalJob;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Ranks are threads of this process, with the same engine and transport as processes. */
class TrainerTest
{
    private static final int HIDDEN = 128;
    private static final long SEED = 1;

    private record Result(List<EpochReport> epochs, long fingerprint, boolean inStep)
    {
    }

    @TempDir
    private Path directory;

    static List<Integer> sizes()
    {
        return Boolean.getBoolean("tutti.test.torture") ? List.of(2, 3, 4) : List.of(3);
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldTrainAlikeOnAnyNumberOfRanks(final int size) throws Exception
    {
        // 50 images cannot be divided equally by 3 and 4 ranks.
        assertLearnsTheSame(2, 50, Digits.training(null), Digits.heldOut(null), size);
    }

    @Test
    @Tag("torture")
    void shouldTrainAlikeOnOneAndThreeRanksWhenStepsAreMany() throws Exception
    {
        // Rounding differs with the number of ranks; the difference must not grow, as it did with a discontinuous
        // slope.
        final Result alone = assertLearnsTheSame(8, 64, Digits.training(null), Digits.heldOut(null), 3);

        assertTrue(alone.epochs().getLast().accuracy() > 0.95, alone.toString());
    }

    @Test
    void shouldTrainWhenSomeRanksHaveNoImages() throws Exception
    {
        Files.write(directory.resolve("train-images-idx3-ubyte"), Idx.images(7, 28, 28));
        Files.write(directory.resolve("train-labels-idx1-ubyte"), Idx.labels(0, 1, 2, 3, 4, 5, 6));
        final Digits digits = Digits.training(directory);

        // Batches of 2, 2, 2 and 1 images, on 3 ranks.
        assertLearnsTheSame(3, 2, digits, digits, 3);
    }

    /** Bit for bit, although the other ranks begin with different parameters. */
    @Test
    void shouldContinueFromStateOfRankZeroInTheMiddleOfAnEpoch() throws Exception
    {
        final Digits digits = Digits.training(null);
        final CheckpointFile file = new CheckpointFile(
            directory.resolve("state"), new CheckpointFile.Settings(SEED, 400, 0.1f, digits.count()));
        final List<Result> whole = LocalJob.call(2, (world) -> continued(world, file, 0, 23));

        final List<Result> rest = LocalJob.call(2, (world) -> continued(world, file, 20, 0));

        for (int rank = 0; rank < 2; rank++)
        {
            assertEquals(whole.get(rank).fingerprint(), rest.get(rank).fingerprint());
            assertEquals(whole.get(rank).epochs().getLast().loss(), rest.get(rank).epochs().getLast().loss());
        }
    }

    /** Trains for two epochs of 20 steps; writes the state after a step, or continues from it. */
    private static Result continued(
        final Communicator world, final CheckpointFile file, final int from, final int write)
    {
        final Digits training = Digits.training(null);
        final Network network = new Network(HIDDEN, 200);
        network.initialise(SEED + world.rank() + from);
        try (Trainer trainer = new Trainer(world, network, 400, 0.1f, SEED))
        {
            if (from > 0)
            {
                trainer.resume(world.rank() == 0 ? file.read(network.parameters()) : null);
                assertEquals(23, trainer.steps());
            }
            trainer.afterStep((steps) ->
            {
                if (world.rank() == 0 && steps == write)
                {
                    file.write(trainer.state());
                }
            });
            final List<EpochReport> reports = new ArrayList<>();
            for (int epoch = 1 + from / 20; epoch <= 2; epoch++)
            {
                reports.add(trainer.epoch(epoch, training, Digits.heldOut(null)));
            }
            return new Result(reports, Rows.fingerprint(network.parameters()), trainer.inStep());
        }
    }

    @Test
    void shouldDetectRankWithDifferentParameters() throws Exception
    {
        final List<Boolean> inStep = LocalJob.call(2, (world) ->
        {
            final Network network = new Network(HIDDEN, 1);
            try (Trainer trainer = new Trainer(world, network, 1, 0.1f, SEED))
            {
                if (world.rank() == 1)
                {
                    network.parameters()[3][1] = Math.nextUp(network.parameters()[3][1]);
                }
                return trainer.inStep();
            }
        });

        inStep.forEach((same) -> assertFalse(same));
    }

    private static Result assertLearnsTheSame(
        final int epochs, final int batch, final Digits training, final Digits heldOut, final int size)
        throws Exception
    {
        final Result alone = LocalJob.call(1, (world) -> train(world, epochs, batch, training, heldOut)).getFirst();
        final List<Result> together = LocalJob.call(size, (world) -> train(world, epochs, batch, training, heldOut));

        for (final Result result : together)
        {
            assertTrue(result.inStep());
            assertEquals(together.getFirst().fingerprint(), result.fingerprint());
            for (int i = 0; i < epochs; i++)
            {
                final EpochReport expected = alone.epochs().get(i);
                assertEquals(expected.loss(), result.epochs().get(i).loss(), 1e-4 * expected.loss(), "epoch " + i);
                assertEquals(expected.accuracy(), result.epochs().get(i).accuracy(), 0.003, "epoch " + i);
            }
        }
        return alone;
    }

    private static Result train(
        final Communicator world, final int epochs, final int batch, final Digits training, final Digits heldOut)
    {
        final Network network = new Network(HIDDEN, Math.ceilDiv(batch, world.size()));
        // Each rank draws different weights: only those that rank 0 broadcasts matter.
        network.initialise(SEED + world.rank());
        try (Trainer trainer = new Trainer(world, network, batch, 0.1f, SEED))
        {
            final List<EpochReport> reports = new ArrayList<>();
            for (int epoch = 1; epoch <= epochs; epoch++)
            {
                reports.add(trainer.epoch(epoch, training, heldOut));
            }
            return new Result(reports, Rows.fingerprint(network.parameters()), trainer.inStep());
        }
    }
}
