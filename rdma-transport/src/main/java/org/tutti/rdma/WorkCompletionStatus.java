/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** The completion status of a work request ({@code ibv_wc_status}); the ordinal is the native value. */
public enum WorkCompletionStatus
{
    /** The request succeeded. */
    SUCCESS("success"),
    /** A message exceeded the receive request, or the port's maximum message size. */
    LOC_LEN_ERR("local length error"),
    /** The local queue pair found the request inconsistent. */
    LOC_QP_OP_ERR("local QP operation error"),
    /** Reserved for reliable datagrams. */
    LOC_EEC_OP_ERR("local EE context operation error"),
    /** A scatter/gather entry is not covered by a region of the right domain and access. */
    LOC_PROT_ERR("local protection error"),
    /** The queue pair entered the error state before the request was executed. */
    WR_FLUSH_ERR("work request flushed"),
    /** A memory window could not be bound. */
    MW_BIND_ERR("memory window bind error"),
    /** The responder sent an unexpected response. */
    BAD_RESP_ERR("bad response"),
    /** A write with immediate could not be delivered into local memory. */
    LOC_ACCESS_ERR("local access error"),
    /** The responder found the request invalid. */
    REM_INV_REQ_ERR("remote invalid request"),
    /** The responder's keys or access flags do not permit the access. */
    REM_ACCESS_ERR("remote access error"),
    /** The responder could not complete the request. */
    REM_OP_ERR("remote operation error"),
    /** No acknowledgement arrived within the retry count. */
    RETRY_EXC_ERR("transport retry count exceeded"),
    /** The responder had no receive request within the RNR retry count. */
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
    /** The queue pair or its completion queue failed. */
    FATAL_ERR("fatal error"),
    /** The responder did not respond in time. */
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
     * Converts a native value.
     *
     * @param value value from a completion's status field.
     * @return the status; {@link #GENERAL_ERR} for an unknown value.
     */
    public static WorkCompletionStatus of(final int value)
    {
        return value >= 0 && value < VALUES.length ? VALUES[value] : GENERAL_ERR;
    }

    /**
     * A readable description.
     *
     * @return text in lower case.
     */
    public String text()
    {
        return text;
    }
}
