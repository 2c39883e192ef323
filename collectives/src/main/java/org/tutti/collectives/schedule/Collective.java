/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.schedule;

/** The collectives there are schedules for. */
public enum Collective
{
    /** Every rank ends with the reduction of all ranks' inputs. INPUT and OUTPUT have count elements. */
    ALLREDUCE,
    /** Every rank ends with the root's buffer: OUTPUT, of count elements, in place on all ranks. */
    BROADCAST,
    /** No rank leaves before all have entered. No elements. */
    BARRIER
}
