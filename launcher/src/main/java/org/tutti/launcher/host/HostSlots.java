/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

/**
 * A host that ranks may run on.
 *
 * @param name  the name, as the user gave it.
 * @param slots the maximum number of ranks on the host, at least 1.
 */
public record HostSlots(String name, int slots)
{
}
