/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.device;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.RdmaException;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class QueueSizesTest
{
    @ParameterizedTest
    @CsvSource({
        // ranks, max_qp, max_qp_wr, max_cqe, send, receive, connections
        "2, 0, 0, 0, 128, 256, 1",
        "1, 0, 0, 0, 128, 256, 0",
        "9, 8, 32768, 1048576, 128, 256, 8",
        "2, 10, 200, 1000, 128, 128, 1",
        "2, 10, 100, 1000, 64, 64, 1",
        "2, 10, 1000, 300, 128, 128, 1",
        "5, 10, 1000, 300, 32, 32, 4",
        "5, 10, 1000, 128, 16, 16, 4",
        "5, 10, 1000, 127, 16, 16, 3",
        "5, 2, 1000, 1000, 64, 64, 2",
        "1000, 0, 32768, 4194304, 128, 256, 999",
        "16384, 0, 32768, 4194304, 128, 128, 16383"})
    void shouldFitTheLimitsOfTheDevice(
        final int ranks, final int maxQueuePairs, final int maxWorkRequests, final int maxCqe,
        final int send, final int receive, final int connections)
    {
        assertEquals(new QueueSizes(send, receive, connections),
            QueueSizes.of(ranks, limits(maxQueuePairs, maxWorkRequests, maxCqe), "verbs/rxe0"));
    }

    @Test
    void shouldThrowWhenQueuesAreTooShort()
    {
        final RdmaException thrown = assertThrows(RdmaException.class,
            () -> QueueSizes.of(2, limits(9, 15, 1000), "verbs/rxe0"));

        assertEquals("ibv_create_qp: queues of at least 16 requests are needed, verbs/rxe0 allows 15: " +
            "choose another device (EINVAL)", thrown.getMessage());
    }

    @Test
    void shouldNotOverflowWhenRanksExceedAnyDeviceLimit()
    {
        final QueueSizes sizes = QueueSizes.of(1 << 28, limits(0, 0, 0), "verbs/rxe0");

        assertTrue(sizes.completions(sizes.connections()) > 0, sizes::toString);
        assertEquals(16 * 384, QueueSizes.of(1000, limits(0, 0, 0), "verbs/rxe0").completions(16));
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
