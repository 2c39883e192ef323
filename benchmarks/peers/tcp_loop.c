/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * Least time of a collective of two ranks over TCP on this host. Two processes, each on its own core, move the bytes that
 * each rank must send to the other, over one connection, in two ways:
 *
 *   half trip  half the round trip of a message of these bytes: no result can depend on the peer's input earlier
 *   both ways  both stream these bytes at once, back to back: no library can move them faster at both ends
 *
 * The longer of both counts. Waiting processes spin on reads that do not block. Nothing is reduced or copied, so large
 * reductions take longer.
 *
 *   tcp_loop COLLECTIVE [options of perf_loop.h]
 */
#define _GNU_SOURCE
#include "cores.h"
#include "perf_loop.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RANKS = 2, POLLS = 200, LEAST_STREAM = 1 << 16 };

/* Bytes of a write while streaming. The fastest counts. */
static const size_t WRITES[] = {128 << 10, 1 << 20};
enum { WRITE_LENGTHS = sizeof WRITES / sizeof *WRITES };

static int connection;
static int crowded;
/* Whether the current measurement is of a message that goes back and forth. */
static int trips;
static char *outgoing;
static char *incoming;

static void fail(const char *what)
{
    fprintf(stderr, "tcp_loop: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* Bytes that a call must move from a rank to the other. */
static size_t bytes_from(const struct perf_call *call, int rank)
{
    const int peer = 1 - rank;
    size_t count = call->count;
    switch (perf_even(call->collective))
    {
        case PERF_BARRIER:
            return 1;
        case PERF_BROADCAST:
        case PERF_REDUCE:
            count = (rank == call->root) == (call->collective == PERF_BROADCAST) ? count : 0;
            break;
        case PERF_SCAN:
        case PERF_EXSCAN:
            count = rank == 0 ? count : 0;
            break;
        case PERF_ALLGATHER:
            count = perf_block(call, rank, rank);
            break;
        case PERF_GATHER:
            count = rank == call->root ? 0 : perf_block(call, rank, rank);
            break;
        case PERF_SCATTER:
            count = rank == call->root ? perf_block(call, rank, peer) : 0;
            break;
        case PERF_REDUCE_SCATTER:
        case PERF_ALLTOALL:
            count = perf_block(call, rank, peer);
            break;
        default:
            /* An allreduce needs as many bytes each way as it has, however it is divided. */
            break;
    }
    return count * sizeof(float);
}

/* Result of a read or write that did not block: the number of bytes, 0 if it would have blocked. */
static size_t moved(ssize_t result, const char *what)
{
    if (result > 0)
    {
        return (size_t)result;
    }
    if (result == 0)
    {
        fprintf(stderr, "tcp_loop: the other process has ended\n");
        exit(1);
    }
    if (errno != EAGAIN && errno != EINTR)
    {
        fail(what);
    }
    if (crowded)
    {
        static int polls;
        if (++polls % POLLS == 0)
        {
            sched_yield();
        }
    }
    return 0;
}

static void write_all(const void *from, size_t length)
{
    for (size_t done = 0; done < length;)
    {
        done += moved(write(connection, (const char *)from + done, length - done), "write");
    }
}

static void read_all(void *to, size_t length)
{
    for (size_t done = 0; done < length;)
    {
        done += moved(read(connection, (char *)to + done, length - done), "read");
    }
}

static void go_and_return(int rank, size_t length)
{
    if (rank == 0)
    {
        write_all(outgoing, length);
        read_all(incoming, length);
    }
    else
    {
        read_all(incoming, length);
        write_all(outgoing, length);
    }
}

/* Bytes of the part of a buffer that a stream uses over and over: short messages share a write. */
static size_t ring(size_t length)
{
    return length == 0 || length >= LEAST_STREAM ? length : LEAST_STREAM / length * length;
}

/* Bytes of the next read or write, which ends where the buffer does. */
static size_t next(size_t done, size_t total, size_t of_ring, size_t most)
{
    const size_t left = total - done;
    const size_t until_end = of_ring - done % of_ring;
    const size_t length = left < until_end ? left : until_end;
    return length < most ? length : most;
}

static void stream(size_t sent, size_t received, size_t times, size_t most)
{
    const size_t all_sent = sent * times;
    const size_t all_received = received * times;
    const size_t from = ring(sent);
    const size_t to = ring(received);
    for (size_t out = 0, in = 0; out < all_sent || in < all_received;)
    {
        if (out < all_sent)
        {
            out += moved(write(connection, outgoing + out % from, next(out, all_sent, from, most)), "write");
        }
        if (in < all_received)
        {
            in += moved(read(connection, incoming + in % to, next(in, all_received, to, most)), "read");
        }
    }
}

static void repeat(struct perf *perf, const struct perf_call *call, int times)
{
    const size_t sent = bytes_from(call, perf->rank);
    const size_t received = bytes_from(call, 1 - perf->rank);
    if (!trips)
    {
        stream(sent, received, (size_t)times, WRITES[perf->variant]);
        return;
    }
    for (int i = 0; i < times; i++)
    {
        go_and_return(perf->rank, sent > received ? sent : received);
    }
}

static void sum(struct perf *perf, double *value)
{
    (void)perf;
    double other;
    write_all(value, sizeof *value);
    read_all(&other, sizeof other);
    *value += other;
}

static void barrier(struct perf *perf)
{
    double nothing = 0;
    sum(perf, &nothing);
}

static int has(enum perf_collective collective, int in_place)
{
    (void)collective;
    (void)in_place;
    return 1;
}

/* Number of elements that did not arrive as the other process has them. */
static int64_t wrong_after_one(struct perf *perf, const struct perf_call *call)
{
    if (!perf->check)
    {
        return 0;
    }
    const size_t received = bytes_from(call, 1 - perf->rank) / sizeof(float);
    memset(incoming, 0xA5, received * sizeof(float));
    repeat(perf, call, 1);
    double wrong = (double)perf_differing(perf->output, received, 1 - perf->rank, 1);
    perf->sum(perf, &wrong);
    return (int64_t)wrong;
}

/* Measures a size both ways, and prints its row. */
static void row(struct perf *perf, const struct perf_call *call)
{
    trips = 1;
    const double half_us = perf_time_us(perf, call) / 2;
    perf->all_wrong += wrong_after_one(perf, call);
    trips = 0;
    double stream_us = -1;
    for (perf->variant = 0; perf->variant < WRITE_LENGTHS; perf->variant++)
    {
        const double time_us = perf_time_us(perf, call);
        stream_us = stream_us < 0 || time_us < stream_us ? time_us : stream_us;
        perf->all_wrong += wrong_after_one(perf, call);
    }
    perf->variant = 0;
    if (perf->rank == 0)
    {
        const size_t length = call->count * sizeof(float);
        const double both = (double)(bytes_from(call, 0) + bytes_from(call, 1));
        const double longer_us = half_us > stream_us ? half_us : stream_us;
        printf("%12zu  %12.2f  %12.2f  %8.2f\n# exact %zu %.6f %.6f\n", length, half_us, stream_us,
            both / stream_us / 1e3, length, longer_us, longer_us);
        fflush(stdout);
    }
}

static void rows(struct perf *perf)
{
    perf_fill(perf->input, perf_length(perf) / sizeof(float), perf->rank);
    memset(perf->output, 0, perf_length(perf));
    if (perf->rank == 0)
    {
        printf("# %s: %s, %d ranks\n", perf->program, perf->library, perf->ranks);
        printf("# %10s  %12s  %12s  %8s\n", "size", "half trip us", "both ways us", "sum GB/s");
    }
    size_t before = SIZE_MAX;
    size_t length = perf->min_bytes;
    for (int more = 1; more; length = perf_next(perf, length))
    {
        const size_t count = length / sizeof(float);
        if (count != before)
        {
            const struct perf_call call = perf_call_of(perf, count, 0);
            row(perf, &call);
        }
        before = count;
        more = length < perf->max_bytes;
    }
    if (perf->rank == 0)
    {
        printf("# Out of bounds values : %" PRId64 " %s\n", perf->all_wrong, perf->all_wrong == 0 ? "OK" : "FAILED");
    }
}

/* Connects both ends before the other process starts, so that no end waits for a process that has failed. */
static void connect_ends(int ends[RANKS])
{
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    ends[1] = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || ends[1] < 0 || bind(listener, (struct sockaddr *)&address, length) != 0 ||
        listen(listener, 1) != 0 || getsockname(listener, (struct sockaddr *)&address, &length) != 0 ||
        connect(ends[1], (struct sockaddr *)&address, length) != 0 || (ends[0] = accept(listener, NULL, NULL)) < 0)
    {
        fail("connection over 127.0.0.1");
    }
    close(listener);
    const int yes = 1;
    for (int rank = 0; rank < RANKS; rank++)
    {
        if (setsockopt(ends[rank], IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) != 0 ||
            fcntl(ends[rank], F_SETFL, O_NONBLOCK) != 0)
        {
            fail("options of the connection");
        }
    }
}

static void run_on(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
}

static void *pages(size_t length)
{
    void *const memory = aligned_alloc(4096, length);
    if (memory == NULL)
    {
        fail("no memory for a buffer");
    }
    return memory;
}

int main(int argc, char **argv)
{
    struct perf perf;
    memset(&perf, 0, sizeof perf);
    perf.program = "tcp_loop";
    snprintf(perf.library, sizeof perf.library, "TCP of this host");
    perf.has = has;
    perf.repeat = repeat;
    perf.sum = sum;
    perf.barrier = barrier;
    perf.ranks = RANKS;
    const char *word;
    const char *const problem = perf_parse(&perf, argc, argv, &word);
    if (problem != NULL)
    {
        fprintf(stderr, "tcp_loop: %s%s%s\n", problem, *word == '\0' ? "" : ": ", word);
        return 2;
    }
    cpu_set_t usable;
    int cpus[RANKS];
    crowded = sched_getaffinity(0, sizeof usable, &usable) != 0 || cores_choose(&usable, cpus, RANKS) < RANKS;
    perf.spins = !crowded;
    int ends[RANKS];
    connect_ends(ends);
    const pid_t pid = fork();
    if (pid < 0)
    {
        fail("fork");
    }
    perf.rank = pid == 0 ? 1 : 0;
    connection = ends[perf.rank];
    /* The last end in another process: without it, the end of that process can be read here. */
    close(ends[1 - perf.rank]);
    if (!crowded)
    {
        run_on(cpus[perf.rank]);
    }
    /* A stream of short messages uses more of a buffer than one message. */
    const size_t length = perf_length(&perf) < LEAST_STREAM ? LEAST_STREAM : perf_length(&perf);
    perf.input = pages(length);
    perf.output = pages(length);
    memset(perf.input, 0, length);
    memset(perf.output, 0, length);
    outgoing = (char *)perf.input;
    incoming = (char *)perf.output;
    rows(&perf);
    int status = 0;
    if (perf.rank == 0)
    {
        wait(&status);
    }
    return perf.all_wrong == 0 && status == 0 ? 0 : 1;
}
