/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.bootstrap.Coordinator;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Ranks share a host if they share memory: names of hosts mislead where containers set them. */
@Timeout(JoiningThreads.LIMIT_S)
class SameHostTest
{
    private static final List<String> OTHER_NAME = List.of("unshare", "--uts", "sh", "-c",
        "hostname other; exec \"$@\"", "sh");
    private static final List<String> OTHER_MEMORY = List.of("unshare", "--mount", "sh", "-c",
        "mount -t tmpfs tmpfs /dev/shm; exec \"$@\"", "sh");

    private static boolean isPossible() throws Exception
    {
        if (new ProcessBuilder("unshare", "--mount", "--uts", "true").start().waitFor() == 0)
        {
            return true;
        }
        System.err.println("skipped: this user cannot make namespaces (unshare --mount --uts)");
        return false;
    }

    /** Like pods with names of their own that share the memory of their node. */
    @Test
    void shouldShareHostWhenNamesDifferAndMemoryIsShared() throws Exception
    {
        if (!isPossible())
        {
            return;
        }
        assertEquals(List.of("3\n2 on this host\n", "3\n2 on this host\n"), outputs(OTHER_NAME));
    }

    /** Like containers in the host's network, with its name but their own memory. */
    @Test
    void shouldNotShareHostWhenNamesAreEqualAndMemoryIsNotShared() throws Exception
    {
        if (!isPossible())
        {
            return;
        }
        for (final String output : outputs(OTHER_MEMORY))
        {
            // Over an RDMA device or else over tcp.
            assertEquals("3\n1 on this host\n", output);
        }
    }

    /** Returns the outputs of rank 0, an ordinary process, and of rank 1 in namespaces of its own. */
    private static List<String> outputs(final List<String> namespaces) throws Exception
    {
        try (Coordinator coordinator = JoiningThreads.start(2))
        {
            final Process here =
                JoiningRank.start(List.of(), coordinator.address(), coordinator.secret(), "0", "2", "host");
            final Process there =
                JoiningRank.start(namespaces, coordinator.address(), coordinator.secret(), "1", "2", "host");
            try
            {
                return List.of(JoiningRank.output(here), JoiningRank.output(there));
            }
            finally
            {
                here.destroyForcibly();
                there.destroyForcibly();
            }
        }
    }
}
