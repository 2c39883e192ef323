/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

/** Receives ticks on the member's own thread, without locks held. */
interface MemberListener
{
    /** Called after each poll, and therefore soon after a failure. */
    void onTick();
}
