/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

/** A feature of verbs that a provider may lack; tests that need it are then skipped. */
enum Feature
{
    /** Regions and accesses beyond 2 GiB. */
    LARGE_REGIONS("register more than 2^31 - 1 bytes at once"),
    /** The state SQD and its event. */
    DRAINING("drain a send queue"),
    /** Asynchronous events. */
    ASYNC_EVENTS("raise asynchronous events"),
    /** Attributes that limit outstanding reads and atomics. */
    LIMITED_READS("limit the reads of a connection"),
    /** Resizing of completion queues. */
    RESIZING("resize a completion queue"),
    /** Regions addressed from their start. */
    ZERO_BASED_REGIONS("address a region from its start"),
    /** Unreliable connections and datagrams. */
    UNRELIABLE_SERVICES("make unreliable connections and datagrams"),
    /** A peer's death is detected only by sending to it. */
    SILENT_DEATHS("keep a waiting thread asleep when a peer dies: rdma_cm reports the death");

    private final String text;

    Feature(final String text)
    {
        this.text = text;
    }

    /** The missing feature, for messages. */
    @Override
    public String toString()
    {
        return text;
    }
}
