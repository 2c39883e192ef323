/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** How a work request ended ({@code ibv_wc_status}); the ordinal is the native value. */
public enum WorkCompletionStatus
{
    /** Done. */
    SUCCESS("success"),
    /** A message did not fit the receive request, or was longer than the port allows. */
    LOC_LEN_ERR("local length error"),
    /** The queue pair found its own request inconsistent. */
    LOC_QP_OP_ERR("local QP operation error"),
    /** Reserved for reliable datagrams. */
    LOC_EEC_OP_ERR("local EE context operation error"),
    /** A scatter/gather entry is not covered by a region of the right domain and access. */
    LOC_PROT_ERR("local protection error"),
    /** The queue pair was in error before the request was executed. */
    WR_FLUSH_ERR("work request flushed"),
    /** A memory window could not be bound. */
    MW_BIND_ERR("memory window bind error"),
    /** The responder answered with something unexpected. */
    BAD_RESP_ERR("bad response"),
    /** A write with immediate could not be delivered into local memory. */
    LOC_ACCESS_ERR("local access error"),
    /** The responder found the request invalid. */
    REM_INV_REQ_ERR("remote invalid request"),
    /** The responder's keys or flags do not allow the access. */
    REM_ACCESS_ERR("remote access error"),
    /** The responder could not complete the request. */
    REM_OP_ERR("remote operation error"),
    /** No answer came, however often the request was sent again. */
    RETRY_EXC_ERR("transport retry count exceeded"),
    /** The responder had no receive request, however often the message was sent again. */
    RNR_RETRY_EXC_ERR("RNR retry count exceeded"),
    /** Reserved for reliable datagrams. */
    LOC_RDD_VIOL_ERR("local RDD violation"),
    /** Reserved for reliable datagrams. */
    REM_INV_RD_REQ_ERR("remote invalid RD request"),
    /** The operation was aborted. */
    REM_ABORT_ERR("remote aborted"),
    /** Reserved for reliable datagrams. */
    INV_EECN_ERR("invalid EE context number"),
    /** Reserved for reliable datagrams. */
    INV_EEC_STATE_ERR("invalid EE context state"),
    /** The queue pair or its completion queue is broken. */
    FATAL_ERR("fatal error"),
    /** The responder did not answer in time. */
    RESP_TIMEOUT_ERR("response timeout"),
    /** Anything else. */
    GENERAL_ERR("general error"),
    /** Tag matching failed. */
    TM_ERR("tag matching error"),
    /** Tag matching must be completed by software. */
    TM_RNDV_INCOMPLETE("tag matching rendezvous incomplete");

    private static final WorkCompletionStatus[] VALUES = values();

    private final String text;

    WorkCompletionStatus(final String text)
    {
        this.text = text;
    }

    /**
     * The status of a native value.
     *
     * @param value value from a completion's status field.
     * @return the status; {@link #GENERAL_ERR} for a value that is not known.
     */
    public static WorkCompletionStatus of(final int value)
    {
        return value >= 0 && value < VALUES.length ? VALUES[value] : GENERAL_ERR;
    }

    /**
     * In people's words.
     *
     * @return lower case.
     */
    public String text()
    {
        return text;
    }
}
