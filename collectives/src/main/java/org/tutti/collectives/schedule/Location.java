/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.schedule;

/**
 * Where elements begin: {@link BufferId#at} makes it.
 *
 * @param buffer buffer.
 * @param offset offset of the first one, in elements.
 */
public record Location(BufferId buffer, long offset)
{
}
