/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.shm.peer.MulticastGroups;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class MulticastGroupsTest
{
    private static final String VERB = "ibv_attach_mcast";
    private static final Gid ONE = new Gid(0xFF0E_0000_0000_0000L, 1);
    private static final Gid OTHER = new Gid(0xFF0E_0000_0000_0000L, 2);

    private final ShmProvider provider = new ShmProvider((Path)null);
    private final ShmContext context = (ShmContext)provider.devices().getFirst().open();
    private final MulticastGroups groups = context.fabric().groups(VERB);

    @AfterEach
    void close()
    {
        context.close();
    }

    private int members(final Gid group)
    {
        int count = 0;
        for (int i = 0; i < groups.limit(); i++)
        {
            count += groups.member(i, group.high(), group.low()) != 0 ? 1 : 0;
        }
        return count;
    }

    @Test
    void shouldAttachWhenMembersExceedOnePage()
    {
        for (int i = 1; i <= 300; i++)
        {
            groups.attach(context.peers(), i % 3 == 0 ? OTHER : ONE, i);
        }
        assertEquals(200, members(ONE));
        assertEquals(100, members(OTHER));

        for (int i = 1; i <= 300; i++)
        {
            groups.detach(context.peers(), i % 3 == 0 ? OTHER : ONE, i);
        }
        assertEquals(0, members(ONE) + members(OTHER));
        final int limit = groups.limit();
        groups.attach(context.peers(), ONE, 1);
        assertEquals(limit, groups.limit());
    }

    @Test
    void shouldRemoveMembersWhenContextIsDead()
    {
        final ShmContext dead = (ShmContext)provider.devices().getFirst().open();
        groups.attach(dead.peers(), ONE, 5);
        dead.close();
        groups.attach(context.peers(), OTHER, 6);

        assertEquals(0, members(ONE));
        assertEquals(1, members(OTHER));
    }

    @Test
    void shouldRejectFileWhenVersionDiffers(@TempDir final Path directory) throws IOException
    {
        Files.write(directory.resolve("groups"), new byte[100]);
        try (ShmContext other = (ShmContext)new ShmProvider(directory).devices().getFirst().open())
        {
            final RdmaException ex = assertThrows(RdmaException.class, () -> other.fabric().groups(VERB));
            assertEquals(Errno.ENODEV, ex.errno());
            assertTrue(ex.getMessage().contains("groups"), ex::getMessage);
        }
    }
}
