/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/**
 * The attributes for creating a queue pair ({@code ibv_qp_init_attr}).
 *
 * @param type               type of transport service.
 * @param sendQueue          completion queue of send requests.
 * @param receiveQueue       completion queue of receive requests; may be {@code sendQueue}.
 * @param sharedReceiveQueue the shared receive queue that replaces the queue pair's own receive queue, or null.
 * @param maxSendRequests    outstanding send requests.
 * @param maxReceiveRequests outstanding receive requests; 0 with a shared receive queue.
 * @param maxSendSge         entries of a send request's gather list.
 * @param maxReceiveSge      entries of a receive request's scatter list.
 * @param maxInlineData      bytes that a send request can carry inline.
 * @param signalAll          {@code sq_sig_all}: every send request generates a completion, regardless of its flags.
 * @param localCompletion    whether the completion of a send or write need only say that its memory may be used again,
 *                           as iWARP defines it (RFC 5040, section 5.5), and not that the peer has executed it. A hint,
 *                           by which the provider tcp saves a round trip; later errors of the peer then only move the
 *                           queue pair to the error state. Others ignore it.
 */
public record QueuePairInitAttributes(
    QueuePairType type,
    CompletionQueue sendQueue,
    CompletionQueue receiveQueue,
    SharedReceiveQueue sharedReceiveQueue,
    int maxSendRequests,
    int maxReceiveRequests,
    int maxSendSge,
    int maxReceiveSge,
    int maxInlineData,
    boolean signalAll,
    boolean localCompletion)
{
    /**
     * Describes a queue pair whose completions say that the peer has executed the request.
     *
     * @param type               type of transport service.
     * @param sendQueue          completion queue of send requests.
     * @param receiveQueue       completion queue of receive requests; may be {@code sendQueue}.
     * @param sharedReceiveQueue the shared receive queue that replaces the queue pair's own receive queue, or null.
     * @param maxSendRequests    outstanding send requests.
     * @param maxReceiveRequests outstanding receive requests; 0 with a shared receive queue.
     * @param maxSendSge         entries of a send request's gather list.
     * @param maxReceiveSge      entries of a receive request's scatter list.
     * @param maxInlineData      bytes that a send request can carry inline.
     * @param signalAll          {@code sq_sig_all}: every send request generates a completion, regardless of its flags.
     */
    public QueuePairInitAttributes(
        final QueuePairType type,
        final CompletionQueue sendQueue,
        final CompletionQueue receiveQueue,
        final SharedReceiveQueue sharedReceiveQueue,
        final int maxSendRequests,
        final int maxReceiveRequests,
        final int maxSendSge,
        final int maxReceiveSge,
        final int maxInlineData,
        final boolean signalAll)
    {
        this(type, sendQueue, receiveQueue, sharedReceiveQueue, maxSendRequests, maxReceiveRequests, maxSendSge,
            maxReceiveSge, maxInlineData, signalAll, false);
    }

    /**
     * The same attributes with {@link #localCompletion}.
     *
     * @return new attributes.
     */
    public QueuePairInitAttributes completedLocally()
    {
        return new QueuePairInitAttributes(type, sendQueue, receiveQueue, sharedReceiveQueue, maxSendRequests,
            maxReceiveRequests, maxSendSge, maxReceiveSge, maxInlineData, signalAll, true);
    }

    /**
     * The requested capacities.
     *
     * @return the sizes of the queues and lists.
     */
    public QueuePairCapabilities capabilities()
    {
        return new QueuePairCapabilities(
            maxSendRequests, maxReceiveRequests, maxSendSge, maxReceiveSge, maxInlineData);
    }

    /**
     * Describes a reliable connection with one completion queue for sends and receives.
     *
     * @param completionQueue    completion queue for sends and receives.
     * @param maxSendRequests    outstanding send requests.
     * @param maxReceiveRequests outstanding receive requests.
     * @param maxSge             entries of each scatter/gather list.
     * @param maxInlineData      bytes that a send request can carry inline.
     * @return attributes with selective signaling.
     */
    public static QueuePairInitAttributes reliable(
        final CompletionQueue completionQueue,
        final int maxSendRequests,
        final int maxReceiveRequests,
        final int maxSge,
        final int maxInlineData)
    {
        return new QueuePairInitAttributes(QueuePairType.RC, completionQueue, completionQueue, null,
            maxSendRequests, maxReceiveRequests, maxSge, maxSge, maxInlineData, false);
    }
}
