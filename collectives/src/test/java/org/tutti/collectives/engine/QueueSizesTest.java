/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.RdmaException;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class QueueSizesTest
{
    @ParameterizedTest
    @CsvSource({
        // ranks, max_qp, max_qp_wr, max_cqe, send, receive, completions
        "2, 0, 0, 0, 128, 256, 384",
        "1, 0, 0, 0, 128, 256, 1",
        "9, 8, 32768, 1048576, 128, 256, 3072",
        "2, 10, 200, 1000, 128, 128, 256",
        "2, 10, 100, 1000, 64, 64, 128",
        "2, 10, 1000, 300, 128, 128, 256",
        "5, 10, 1000, 300, 32, 32, 256",
        "5, 10, 1000, 128, 16, 16, 128"})
    void shouldFitTheDevice(
        final int ranks, final int maxQueuePairs, final int maxWorkRequests, final int maxCqe,
        final int send, final int receive, final int completions)
    {
        assertEquals(new QueueSizes(send, receive, completions),
            QueueSizes.of(ranks, limits(maxQueuePairs, maxWorkRequests, maxCqe), "verbs/rxe0"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "4|2|100|1000|ibv_create_qp: 4 ranks need 3 queue pairs each, verbs/rxe0 allows 2: start fewer ranks (ENOMEM)",
        "2|9|15|1000|ibv_create_qp: queues of at least 16 requests are needed, verbs/rxe0 allows 15: " +
            "choose another device (EINVAL)",
        "5|9|100|127|ibv_create_cq: 5 ranks need a completion queue of 128, verbs/rxe0 allows 127: " +
            "start fewer ranks (EINVAL)"})
    void shouldSayWhatIsTooSmall(
        final int ranks, final int maxQueuePairs, final int maxWorkRequests, final int maxCqe, final String message)
    {
        final RdmaException thrown = assertThrows(RdmaException.class,
            () -> QueueSizes.of(ranks, limits(maxQueuePairs, maxWorkRequests, maxCqe), "verbs/rxe0"));

        assertEquals(message, thrown.getMessage());
    }

    @Test
    void shouldNotOverflowForMoreRanksThanAnyDeviceHasRoomFor()
    {
        assertThrows(RdmaException.class, () -> QueueSizes.of(1 << 28, limits(0, 0, 0), "verbs/rxe0"));
    }

    private static DeviceAttributes limits(final int maxQueuePairs, final int maxWorkRequests, final int maxCqe)
    {
        final DeviceAttributes limits = new DeviceAttributes();
        limits.maxQueuePairs = maxQueuePairs;
        limits.maxWorkRequests = maxWorkRequests;
        limits.maxCqe = maxCqe;
        return limits;
    }
}
