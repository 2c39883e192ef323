/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/**
 * An asynchronous event ({@code ibv_async_event}).
 *
 * @param type    type of the event.
 * @param element the {@link QueuePair}, {@link CompletionQueue} or {@link SharedReceiveQueue} that the event concerns,
 *                or an {@link Integer} with the port number, or null for the whole device.
 */
public record AsyncEvent(AsyncEventType type, Object element)
{
}
