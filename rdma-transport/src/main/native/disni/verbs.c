/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/* Protection domains, memory regions and queues, by libibverbs. */

#include "dispatcher.h"

#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <poll.h>

DISPATCHER(jlong, allocPd)(JNIEnv *env, jobject self, jlong context)
{
    struct ibv_pd *domain = ibv_alloc_pd(pointer(context));
    (void)self;

    if (domain == NULL)
    {
        throw_errno(env, "ibv_alloc_pd", errno);
        return -1;
    }
    return id_of(domain);
}

DISPATCHER(jint, deallocPd)(JNIEnv *env, jobject self, jlong domain)
{
    (void)env;
    (void)self;
    return ibv_dealloc_pd(pointer(domain));
}

DISPATCHER(jlong, regMr)(
    JNIEnv *env, jobject self, jlong domain, jlong address, jint length, jint access,
    jlong lkey_address, jlong rkey_address, jlong handle_address)
{
    /*
     * Chooses the function like the macro of that name, which checks constants only: the newer function drops hints
     * that the kernel does not support. Drivers accept the base address as an argument; few support
     * IBV_ACCESS_ZERO_BASED.
     */
    int special = access & (IBV_ACCESS_ZERO_BASED | IBV_ACCESS_OPTIONAL_RANGE);
    struct ibv_mr *region = special == 0 ?
        (ibv_reg_mr)(pointer(domain), pointer(address), (size_t)length, access) :
        ibv_reg_mr_iova2(pointer(domain), pointer(address), (size_t)length,
            (access & IBV_ACCESS_ZERO_BASED) != 0 ? 0 : (uint64_t)address,
            (unsigned int)(access & ~IBV_ACCESS_ZERO_BASED));
    (void)self;

    if (region == NULL)
    {
        throw_errno(env, "ibv_reg_mr", errno);
        return -1;
    }
    *(uint32_t *)pointer(lkey_address) = region->lkey;
    *(uint32_t *)pointer(rkey_address) = region->rkey;
    *(uint32_t *)pointer(handle_address) = region->handle;
    return id_of(region);
}

DISPATCHER(void, deregMr)(JNIEnv *env, jobject self, jlong region)
{
    int error = ibv_dereg_mr(pointer(region));
    (void)self;

    if (error != 0)
    {
        throw_errno(env, "ibv_dereg_mr", error);
    }
}

/* The on-demand paging capabilities of reliable connections; -1 if the device does not support it. */
DISPATCHER(jint, queryOdpSupport)(JNIEnv *env, jobject self, jlong context)
{
    struct ibv_device_attr_ex device;
    (void)env;
    (void)self;

    if (ibv_query_device_ex(pointer(context), NULL, &device) != 0 ||
        (device.odp_caps.general_caps & IBV_ODP_SUPPORT) == 0)
    {
        return -1;
    }
    return (jint)device.odp_caps.per_transport_caps.rc_odp_caps;
}

DISPATCHER(jint, expPrefetchMr)(JNIEnv *env, jobject self, jlong region_id, jlong address, jint length)
{
    struct ibv_mr *region = pointer(region_id);
    struct ibv_sge place = {.addr = (uint64_t)address, .length = (uint32_t)length, .lkey = region->lkey};
    int error = ibv_advise_mr(region->pd, IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE, IBV_ADVISE_MR_FLAG_FLUSH, &place, 1);
    (void)self;

    if (error != 0)
    {
        throw_errno(env, "ibv_advise_mr", error);
        return -1;
    }
    return 0;
}

DISPATCHER(jlong, createCompChannel)(JNIEnv *env, jobject self, jlong context)
{
    struct ibv_comp_channel *channel = ibv_create_comp_channel(pointer(context));
    (void)self;

    if (channel == NULL)
    {
        throw_errno(env, "ibv_create_comp_channel", errno);
        return -1;
    }
    /* Non-blocking: if poll reports an event to two threads, one finds none and must not block. */
    if (fcntl(channel->fd, F_SETFL, fcntl(channel->fd, F_GETFL) | O_NONBLOCK) != 0)
    {
        throw_errno(env, "fcntl", errno);
        ibv_destroy_comp_channel(channel);
        return -1;
    }
    return id_of(channel);
}

