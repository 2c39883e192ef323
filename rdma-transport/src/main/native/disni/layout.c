/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/* Checked by DiSNI on loading: the version of this library, and sizes and offsets of structures. */

#include "dispatcher.h"

#include <infiniband/verbs.h>
#include <netinet/in.h>
#include <stddef.h>

/* The version of this interface in DiSNI 2.1, which rejects any other. */
#define INTERFACE_VERSION 32

DISPATCHER(jint, getVersion)(JNIEnv *env, jobject self)
{
    (void)env;
    (void)self;
    return INTERFACE_VERSION;
}

DISPATCHER(jint, getSockAddrInSize)(JNIEnv *env, jobject self)
{
    (void)env;
    (void)self;
    return sizeof(struct sockaddr_in);
}

DISPATCHER(jint, getIbvRecvWRSize)(JNIEnv *env, jobject self)
{
    (void)env;
    (void)self;
    return sizeof(struct ibv_recv_wr);
}

DISPATCHER(jint, getIbvSendWRSize)(JNIEnv *env, jobject self)
{
    (void)env;
    (void)self;
    return sizeof(struct ibv_send_wr);
}

DISPATCHER(jint, getIbvSgeSize)(JNIEnv *env, jobject self)
{
    (void)env;
    (void)self;
    return sizeof(struct ibv_sge);
}

DISPATCHER(jint, getIbvWCSize)(JNIEnv *env, jobject self)
{
    (void)env;
    (void)self;
    return sizeof(struct ibv_wc);
}

DISPATCHER(jint, getRemoteAddressOffset)(JNIEnv *env, jobject self)
{
    (void)env;
    (void)self;
    return offsetof(struct ibv_send_wr, wr.rdma.remote_addr);
}

DISPATCHER(jint, getRKeyOffset)(JNIEnv *env, jobject self)
{
    (void)env;
    (void)self;
    return offsetof(struct ibv_send_wr, wr.rdma.rkey);
}
