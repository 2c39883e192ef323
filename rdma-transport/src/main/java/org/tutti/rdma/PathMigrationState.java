/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** Whether a queue pair uses its alternate path ({@code ibv_mig_state}); the ordinal is the native value. */
public enum PathMigrationState
{
    /** Migration is complete, or there is only one path. */
    MIGRATED,
    /** The alternate path is armed once the peer is ready for it. */
    REARM,
    /** The alternate path is used when the primary one fails. */
    ARMED
}
