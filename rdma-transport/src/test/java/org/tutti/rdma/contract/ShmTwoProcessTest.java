/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.contract.Node.Info;
import org.tutti.rdma.contract.Node.Region;
import org.tutti.rdma.contract.Node.Send;
import org.tutti.rdma.contract.Node.Shape;
import org.tutti.rdma.contract.Node.Tuning;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Runs the contract on the shm provider between two processes, including the death of one. */
class ShmTwoProcessTest
{
    private static final ShmFixture FIXTURE = new ShmFixture();
    private static final PeerProcess PEER = FIXTURE.startPeer();

    /** The provider, one node in each process. */
    interface Between extends Subject
    {
        @Override
        default ProviderFixture fixture()
        {
            return FIXTURE;
        }

        @Override
        default Node newB()
        {
            return PEER.node();
        }
    }

    @AfterAll
    static void shouldLeaveNothingBehind()
    {
        PEER.close();
        FIXTURE.close();
    }

    @Test
    void shouldReleaseDescriptorsAndMappingsWhenPeersAreDisconnected() throws IOException
    {
        final Node b = PEER.node();
        try (Node a = new LocalNode(FIXTURE::open))
        {
            final Info aInfo = a.open(Shape.DEFAULT);
            final int aQp = a.createQueuePair();
            long before = 0;
            for (int round = 0; round < 100; round++)
            {
                final Info bInfo = b.open(Shape.DEFAULT);
                final Region region = b.register(0, bInfo.length(), AccessFlags.ALL);
                final int bQp = b.createQueuePair();
                final long alone = held();
                a.connect(aQp, bInfo, bQp, Tuning.DEFAULT);
                // A side that only receives also watches its peer.
                assertTrue(held() > alone);
                b.connect(bQp, aInfo, aQp, Tuning.DEFAULT);
                final Region own = a.register(0, 8, AccessFlags.ALL);
                a.postSend(aQp, List.of(Send.write(1, region, 0, own.sge(0, 8))));
                assertTrue(a.pollSends(1, 10_000).getFirst().isSuccess());
                a.deregister(own.id());
                b.close();
                a.toState(aQp, QueuePairState.RESET);
                before = round == 0 ? held() : before;
            }
            assertEquals(before, held());
        }
    }

    /** The number of descriptors and mappings of peers in this process. */
    private static long held() throws IOException
    {
        long count = 0;
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd")))
        {
            for (final Path descriptor : descriptors.toList())
            {
                try
                {
                    final String target = Files.readSymbolicLink(descriptor).toString();
                    count += target.contains("pidfd") || target.contains("/ctx-") ? 1 : 0;
                }
                catch (final NoSuchFileException ignored)
                {
                    // Another thread closed the descriptor.
                }
            }
        }
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps")))
        {
            return count + maps.filter((line) -> line.contains("/ctx-") || line.contains("/mem-")).count();
        }
    }

    @Nested
    class SendsAndReceives extends SendReceiveContract implements Between
    {
    }

    @Nested
    class Rdma extends RdmaContract implements Between
    {
        /** Takes the kernel seconds to zero the memory; {@link ShmContractTest} runs it in every build. */
        @Override
        @Test
        @Tag("torture")
        void shouldWriteWhenRegionExceedsTwoGibibytes()
        {
            super.shouldWriteWhenRegionExceedsTwoGibibytes();
        }
    }

    @Nested
    class UserMemory extends LoadStoreContract implements Between
    {
    }

    @Nested
    class Errors extends ErrorContract implements Between
    {
    }

    @Nested
    class SharedReceives extends SharedReceiveContract implements Between
    {
    }

    @Nested
    class Unreliable extends UnreliableContract implements Between
    {
    }

    @Nested
    class Datagrams extends DatagramContract implements Between
    {
    }

    @Nested
    class Multicast extends MulticastContract implements Between
    {
    }

    @Nested
    class Events extends EventContract implements Between
    {
    }

    @Nested
    class PeerDeath extends PeerDeathContract implements Between
    {
    }

    @Nested
    class SenderDeath extends SenderDeathContract implements Between
    {
    }
}
