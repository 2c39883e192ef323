/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import java.util.EnumSet;
import java.util.Set;

/**
 * Where a driver departs from the specification, so that no provider above it can keep the contract to the letter. The
 * tests name what the driver does instead.
 */
enum Quirk
{
    /** A local key that is not valid completes with LOC_QP_OP_ERR, not LOC_PROT_ERR. */
    BAD_KEY_IS_OPERATION_ERROR,
    /** A receive that is too short completes with LOC_QP_OP_ERR, and its sender with REM_OP_ERR. */
    SHORT_RECEIVE_IS_OPERATION_ERROR,
    /** A message of an unreliable service that is too long takes the receive, which completes with LOC_QP_OP_ERR. */
    LOST_MESSAGE_TAKES_A_RECEIVE,
    /** A write with immediate that is refused takes a receive, which completes with the error. */
    REFUSED_IMMEDIATE_TAKES_A_RECEIVE,
    /** What a queue pair's access flags forbid completes with REM_INV_REQ_ERR, not REM_ACCESS_ERR. */
    FORBIDDEN_BY_QUEUE_PAIR_IS_INVALID_REQUEST,
    /** The responder's events QP_ACCESS_ERR, QP_REQ_ERR and COMM_EST are not made. */
    NO_RESPONDER_EVENTS,
    /** SQ_DRAINED is made whether it was asked for or not, and before the request that had begun is done. */
    EARLY_DRAINED_EVENT,
    /** A completion that failed wakes nobody who is armed for solicited ones. */
    FAILURES_ARE_NOT_SOLICITED,
    /** Receives that are posted in the error state stay where they are. */
    RECEIVES_IN_ERROR_ARE_NOT_FLUSHED,
    /** A read that no resources were granted for waits for ever. */
    READS_WITHOUT_RESOURCES_WAIT,
    /** Atomics that are misaligned or not 8 bytes long are refused when posted. */
    BAD_ATOMICS_ARE_NOT_POSTED,
    /** The slot of an unsignaled request is free as soon as the request is done. */
    SLOTS_ARE_FREE_EARLY,
    /** Completions that do not fit are dropped, and the queue pair goes on. */
    OVERRUN_LOSES_COMPLETIONS_ONLY,
    /** Linux does not take {@code cur_qp_state} when attributes are changed in SQD. */
    NO_CURRENT_STATE_WHEN_DRAINED,
    /** Completions of a queue pair that was reset or destroyed are polled all the same. */
    COMPLETIONS_OUTLIVE_RESET,
    /** There is no SQE: an error of a request of an unreliable service is one of the queue pair. */
    NO_SEND_QUEUE_ERROR_STATE,
    /** A datagram goes with the Q_Key of its request, a privileged one too. */
    PRIVILEGED_QKEYS_ARE_SENT,
    /**
     * Linux refuses a new path of an unreliable connection in SQD: it takes PORT to be meant with AV (uverbs_cmd.c),
     * which its table of transitions (ib_modify_qp_is_ok) allows of reliable connections only.
     */
    NO_NEW_PATH_OF_UNRELIABLE_CONNECTIONS,
    /** A shared mapping that is read only cannot be pinned. */
    READ_ONLY_FILES_CANNOT_BE_PINNED;

    /** The driver {@code rdma_rxe} of Linux 6.1. */
    static final Set<Quirk> SOFT_ROCE = Set.copyOf(EnumSet.allOf(Quirk.class));
}
