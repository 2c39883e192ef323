/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

/** What a member hears unasked. Called on the member's own thread, without locks held. */
interface MemberListener
{
    /** Called once in a while, and soon after a failure. */
    void onTick();
}
