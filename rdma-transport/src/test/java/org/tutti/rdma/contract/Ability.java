/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

/** What verbs can do and a provider may lack altogether: tests that need it are skipped then. */
enum Ability
{
    /** Regions and accesses beyond 2 GiB. */
    LARGE_REGIONS("register more than 2^31 - 1 bytes at once"),
    /** The state SQD, and what tells that it is reached. */
    DRAINING("drain a send queue"),
    /** Asynchronous events. */
    ASYNC_EVENTS("tell of asynchronous events"),
    /** Attributes that limit how many reads and atomics are outstanding. */
    LIMITED_READS("limit the reads of a connection"),
    /** Completion queues that change their size. */
    RESIZING("resize a completion queue"),
    /** Regions whose addresses are counted from their start. */
    ZERO_BASED_REGIONS("count from the start of a region"),
    /** Unreliable connections and datagrams. */
    UNRELIABLE_SERVICES("make unreliable connections and datagrams"),
    /** Nothing tells of a peer's death but what is sent to it. */
    SILENT_DEATHS("let a sleeper sleep on when a peer dies: rdma_cm tells of the death");

    private final String text;

    Ability(final String text)
    {
        this.text = text;
    }

    /** What the provider cannot do, for people. */
    @Override
    public String toString()
    {
        return text;
    }
}