DISPATCHER(jint, destroyCompChannel)(JNIEnv *env, jobject self, jlong channel)
{
    (void)env;
    (void)self;
    return ibv_destroy_comp_channel(pointer(channel));
}

DISPATCHER(jlong, createCQ)(JNIEnv *env, jobject self, jlong context, jlong channel, jint capacity, jint vector)
{
    struct ibv_cq *queue = ibv_create_cq(pointer(context), capacity, NULL, pointer(channel), vector);
    (void)self;

    if (queue == NULL)
    {
        throw_errno(env, "ibv_create_cq", errno);
        return -1;
    }
    return id_of(queue);
}

DISPATCHER(jint, destroyCQ)(JNIEnv *env, jobject self, jlong queue)
{
    (void)env;
    (void)self;
    return ibv_destroy_cq(pointer(queue));
}

/* Returns 0 if an event was taken, -1 on timeout. */
DISPATCHER(jint, getCqEvent)(JNIEnv *env, jobject self, jlong channel_id, jint timeout_ms)
{
    struct ibv_comp_channel *channel = pointer(channel_id);
    struct pollfd waiting = {.fd = channel->fd, .events = POLLIN};
    struct ibv_cq *queue;
    void *context;
    (void)env;
    (void)self;

    return poll(&waiting, 1, timeout_ms) > 0 ? ibv_get_cq_event(channel, &queue, &context) : -1;
}

DISPATCHER(jint, ackCqEvent)(JNIEnv *env, jobject self, jlong queue, jint events)
{
    (void)env;
    (void)self;
    ibv_ack_cq_events(pointer(queue), (unsigned int)events);
    return 0;
}

DISPATCHER(jint, reqNotifyCQ)(JNIEnv *env, jobject self, jlong queue, jint solicited_only)
{
    (void)env;
    (void)self;
    return ibv_req_notify_cq(pointer(queue), solicited_only);
}

DISPATCHER(jint, pollCQ)(JNIEnv *env, jobject self, jlong queue, jint max_completions, jlong completions)
{
    (void)env;
    (void)self;
    return ibv_poll_cq(pointer(queue), max_completions, pointer(completions));
}

DISPATCHER(void, postSend)(JNIEnv *env, jobject self, jlong queue_pair, jlong requests)
{
    struct ibv_send_wr *bad;
    int error = ibv_post_send(pointer(queue_pair), pointer(requests), &bad);
    (void)self;

    if (error != 0)
    {
        throw_errno(env, "ibv_post_send", error);
    }
}

DISPATCHER(void, postRecv)(JNIEnv *env, jobject self, jlong queue_pair, jlong requests)
{
    struct ibv_recv_wr *bad;
    int error = ibv_post_recv(pointer(queue_pair), pointer(requests), &bad);
    (void)self;

    if (error != 0)
    {
        throw_errno(env, "ibv_post_recv", error);
    }
}

/* DiSNI's Java code passes no attributes, so nothing can be changed. */
DISPATCHER(jint, modifyQP)(JNIEnv *env, jobject self, jlong queue_pair, jlong attributes)
{
    (void)self;
    (void)queue_pair;
    (void)attributes;
    throw_errno(env, "ibv_modify_qp: DiSNI 2.1 passes no attributes; connect by rdma_cm", EOPNOTSUPP);
    return -1;
}

DISPATCHER(jint, getQpNum)(JNIEnv *env, jobject self, jlong queue_pair)
{
    const struct ibv_qp *pair = pointer(queue_pair);
    (void)env;
    (void)self;
    return (jint)pair->qp_num;
}

DISPATCHER(jint, getContextFd)(JNIEnv *env, jobject self, jlong context_id)
{
    const struct ibv_context *context = pointer(context_id);
    (void)env;
    (void)self;
    return context->cmd_fd;
}

DISPATCHER(jint, getContextNumCompVectors)(JNIEnv *env, jobject self, jlong context_id)
{
    const struct ibv_context *context = pointer(context_id);
    (void)env;
    (void)self;
    return context->num_comp_vectors;
}

DISPATCHER(jint, getPdHandle)(JNIEnv *env, jobject self, jlong domain_id)
{
    const struct ibv_pd *domain = pointer(domain_id);
    (void)env;
    (void)self;
    return (jint)domain->handle;
}
