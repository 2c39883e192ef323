/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.schedule;

/**
 * Where a range of elements begins; created by {@link BufferId#at}.
 *
 * @param buffer the buffer.
 * @param offset offset of the first element, in elements.
 */
public record Location(BufferId buffer, long offset)
{
}
