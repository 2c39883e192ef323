/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import io.github.metarank.lightgbm4j.LGBMBooster;
import io.github.metarank.lightgbm4j.LGBMDataset;

import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.JoinOptions;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A process that trains until an exchange fails, prints the error, and then trains alone. */
final class TrainingRank
{
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private TrainingRank()
    {
    }

    /**
     * Runs a rank.
     *
     * @param arguments coordinator's address and secret, rank and number of ranks.
     */
    public static void main(final String[] arguments) throws Exception
    {
        final int rank = Integer.parseInt(arguments[2]);
        final Shard shard = new Shard(rank);
        try (Communicator communicator = Communicator.join(JoinOptions.of(rank, Integer.parseInt(arguments[3]))
            .coordinator(arguments[0]).secret(arguments[1]).joinTimeout(TIMEOUT).timeout(TIMEOUT));
            LightGbmNetwork network = TuttiLightGbm.network(communicator))
        {
            final String parameters = network.parameters(Shard.PARAMETERS);
            try (LGBMDataset dataset = network.call(() -> shard.dataset(parameters)))
            {
                while (true)
                {
                    try (LGBMBooster booster = network.call(() -> LGBMBooster.create(dataset, parameters)))
                    {
                        for (int i = 0; i < 50; i++)
                        {
                            network.call(booster::updateOneIter);
                        }
                    }
                    System.out.println("trained");
                }
            }
        }
        catch (final CollectiveException ex)
        {
            System.out.println("error: " + ex.getMessage());
        }
        try (LGBMDataset dataset = shard.dataset(Shard.PARAMETERS);
            LGBMBooster booster = LGBMBooster.create(dataset, Shard.PARAMETERS))
        {
            booster.updateOneIter();
            System.out.println("alive: " + Shard.trees(booster).contains("Tree=0"));
        }
    }

    static Process start(final String... arguments) throws IOException
    {
        return start(Map.of(), arguments);
    }

    /** Starts a rank with additional environment variables. */
    static Process start(final Map<String, String> environment, final String... arguments) throws IOException
    {
        final ProcessBuilder builder = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "@" + Path.of(System.getProperty("tutti.root"), "jvm.options"),
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
            "-cp", System.getProperty("java.class.path"), TrainingRank.class.getName()).redirectErrorStream(true);
        builder.command().addAll(List.of(arguments));
        builder.environment().putAll(environment);
        return builder.start();
    }
}
