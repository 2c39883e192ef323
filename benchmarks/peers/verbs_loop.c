/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * JMH's PostBenchmark in C: posting and polling on a connected pair of queue pairs in one process, with
 * inline writes of eight bytes. Prints "name nanoseconds" for each benchmark, the median of the measurements.
 *
 *   verbs_loop [-d DEVICE] [-x GID_INDEX] [-r SECONDS_OF_ONE] [-i MEASUREMENTS]
 */
#define _GNU_SOURCE
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { DEPTH = 128, WINDOW = 64, LENGTH = 4096, PAYLOAD = 8, PORT = 1, PSN = 0, MOST = 99 };

struct end
{
    struct ibv_context *context;
    struct ibv_pd *pd;
    struct ibv_cq *cq;
    struct ibv_qp *qp;
    struct ibv_mr *mr;
    char *memory;
    struct ibv_sge sge;
    struct ibv_send_wr wr;
};

static int gid_index;

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void *checked(void *made, const char *what)
{
    if (made == NULL)
    {
        fail(what);
    }
    return made;
}

static void open_end(struct end *end, struct ibv_device *device)
{
    end->context = checked(ibv_open_device(device), "ibv_open_device");
    end->pd = checked(ibv_alloc_pd(end->context), "ibv_alloc_pd");
    end->cq = checked(ibv_create_cq(end->context, 2 * DEPTH, NULL, NULL, 0), "ibv_create_cq");
    struct ibv_qp_init_attr init = {
        .send_cq = end->cq, .recv_cq = end->cq, .qp_type = IBV_QPT_RC,
        .cap = { .max_send_wr = DEPTH, .max_recv_wr = DEPTH, .max_send_sge = 1, .max_recv_sge = 1,
                 .max_inline_data = 64 } };
    end->qp = checked(ibv_create_qp(end->pd, &init), "ibv_create_qp");
    end->memory = checked(aligned_alloc(4096, LENGTH), "aligned_alloc");
    memset(end->memory, 0, LENGTH);
    end->mr = checked(
        ibv_reg_mr(end->pd, end->memory, LENGTH, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE), "ibv_reg_mr");
    end->sge = (struct ibv_sge){ .addr = (uintptr_t)end->memory, .length = PAYLOAD, .lkey = end->mr->lkey };
    end->wr = (struct ibv_send_wr){ .sg_list = &end->sge, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE };
}

static void modify(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
    if (ibv_modify_qp(qp, attr, mask))
    {
        fail("ibv_modify_qp");
    }
}

static void connect_ends(struct end *end, const struct end *peer)
{
    struct ibv_port_attr port;
    union ibv_gid gid;
    if (ibv_query_port(peer->context, PORT, &port) || ibv_query_gid(peer->context, PORT, gid_index, &gid))
    {
        fail("ibv_query_port, ibv_query_gid");
    }
    struct ibv_qp_attr init = {
        .qp_state = IBV_QPS_INIT, .port_num = PORT,
        .qp_access_flags = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE };
    modify(end->qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
    struct ibv_qp_attr rtr = {
        .qp_state = IBV_QPS_RTR, .path_mtu = port.active_mtu, .dest_qp_num = peer->qp->qp_num, .rq_psn = PSN,
        .max_dest_rd_atomic = 1, .min_rnr_timer = 12,
        .ah_attr = { .is_global = 1, .dlid = port.lid, .port_num = PORT,
                     .grh = { .dgid = gid, .sgid_index = (uint8_t)gid_index, .hop_limit = 64 } } };
    modify(end->qp, &rtr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
        IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
    struct ibv_qp_attr rts = {
        .qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7, .sq_psn = PSN, .max_rd_atomic = 1 };
    modify(end->qp, &rts, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
        IBV_QP_MAX_QP_RD_ATOMIC);
    end->wr.wr.rdma.remote_addr = (uintptr_t)peer->memory + LENGTH / 2;
    end->wr.wr.rdma.rkey = peer->mr->rkey;
}

static void post(struct end *end, int is_signaled)
{
    struct ibv_send_wr *bad;
    end->wr.send_flags = IBV_SEND_INLINE | (is_signaled ? IBV_SEND_SIGNALED : 0);
    const int error = ibv_post_send(end->qp, &end->wr, &bad);
    if (error)
    {
        fprintf(stderr, "ibv_post_send: %s\n", strerror(error));
        exit(1);
    }
}

static int poll_one(struct end *end)
{
    struct ibv_wc wc;
    const int polled = ibv_poll_cq(end->cq, 1, &wc);
    if (polled < 0 || (polled == 1 && wc.status != IBV_WC_SUCCESS))
    {
        fprintf(stderr, "ibv_poll_cq: %s\n", polled < 0 ? "failed" : ibv_wc_status_str(wc.status));
        exit(1);
    }
    return polled;
}

static void post_and_poll(struct end *end)
{
    post(end, 1);
    while (poll_one(end) == 0)
    {
    }
}

static void post_window(struct end *end)
{
    for (int i = 1; i < WINDOW; i++)
    {
        post(end, 0);
    }
    post_and_poll(end);
}

static void poll_empty(struct end *end)
{
    if (poll_one(end) != 0)
    {
        fprintf(stderr, "unexpected completion\n");
        exit(1);
    }
}

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void measure(
    const char *name, void (*action)(struct end *), struct end *end, int per_call, double seconds, int measurements)
{
    double results[MOST];
    for (int i = -1; i < measurements; i++)
    {
        const double start = now_ns();
        double elapsed;
        long calls = 0;
        do
        {
            for (int call = 0; call < 100; call++)
            {
                action(end);
            }
            calls += 100;
            elapsed = now_ns() - start;
        }
        while (elapsed < seconds * 1e9);
        if (i >= 0)
        {
            results[i] = elapsed / ((double)calls * per_call);
        }
    }
    qsort(results, (size_t)measurements, sizeof results[0], compare);
    printf("%s %.1f\n", name, results[measurements / 2]);
    fflush(stdout);
}

static struct ibv_device *find(const char *name)
{
    struct ibv_device **devices = checked(ibv_get_device_list(NULL), "ibv_get_device_list");
    for (; *devices != NULL; devices++)
    {
        if (name == NULL || strcmp(ibv_get_device_name(*devices), name) == 0)
        {
            return *devices;
        }
    }
    fprintf(stderr, "no device %s\n", name == NULL ? "" : name);
    exit(1);
}

int main(int argc, char **argv)
{
    const char *device = NULL;
    double seconds = 1;
    int measurements = 5, option;
    while ((option = getopt(argc, argv, "d:x:r:i:")) != -1)
    {
        switch (option)
        {
            case 'd': device = optarg; break;
            case 'x': gid_index = atoi(optarg); break;
            case 'r': seconds = atof(optarg); break;
            case 'i': measurements = atoi(optarg); break;
            default: return 2;
        }
    }
    if (measurements < 1 || measurements > MOST || seconds <= 0)
    {
        fprintf(stderr, "-i must be from 1 to %d, -r greater than 0\n", MOST);
        return 2;
    }
    struct end near, far;
    open_end(&near, find(device));
    open_end(&far, find(device));
    connect_ends(&near, &far);
    connect_ends(&far, &near);
    measure("postAndPoll", post_and_poll, &near, 1, seconds, measurements);
    measure("postWindow", post_window, &near, WINDOW, seconds, measurements);
    measure("pollEmpty", poll_empty, &near, 1, seconds, measurements);
    return 0;
}
