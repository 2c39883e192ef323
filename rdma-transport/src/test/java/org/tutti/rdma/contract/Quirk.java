/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import java.util.EnumSet;
import java.util.Set;

/**
 * A deviation of a driver from the specification that a provider cannot hide. The tests assert the driver's behaviour
 * instead.
 */
enum Quirk
{
    /** An invalid local key completes with LOC_QP_OP_ERR, not LOC_PROT_ERR. */
    BAD_KEY_IS_OPERATION_ERROR,
    /** A receive that is too short completes with LOC_QP_OP_ERR, and its sender with REM_OP_ERR. */
    SHORT_RECEIVE_IS_OPERATION_ERROR,
    /** A message of an unreliable service that is too long consumes the receive, which completes with LOC_QP_OP_ERR. */
    LOST_MESSAGE_TAKES_A_RECEIVE,
    /** A rejected write with immediate consumes a receive, which completes with the error. */
    REFUSED_IMMEDIATE_TAKES_A_RECEIVE,
    /** An access forbidden by a queue pair's access flags completes with REM_INV_REQ_ERR, not REM_ACCESS_ERR. */
    FORBIDDEN_BY_QUEUE_PAIR_IS_INVALID_REQUEST,
    /** The responder's events QP_ACCESS_ERR, QP_REQ_ERR and COMM_EST are not raised. */
    NO_RESPONDER_EVENTS,
    /** SQ_DRAINED is raised whether requested or not, and before the started request completes. */
    EARLY_DRAINED_EVENT,
    /** A failed completion raises no event on a queue armed for solicited ones. */
    FAILURES_ARE_NOT_SOLICITED,
    /** Receives posted in the error state are not flushed. */
    RECEIVES_IN_ERROR_ARE_NOT_FLUSHED,
    /** A read without granted resources never completes. */
    READS_WITHOUT_RESOURCES_WAIT,
    /** Atomics that are misaligned or not 8 bytes long are rejected when posted. */
    BAD_ATOMICS_ARE_NOT_POSTED,
    /** The slot of an unsignaled request is freed as soon as the request completes. */
    SLOTS_ARE_FREE_EARLY,
    /** Completions that do not fit are dropped, and the queue pair continues. */
    OVERRUN_LOSES_COMPLETIONS_ONLY,
    /** Linux rejects {@code cur_qp_state} when attributes are changed in SQD. */
    NO_CURRENT_STATE_WHEN_DRAINED,
    /** Completions of a queue pair that was reset or destroyed can still be polled. */
    COMPLETIONS_OUTLIVE_RESET,
    /** No state SQE: a failed request of an unreliable service moves the queue pair to ERR. */
    NO_SEND_QUEUE_ERROR_STATE,
    /** A datagram is sent with the Q_Key of its request, even a privileged one. */
    PRIVILEGED_QKEYS_ARE_SENT,
    /**
     * Linux rejects a new path of an unreliable connection in SQD: it implies PORT with AV (uverbs_cmd.c), which its
     * table of transitions (ib_modify_qp_is_ok) allows for reliable connections only.
     */
    NO_NEW_PATH_OF_UNRELIABLE_CONNECTIONS,
    /** A read-only shared mapping cannot be pinned. */
    READ_ONLY_FILES_CANNOT_BE_PINNED,
    /** All requests posted before SQD have started, even those behind one that waits for a receive. */
    WAITING_REQUESTS_HAVE_STARTED,
    /** The data of a write with immediate is placed even if no receive is posted. */
    WRITES_WAIT_FOR_NO_RECEIVE;

    /** The provider tcp. */
    static final Set<Quirk> SOFT_IWARP = Set.of(WAITING_REQUESTS_HAVE_STARTED, WRITES_WAIT_FOR_NO_RECEIVE);
    /** The driver {@code rdma_rxe} of Linux 6.1. */
    static final Set<Quirk> SOFT_ROCE = Set.copyOf(EnumSet.complementOf(EnumSet.copyOf(SOFT_IWARP)));
}
