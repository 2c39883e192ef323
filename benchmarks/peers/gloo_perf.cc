/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Times Gloo's allreduce_ring_chunked of floats over its ibverbs transport, with rendezvous in a directory. Rank 0
 * prints "bytes microseconds" for each size: the mean of back-to-back calls after a barrier. Every rank checks the sums.
 *
 *   gloo_perf -r RANK -n RANKS -D DIRECTORY [-d DEVICE] [-x GID_INDEX] [-i ITERATIONS] SIZE ...
 */
#include <gloo/allreduce_ring_chunked.h>
#include <gloo/barrier_all_to_all.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/ibverbs/device.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>
#include <vector>

namespace
{
using Clock = std::chrono::steady_clock;

double microseconds(const Clock::time_point start)
{
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

int usage()
{
    fprintf(stderr, "gloo_perf -r RANK -n RANKS -D DIRECTORY [-d DEVICE] [-x GID_INDEX] [-i ITERATIONS] SIZE ...\n");
    return 2;
}

bool measure(
    const std::shared_ptr<gloo::Context>& context, const int rank, const int ranks, const long bytes,
    const int iterations)
{
    const int count = static_cast<int>(bytes / static_cast<long>(sizeof(float)));
    std::vector<float> data(static_cast<size_t>(count));
    gloo::AllreduceRingChunked<float> allreduce(context, { data.data() }, count);
    gloo::BarrierAllToAll barrier(context);

    for (int i = 0; i < count; i++)
    {
        data[static_cast<size_t>(i)] = static_cast<float>(rank + i % 100);
    }
    allreduce.run();
    for (int i = 0; i < count; i++)
    {
        const int sum = ranks * (ranks - 1) / 2 + ranks * (i % 100);
        if (data[static_cast<size_t>(i)] != static_cast<float>(sum))
        {
            fprintf(stderr, "rank %d: element %d of %ld bytes is wrong\n", rank, i, bytes);
            return false;
        }
        data[static_cast<size_t>(i)] = 0;
    }
    for (int i = 0; i < iterations / 5; i++)
    {
        allreduce.run();
    }
    barrier.run();
    const auto start = Clock::now();
    for (int i = 0; i < iterations; i++)
    {
        allreduce.run();
    }
    const double us = microseconds(start) / iterations;
    if (rank == 0)
    {
        printf("%ld %.2f\n", bytes, us);
        fflush(stdout);
    }
    return true;
}
}

int main(int argc, char **argv)
{
    int rank = -1, ranks = 0, iterations = 0, option;
    std::string directory;
    gloo::transport::ibverbs::attr attributes{ "", 1, 0 };
    while ((option = getopt(argc, argv, "r:n:D:d:x:i:")) != -1)
    {
        switch (option)
        {
            case 'r': rank = atoi(optarg); break;
            case 'n': ranks = atoi(optarg); break;
            case 'D': directory = optarg; break;
            case 'd': attributes.name = optarg; break;
            case 'x': attributes.index = atoi(optarg); break;
            case 'i': iterations = atoi(optarg); break;
            default: return usage();
        }
    }
    if (rank < 0 || rank >= ranks || directory.empty() || optind == argc)
    {
        return usage();
    }

    auto device = gloo::transport::ibverbs::CreateDevice(attributes);
    gloo::rendezvous::FileStore store(directory);
    auto context = std::make_shared<gloo::rendezvous::Context>(rank, ranks);
    context->connectFullMesh(store, device);
    for (; optind < argc; optind++)
    {
        const long bytes = atol(argv[optind]);
        // A few seconds of calls: on an emulated host Gloo takes about 1 ms plus 25 ns per byte.
        const int chosen = static_cast<int>(3e9 / (1e6 + 25.0 * static_cast<double>(bytes)));
        if (!measure(context, rank, ranks, bytes, iterations > 0 ? iterations : std::max(20, chosen)))
        {
            return 1;
        }
    }
    return 0;
}
