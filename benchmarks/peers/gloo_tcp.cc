/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * The measurements of `tutti perf` with Gloo over TCP, its only transport without RDMA, on this host. Starts its ranks.
 *
 *   gloo_tcp RANKS COLLECTIVE [options of perf_loop.h]
 *
 * Gloo has no such reduce_scatter and no scans, and Debian's version no gather and scatter with counts.
 */
#include "perf_loop.h"

#include <gloo/allgather.h>
#include <gloo/allgatherv.h>
#include <gloo/allreduce.h>
#include <gloo/alltoall.h>
#include <gloo/alltoallv.h>
#include <gloo/barrier.h>
#include <gloo/broadcast.h>
#include <gloo/config.h>
#include <gloo/gather.h>
#include <gloo/math.h>
#include <gloo/reduce.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/scatter.h>
#include <gloo/transport/tcp/device.h>

#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace
{
std::shared_ptr<gloo::rendezvous::Context> context;

int has(const enum perf_collective collective, const int in_place)
{
    switch (collective)
    {
        case PERF_ALLREDUCE:
        case PERF_REDUCE:
            return 1;
        case PERF_BROADCAST:
            return in_place;
        case PERF_ALLGATHER:
        case PERF_ALLGATHERV:
        case PERF_GATHER:
        case PERF_SCATTER:
        case PERF_ALLTOALL:
        case PERF_ALLTOALLV:
        case PERF_SENDRECV:
        case PERF_BARRIER:
            return !in_place;
        default:
            return 0;
    }
}

template<typename Options, void (*Call)(Options&)>
void call_often(Options& options, const int times)
{
    for (int i = 0; i < times; i++)
    {
        Call(options);
    }
}

template<typename Options>
void set_buffers(Options& options, const struct perf_call *call, const size_t in, const size_t out)
{
    if (!call->in_place)
    {
        options.setInput(call->input, in);
    }
    options.setOutput(call->output, out);
}

/* Counts of each rank's block in this rank's buffers. */
template<typename Length>
std::vector<Length> counts(const struct perf_call *call)
{
    std::vector<Length> lengths;
    for (int peer = 0; peer < call->ranks; peer++)
    {
        lengths.push_back(static_cast<Length>(perf_block(call, call->rank, peer)));
    }
    return lengths;
}

void exchange(const struct perf_call *call, const int times)
{
    const size_t length = call->count * sizeof(float);
    const auto to = context->createUnboundBuffer(call->input, length);
    const auto from = context->createUnboundBuffer(call->output, length);
    for (int i = 0; i < times; i++)
    {
        from->recv((call->rank + call->ranks - 1) % call->ranks, 1);
        to->send((call->rank + 1) % call->ranks, 1);
        to->waitSend();
        from->waitRecv();
    }
}

void repeat(struct perf *, const struct perf_call *call, const int times)
{
    const auto add = static_cast<void (*)(void *, const void *, const void *, size_t)>(&gloo::sum<float>);
    switch (call->collective)
    {
        case PERF_ALLREDUCE:
        {
            gloo::AllreduceOptions options(context);
            set_buffers(options, call, call->count, call->count);
            options.setReduceFunction(add);
            for (int i = 0; i < times; i++)
            {
                gloo::allreduce(options);
            }
            break;
        }
        case PERF_BROADCAST:
        {
            gloo::BroadcastOptions options(context);
            options.setOutput(call->output, call->count);
            options.setRoot(call->root);
            call_often<gloo::BroadcastOptions, gloo::broadcast>(options, times);
            break;
        }
        case PERF_REDUCE:
        {
            gloo::ReduceOptions options(context);
            set_buffers(options, call, call->count, call->count);
            options.setRoot(call->root);
            options.setReduceFunction(add);
            call_often<gloo::ReduceOptions, gloo::reduce>(options, times);
            break;
        }
        case PERF_ALLGATHER:
        {
            gloo::AllgatherOptions options(context);
            set_buffers(options, call, call->block, call->count);
            call_often<gloo::AllgatherOptions, gloo::allgather>(options, times);
            break;
        }
        case PERF_ALLGATHERV:
        {
            gloo::AllgathervOptions options(context);
            options.setInput(call->input, perf_block(call, call->rank, call->rank));
            options.setOutput(call->output, counts<size_t>(call));
            call_often<gloo::AllgathervOptions, gloo::allgatherv>(options, times);
            break;
        }
        case PERF_GATHER:
        {
            gloo::GatherOptions options(context);
            set_buffers(options, call, call->block, call->count);
            options.setRoot(call->root);
            call_often<gloo::GatherOptions, gloo::gather>(options, times);
            break;
        }
        case PERF_SCATTER:
        {
            gloo::ScatterOptions options(context);
            std::vector<float *> blocks;
            for (int peer = 0; peer < call->ranks; peer++)
            {
                blocks.push_back(call->input + perf_offset(call, call->rank, peer));
            }
            options.setInputs(blocks, call->block);
            options.setOutput(call->output, call->block);
            options.setRoot(call->root);
            call_often<gloo::ScatterOptions, gloo::scatter>(options, times);
            break;
        }
        case PERF_ALLTOALLV:
        {
            gloo::AlltoallvOptions options(context);
            options.setInput(call->input, counts<int64_t>(call));
            options.setOutput(call->output, counts<int64_t>(call));
            call_often<gloo::AlltoallvOptions, gloo::alltoallv>(options, times);
            break;
        }
        case PERF_ALLTOALL:
        {
            gloo::AlltoallOptions options(context);
            set_buffers(options, call, call->count, call->count);
            call_often<gloo::AlltoallOptions, gloo::alltoall>(options, times);
            break;
        }
        case PERF_SENDRECV:
            exchange(call, times);
            break;
        default:
        {
            gloo::BarrierOptions options(context);
            call_often<gloo::BarrierOptions, gloo::barrier>(options, times);
            break;
        }
    }
}

void sum(struct perf *, double *value)
{
    gloo::AllreduceOptions options(context);
    options.setOutput(value, 1);
    options.setReduceFunction(static_cast<void (*)(void *, const void *, const void *, size_t)>(&gloo::sum<double>));
    gloo::allreduce(options);
}

void barrier(struct perf *)
{
    gloo::BarrierOptions options(context);
    gloo::barrier(options);
}

int measure(struct perf& perf, const std::string& directory)
{
    std::vector<float> input(perf_length(&perf) / sizeof(float));
    std::vector<float> output(perf_length(&perf) / sizeof(float));
    perf.input = input.data();
    perf.output = output.data();
    try
    {
        gloo::rendezvous::FileStore store(directory);
        context = std::make_shared<gloo::rendezvous::Context>(perf.rank, perf.ranks);
        auto device = gloo::transport::tcp::CreateDevice(gloo::transport::tcp::attr("127.0.0.1"));
        context->connectFullMesh(store, device);
        return perf_main(&perf);
    }
    catch (const std::exception& problem)
    {
        fprintf(stderr, "gloo_tcp: rank %d: %s\n", perf.rank, problem.what());
        return 1;
    }
}
}

