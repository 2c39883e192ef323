/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** Kinds of asynchronous events ({@code ibv_event_type}); the ordinal is the native value. */
public enum AsyncEventType
{
    /** A completion queue overran. */
    CQ_ERR,
    /** A queue pair entered the error state because of a local failure. */
    QP_FATAL,
    /** A queue pair received an invalid request. */
    QP_REQ_ERR,
    /** A queue pair received a request that its keys or access flags do not permit. */
    QP_ACCESS_ERR,
    /** The first message arrived on a queue pair that is not yet ready to send. */
    COMM_EST,
    /** A send queue is drained. */
    SQ_DRAINED,
    /** A path migrated. */
    PATH_MIG,
    /** A path could not migrate. */
    PATH_MIG_ERR,
    /** The device failed. */
    DEVICE_FATAL,
    /** A port became active. */
    PORT_ACTIVE,
    /** A port lost its link. */
    PORT_ERR,
    /** A port's LID changed. */
    LID_CHANGE,
    /** A port's P_Key table changed. */
    PKEY_CHANGE,
    /** The subnet manager changed. */
    SM_CHANGE,
    /** A shared receive queue failed. */
    SRQ_ERR,
    /** A shared receive queue fell below its limit. */
    SRQ_LIMIT_REACHED,
    /** A queue pair in the error state consumed its last request from a shared receive queue. */
    QP_LAST_WQE_REACHED,
    /** The subnet manager requests re-registration. */
    CLIENT_REREGISTER,
    /** A port's GID table changed. */
    GID_CHANGE,
    /** A work queue failed. */
    WQ_FATAL
}
