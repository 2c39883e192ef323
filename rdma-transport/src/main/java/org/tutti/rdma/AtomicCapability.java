/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** In relation to what a device's atomics are atomic ({@code ibv_atomic_cap}); the ordinal is the native value. */
public enum AtomicCapability
{
    /** There are none. */
    NONE,
    /** With other atomics of the same device. */
    HCA,
    /** With whatever else accesses the memory. */
    GLOBAL
}
