/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

/**
 * How the ranks of a job are bound to CPUs.
 *
 * @param unit       the part of its host that each rank is bound to.
 * @param isReported whether the launcher prints the CPUs of each rank.
 */
public record Binding(Unit unit, boolean isReported)
{
    /** Parts of a host. */
    public enum Unit
    {
        /** All CPUs that the launcher or agent may use. */
        NONE,
        /** A core with all its hardware threads, or a hardware thread if there are more ranks than cores. */
        CORE,
        /** The CPUs of a socket. */
        SOCKET,
        /** The CPUs of a NUMA node. */
        NUMA
    }
}