int main(int argc, char **argv)
{
    struct perf perf;
    memset(&perf, 0, sizeof perf);
    perf.program = "gloo_tcp";
    snprintf(perf.library, sizeof perf.library, "Gloo %d.%d.%d (TCP)",
        GLOO_VERSION_MAJOR, GLOO_VERSION_MINOR, GLOO_VERSION_PATCH);
    perf.has = has;
    perf.repeat = repeat;
    perf.sum = sum;
    perf.barrier = barrier;
    perf.ranks = argc > 1 ? atoi(argv[1]) : 0;
    const char *word = "";
    const char *const problem = perf.ranks < 1 ? "the number of ranks must be at least 1, followed by the collective" :
        perf_parse(&perf, argc - 1, argv + 1, &word);
    if (problem != nullptr)
    {
        fprintf(stderr, "gloo_tcp: %s%s%s\n", problem, *word == '\0' ? "" : ": ", word);
        return 2;
    }
    std::string directory = (std::filesystem::temp_directory_path() / "gloo_tcp.XXXXXX").string();
    if (mkdtemp(directory.data()) == nullptr)
    {
        perror("gloo_tcp: mkdtemp");
        return 1;
    }
    const pid_t parent = getpid();
    for (int rank = 1; rank < perf.ranks; rank++)
    {
        const pid_t pid = fork();
        if (pid == 0)
        {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            perf.rank = rank;
            _exit(getppid() == parent ? measure(perf, directory) : 1);
        }
        if (pid < 0)
        {
            perror("gloo_tcp: fork");
            return 1;
        }
    }
    int code = measure(perf, directory);
    int status;
    while (wait(&status) > 0)
    {
        code = code == 0 && status != 0 ? 1 : code;
    }
    std::filesystem::remove_all(directory);
    fflush(stdout);
    return code;
}
