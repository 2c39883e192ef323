/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/* Connecting by librdmacm. */

#include "dispatcher.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <string.h>

/* Entries of a scatter/gather list: DiSNI cannot request more, and its own native library grants as many. */
#define MAX_SGE 4

/*
 * rdma_get_cm_event modifies and queries the queue pair of an identifier whose peer has responded, so no queue pair may
 * be destroyed concurrently.
 */
static pthread_mutex_t queue_pairs = PTHREAD_MUTEX_INITIALIZER;

DISPATCHER(jlong, createEventChannel)(JNIEnv *env, jobject self)
{
    struct rdma_event_channel *channel = rdma_create_event_channel();
    (void)self;

    if (channel == NULL)
    {
        throw_errno(env, "rdma_create_event_channel", errno);
        return -1;
    }
    /* Non-blocking, because waiting uses poll with a timeout: two waiters must not block each other. */
    if (fcntl(channel->fd, F_SETFL, fcntl(channel->fd, F_GETFL) | O_NONBLOCK) != 0)
    {
        throw_errno(env, "fcntl", errno);
        rdma_destroy_event_channel(channel);
        return -1;
    }
    return id_of(channel);
}

DISPATCHER(jint, destroyEventChannel)(JNIEnv *env, jobject self, jlong channel)
{
    (void)env;
    (void)self;
    rdma_destroy_event_channel(pointer(channel));
    return 0;
}

DISPATCHER(jlong, createId)(JNIEnv *env, jobject self, jlong channel, jshort port_space)
{
    struct rdma_cm_id *id = NULL;
    (void)self;

    if (rdma_create_id(pointer(channel), &id, NULL, (enum rdma_port_space)(uint16_t)port_space) != 0)
    {
        throw_errno(env, "rdma_create_id", errno);
        return -1;
    }
    return id_of(id);
}

DISPATCHER(jint, destroyCmId)(JNIEnv *env, jobject self, jlong id)
{
    (void)env;
    (void)self;
    return rdma_destroy_id(pointer(id));
}

DISPATCHER(jint, destroyEp)(JNIEnv *env, jobject self, jlong id)
{
    (void)env;
    (void)self;
    rdma_destroy_ep(pointer(id));
    return 0;
}

DISPATCHER(void, bindAddr)(JNIEnv *env, jobject self, jlong id, jlong address)
{
    (void)self;
    if (rdma_bind_addr(pointer(id), pointer(address)) != 0)
    {
        throw_errno(env, "rdma_bind_addr", errno);
    }
}

DISPATCHER(void, listen)(JNIEnv *env, jobject self, jlong id, jint backlog)
{
    (void)self;
    if (rdma_listen(pointer(id), backlog) != 0)
    {
        throw_errno(env, "rdma_listen", errno);
    }
}

DISPATCHER(void, resolveAddr)(
    JNIEnv *env, jobject self, jlong id, jlong source, jlong destination, jint timeout_ms)
{
    (void)self;
    if (rdma_resolve_addr(pointer(id), pointer(source), pointer(destination), timeout_ms) != 0)
    {
        throw_errno(env, "rdma_resolve_addr", errno);
    }
}

DISPATCHER(void, resolveRoute)(JNIEnv *env, jobject self, jlong id, jint timeout_ms)
{
    (void)self;
    if (rdma_resolve_route(pointer(id), timeout_ms) != 0)
    {
        throw_errno(env, "rdma_resolve_route", errno);
    }
}

/*
 * Takes the next event; -1 on timeout. DiSNI acknowledges an event by its type alone, so it is acknowledged here,
 * immediately; only the type and both identifiers are kept.
 */
DISPATCHER(jint, getCmEvent)(
    JNIEnv *env, jobject self, jlong channel_id, jlong listener_address, jlong id_address, jint timeout_ms)
{
    struct rdma_event_channel *channel = pointer(channel_id);
    struct pollfd waiting = {.fd = channel->fd, .events = POLLIN};
    struct rdma_cm_event *event = NULL;
    jint type;
    int error;
    (void)env;
    (void)self;

    if (poll(&waiting, 1, timeout_ms) <= 0)
    {
        return -1;
    }
    pthread_mutex_lock(&queue_pairs);
    error = rdma_get_cm_event(channel, &event);
    pthread_mutex_unlock(&queue_pairs);
    if (error != 0)
    {
        return -1;
    }
    type = (jint)event->event;
    *(jlong *)pointer(listener_address) = event->listen_id == NULL ? -1 : id_of(event->listen_id);
    *(jlong *)pointer(id_address) = event->id == NULL ? -1 : id_of(event->id);
    rdma_ack_cm_event(event);
    return type;
}

