/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

/**
 * Another node that takes part in this job.
 *
 * @param node    the number of the node, from 1.
 * @param name    the name of its host, distinct from those of the other nodes.
 * @param ranks   the number of its ranks, at least 1.
 * @param channel the connection to it.
 */
public record JoinedNode(int node, String name, int ranks, NodeChannel channel)
{
}
