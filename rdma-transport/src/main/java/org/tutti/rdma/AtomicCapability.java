/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** The scope in which a device's atomics are atomic ({@code ibv_atomic_cap}); the ordinal is the native value. */
public enum AtomicCapability
{
    /** No atomics. */
    NONE,
    /** Atomic with respect to other atomics of the same device. */
    HCA,
    /** Atomic with respect to every access to the memory. */
    GLOBAL
}