DISPATCHER(jint, ackCmEvent)(JNIEnv *env, jobject self, jint event)
{
    (void)env;
    (void)self;
    (void)event;
    return 0;
}

/* The device's maximum of outstanding reads and atomics, which DiSNI cannot set. */
static int fill(struct rdma_conn_param *parameters, struct rdma_cm_id *id, jint retries, jint rnr_retries)
{
    struct ibv_device_attr device;
    uint8_t depth;
    int error = ibv_query_device(id->verbs, &device);

    if (error != 0)
    {
        return error;
    }
    depth = (uint8_t)(device.max_qp_rd_atom < UINT8_MAX ? device.max_qp_rd_atom : UINT8_MAX - 1);
    memset(parameters, 0, sizeof *parameters);
    parameters->initiator_depth = depth;
    parameters->responder_resources = depth;
    parameters->retry_count = (uint8_t)retries;
    parameters->rnr_retry_count = (uint8_t)rnr_retries;
    return 0;
}

DISPATCHER(void, connect)(
    JNIEnv *env, jobject self, jlong id, jint retries, jint rnr_retries, jlong data, jbyte length)
{
    struct rdma_conn_param parameters;
    int error = fill(&parameters, pointer(id), retries, rnr_retries);
    (void)self;

    if (error != 0)
    {
        throw_errno(env, "ibv_query_device", error);
        return;
    }
    parameters.private_data = pointer(data);
    parameters.private_data_len = (uint8_t)length;
    if (rdma_connect(pointer(id), &parameters) != 0)
    {
        throw_errno(env, "rdma_connect", errno);
    }
}

DISPATCHER(void, accept)(JNIEnv *env, jobject self, jlong id, jint retries, jint rnr_retries)
{
    struct rdma_conn_param parameters;
    int error = fill(&parameters, pointer(id), retries, rnr_retries);
    (void)self;

    if (error != 0)
    {
        throw_errno(env, "ibv_query_device", error);
        return;
    }
    if (rdma_accept(pointer(id), &parameters) != 0)
    {
        throw_errno(env, "rdma_accept", errno);
    }
}

DISPATCHER(jint, disconnect)(JNIEnv *env, jobject self, jlong id)
{
    (void)env;
    (void)self;
    return rdma_disconnect(pointer(id));
}

DISPATCHER(jint, getSrcAddr)(JNIEnv *env, jobject self, jlong id, jlong address)
{
    (void)env;
    (void)self;
    memcpy(pointer(address), rdma_get_local_addr(pointer(id)), sizeof(struct sockaddr_in));
    return 0;
}

DISPATCHER(jint, getDstAddr)(JNIEnv *env, jobject self, jlong id, jlong address)
{
    (void)env;
    (void)self;
    memcpy(pointer(address), rdma_get_peer_addr(pointer(id)), sizeof(struct sockaddr_in));
    return 0;
}

DISPATCHER(jlong, createQP)(
    JNIEnv *env, jobject self, jlong cm_id, jlong domain, jlong send_queue, jlong receive_queue,
    jint type, jint max_sends, jint max_receives, jint max_inline)
{
    struct rdma_cm_id *id = pointer(cm_id);
    struct ibv_qp_init_attr attributes = {
        .send_cq = pointer(send_queue),
        .recv_cq = pointer(receive_queue),
        .qp_type = (enum ibv_qp_type)type,
        .cap = {
            .max_send_wr = (uint32_t)max_sends,
            .max_recv_wr = (uint32_t)max_receives,
            .max_send_sge = MAX_SGE,
            .max_recv_sge = MAX_SGE,
            .max_inline_data = (uint32_t)max_inline,
        },
    };
    (void)self;

    if (rdma_create_qp(id, pointer(domain), &attributes) != 0)
    {
        throw_errno(env, "rdma_create_qp", errno);
        return -1;
    }
    return id_of(id->qp);
}

DISPATCHER(jint, destroyQP)(JNIEnv *env, jobject self, jlong cm_id)
{
    struct rdma_cm_id *id = pointer(cm_id);
    (void)env;
    (void)self;

    if (id->qp == NULL)
    {
        return -1;
    }
    pthread_mutex_lock(&queue_pairs);
    rdma_destroy_qp(id);
    pthread_mutex_unlock(&queue_pairs);
    return 0;
}

DISPATCHER(jlong, getContext)(JNIEnv *env, jobject self, jlong cm_id)
{
    struct rdma_cm_id *id = pointer(cm_id);
    (void)env;
    (void)self;

    return id->verbs == NULL ? -1 : id_of(id->verbs);
}
