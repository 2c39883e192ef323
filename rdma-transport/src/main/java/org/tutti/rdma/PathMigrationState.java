/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** Whether a queue pair uses its alternate path ({@code ibv_mig_state}); the ordinal is the native value. */
public enum PathMigrationState
{
    /** The paths were changed over, or there is but one. */
    MIGRATED,
    /** The alternate path is to be used when the peer is ready for it. */
    REARM,
    /** The alternate path will be used when the primary one fails. */
    ARMED
}
