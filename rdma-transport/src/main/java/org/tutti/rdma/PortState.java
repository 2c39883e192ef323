/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** The state of a port ({@code ibv_port_state}); the ordinal is the native value. */
public enum PortState
{
    /** No change; reserved. */
    NOP,
    /** No link. */
    DOWN,
    /** Link up, not yet configured. */
    INIT,
    /** Configured, not yet active. */
    ARMED,
    /** Usable. */
    ACTIVE,
    /** Active, with the link temporarily lost. */
    ACTIVE_DEFER
}
