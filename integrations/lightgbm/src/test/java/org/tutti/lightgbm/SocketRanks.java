/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import com.microsoft.ml.lightgbm.lightgbmlib;
import io.github.metarank.lightgbm4j.LGBMBooster;
import io.github.metarank.lightgbm4j.LGBMDataset;

import org.tutti.collectives.LocalJob;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Trains over LightGBM's own network: threads of this process, connected by sockets. */
final class SocketRanks
{
    /** LightGBM's default: minutes for each message, and milliseconds until a connection is accepted. */
    private static final int TIMEOUT = 120;

    private SocketRanks()
    {
    }

    /**
     * Trains.
     *
     * @param ranks      number of ranks.
     * @param shards     data by rank.
     * @param parameters parameters without those of the network.
     * @param iterations number of trees.
     * @return models by rank.
     */
    static List<String> train(
        final int ranks, final List<Shard> shards, final String parameters, final int iterations)
    {
        return LocalJob.call(ranks, communicator ->
        {
            LightGbmLibrary.load(communicator);
            final int[] ports = new int[ranks];
            final int port;
            try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
            {
                port = free.getLocalPort();
            }
            // The ports of all ranks are closed again before a rank connects.
            communicator.allgather(new int[] {port}, ports);
            final String machines =
                Arrays.stream(ports).mapToObj(each -> "127.0.0.1:" + each).collect(Collectors.joining(","));
            assertEquals(
                0, lightgbmlib.LGBM_NetworkInit(machines, port, TIMEOUT, ranks), lightgbmlib::LGBM_GetLastError);
            final String all = parameters + " num_machines=" + ranks + " pre_partition=true";
            try (LGBMDataset dataset = shards.get(communicator.rank()).dataset(all);
                LGBMBooster booster = LGBMBooster.create(dataset, all))
            {
                for (int i = 0; i < iterations; i++)
                {
                    booster.updateOneIter();
                }
                communicator.barrier();
                return Shard.trees(booster);
            }
            finally
            {
                lightgbmlib.LGBM_NetworkFree();
            }
        });
    }
}
