/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.Test;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.CompletionOpcode;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.contract.Node.Completion;
import org.tutti.rdma.contract.Node.Posted;
import org.tutti.rdma.contract.Node.Receive;
import org.tutti.rdma.contract.Node.Region;
import org.tutti.rdma.contract.Node.Send;
import org.tutti.rdma.contract.Node.Sge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Tests permitted writes, reads and atomics, and their order. */
abstract class RdmaContract extends PairContract
{
    @Test
    void shouldWriteWithoutCompletionAtThePeer()
    {
        final byte[] data = bytes(5000, 3);
        a.put(100, data);
        bReceives(Receive.of(1, bRegion.sge(0, 8)));
        aPosts(Send.write(2, bRegion, 300, aRegion.sge(100, 2000), aRegion.sge(2100, 3000)));

        final Completion sent = aSent(2);
        assertTrue(sent.isSuccess(), sent::toString);
        assertEquals(CompletionOpcode.RDMA_WRITE, sent.opcode());
        assertArrayEquals(data, b.get(300, 5000));
        assertEquals(0, b.get(299, 1)[0]);
        assertEquals(0, b.get(5300, 1)[0]);
        assertEquals(List.of(), b.pollReceives(1, NEVER_MS));
    }

    @Test
    void shouldConsumeReceivesInOrderByWritesWithImmediate()
    {
        b.putLong(64, -1);
        bReceives(Receive.of(1, bRegion.sge(64, 8)), Receive.of(2), Receive.of(3));
        a.putLong(0, 77);
        aPosts(Send.writeImm(10, 0xCAFE, bRegion, 512, aRegion.sge(0, 8)),
            Send.writeImm(11, 0xBEEF, bRegion, 0),
            Send.send(12).withOpcode(SendOpcode.SEND_WITH_IMM).withImm(3));

        final Completion first = bReceived(1);
        assertEquals(CompletionOpcode.RECV_RDMA_WITH_IMM, first.opcode());
        assertEquals(0xCAFE, first.imm());
        assertTrue(first.hasImm());
        assertEquals(8, first.byteLength());
        assertEquals(77, b.getLong(512));
        assertEquals(-1, b.getLong(64));
        assertEquals(0xBEEF, bReceived(2).imm());
        assertEquals(CompletionOpcode.RECV, bReceived(3).opcode());
        assertEquals(CompletionOpcode.RDMA_WRITE, aSent(10).opcode());
    }

    @Test
    void shouldScatterReads()
    {
        final byte[] data = bytes(1000, 4);
        b.put(40, data);
        aPosts(Send.read(1, bRegion, 40, aRegion.sge(0, 1), aRegion.sge(0, 0), aRegion.sge(100, 999)));

        final Completion read = aSent(1);
        assertTrue(read.isSuccess(), read::toString);
        assertEquals(CompletionOpcode.RDMA_READ, read.opcode());
        assertArrayEquals(Arrays.copyOfRange(data, 0, 1), a.get(0, 1));
        assertArrayEquals(Arrays.copyOfRange(data, 1, 1000), a.get(100, 999));
    }

    @Test
    void shouldCheckNoKeyForEmptyWritesAndReads()
    {
        aPosts(Send.rdma(SendOpcode.RDMA_WRITE, 1, 12345, 0x7777), Send.rdma(SendOpcode.RDMA_READ, 2, 12345, 0x7777));

        aSends(WorkCompletionStatus.SUCCESS, 1);
        aSends(WorkCompletionStatus.SUCCESS, 2);
    }

    @Test
    void shouldAccessFirstAndLastByteOfARegion()
    {
        final Region region = b.register(4096, 100, AccessFlags.ALL);
        aPosts(Send.write(1, region, 99, aRegion.sge(0, 1)), Send.write(2, region, 0, aRegion.sge(0, 100)));

        aSends(WorkCompletionStatus.SUCCESS, 1);
        aSends(WorkCompletionStatus.SUCCESS, 2);
    }

    @Test
    void shouldFetchAndAdd()
    {
        b.putLong(8, Long.MAX_VALUE);
        aPosts(Send.fetchAdd(1, bRegion, 8, 2, aRegion.sge(0, 8)));

        final Completion completion = aSent(1);
        assertTrue(completion.isSuccess(), completion::toString);
        assertEquals(CompletionOpcode.FETCH_ADD, completion.opcode());
        assertEquals(Long.MAX_VALUE, a.getLong(0));
        assertEquals(Long.MIN_VALUE + 1, b.getLong(8));
    }

    @Test
    void shouldCompareAndSwapOnlyWhenEqual()
    {
        b.putLong(8, 5);
        aPosts(Send.compareSwap(1, bRegion, 8, 4, 9, aRegion.sge(0, 8)));
        aSends(WorkCompletionStatus.SUCCESS, 1);
        assertEquals(5, a.getLong(0));
        assertEquals(5, b.getLong(8));

        aPosts(Send.compareSwap(2, bRegion, 8, 5, 9, aRegion.sge(0, 8)));
        assertEquals(CompletionOpcode.COMP_SWAP, aSent(2).opcode());
        assertEquals(5, a.getLong(0));
        assertEquals(9, b.getLong(8));
    }

    @Test
    void shouldLoseNoAddWhenSeveralQueuePairsAdd()
    {
        // a adds through its connection, b through a loopback connection, in separate threads or processes.
        final int left = b.createQueuePair();
        final int right = b.createQueuePair();
        b.connect(left, bInfo, right, Node.Tuning.DEFAULT);
        b.connect(right, bInfo, left, Node.Tuning.DEFAULT);
        final int times = 2000;

        final CompletableFuture<WorkCompletionStatus> other = CompletableFuture.supplyAsync(
            () -> b.repeat(left, Send.fetchAdd(1, bRegion, 8, 1, bRegion.sge(64, 8)), times));
        final WorkCompletionStatus own =
            a.repeat(aQp, Send.fetchAdd(2, bRegion, 8, 1, aRegion.sge(64, 8)), times);

        assertEquals(WorkCompletionStatus.SUCCESS, own);
        assertEquals(WorkCompletionStatus.SUCCESS, other.join());
        assertEquals(2L * times, b.getLong(8));
    }

    @Test
    void shouldSeeEarlierWritesWhenLaterImmediateIsPolled()
    {
        for (int round = 0; round < 100; round++)
        {
            bReceives(Receive.of(round, bRegion.sge(0, 0)));
            final List<Send> sends = new ArrayList<>();
            for (int i = 0; i < 10; i++)
            {
                a.putLong(8L * i, round * 10 + i);
                sends.add(Send.write(0, bRegion, 1024 + 8L * i, aRegion.sge(8L * i, 8)).unsignaled());
            }
            sends.add(Send.writeImm(1, round, bRegion, 0));
            assertEquals(Posted.ALL, a.postSend(aQp, sends));

            assertEquals(round, bReceived(round).imm());
            for (int i = 0; i < 10; i++)
            {
                assertEquals(round * 10 + i, b.getLong(1024 + 8L * i));
            }
            aSends(WorkCompletionStatus.SUCCESS, 1);
        }
    }

    @Test
    void shouldSendDataThatWasReadBeforeTheFence()
    {
        // Effective only if reads are outstanding while later requests start; otherwise shows that the flag does no
        // harm.
        b.putLong(512, 4711);
        bReceives(Receive.of(1, bRegion.sge(0, 8)));
        aPosts(Send.read(2, bRegion, 512, aRegion.sge(0, 8)).unsignaled(),
            Send.send(3, aRegion.sge(0, 8)).and(SendFlags.FENCE));

        bGets(WorkCompletionStatus.SUCCESS, 1);
        assertEquals(4711, b.getLong(0));
        aSends(WorkCompletionStatus.SUCCESS, 3);
    }

    @Test
    void shouldDeliverStreamInOrderAndComplete()
    {
        final long seed = System.nanoTime();
        System.out.println("stream seed " + seed);
        final Random random = new Random(seed);
        final int window = 16;
        for (int round = 0; round < 20; round++)
        {
            final List<byte[]> messages = new ArrayList<>();
            final List<Send> sends = new ArrayList<>();
            final List<Receive> receives = new ArrayList<>();
            for (int i = 0; i < window; i++)
            {
                final byte[] message = bytes(random.nextInt(9000), random.nextLong());
                a.put(10_000L * i, message);
                messages.add(message);
                sends.add(Send.send(i, aRegion.sge(10_000L * i, message.length))
                    .withFlags(i == window - 1 ? SendFlags.SIGNALED : 0));
                receives.add(Receive.of(i, bRegion.sge(10_000L * i, 9000)));
            }
            assertEquals(Posted.ALL, b.postReceive(bQp, receives));
            assertEquals(Posted.ALL, a.postSend(aQp, sends));

            final List<Completion> received = b.pollReceives(window, SOON_MS);
            for (int i = 0; i < window; i++)
            {
                assertEquals(i, received.get(i).wrId());
                assertEquals(messages.get(i).length, received.get(i).byteLength());
                assertArrayEquals(messages.get(i), b.get(10_000L * i, messages.get(i).length));
            }
            aSends(WorkCompletionStatus.SUCCESS, window - 1);
        }
    }

    @Test
    void shouldDeliverLongWritesWhenPosterDoesNotPoll()
    {
        final int length = 8 << 20;
        reopen(Node.Shape.DEFAULT.withMemory(length), Node.Shape.DEFAULT.withMemory(length));
        final byte[] data = bytes(length, 5);
        a.put(0, data);
        bReceives(Receive.of(1));
        aPosts(Send.write(1, bRegion, 0, aRegion.sge(0, length)),
            Send.writeImm(2, 7, bRegion, 0, aRegion.sge(0, length)));

        assertEquals(7, bReceived(1).imm());
        assertArrayEquals(data, b.get(0, length));
    }

    @Test
    void shouldWriteWhenRegionExceedsTwoGibibytes()
    {
        needs(Feature.LARGE_REGIONS);
        final long length = (2L << 30) + (1 << 20);
        try
        {
            reopen(Node.Shape.DEFAULT, Node.Shape.DEFAULT.withMemory(length));
        }
        catch (final RdmaException ex)
        {
            assumeTrue(ex.errno() != Errno.ENOMEM, "skipped: " + ex.getMessage());
            throw ex;
        }
        a.putLong(0, 123456789);
        aPosts(Send.write(1, bRegion, length - 16, aRegion.sge(0, 8)));
        aSends(WorkCompletionStatus.SUCCESS, 1);
        assertEquals(123456789, b.getLong(length - 16));

        aPosts(Send.write(2, bRegion, length - 7, aRegion.sge(0, 8)));
        aSends(WorkCompletionStatus.REM_ACCESS_ERR, 2);
    }

    @Test
    void shouldIsolateQueuePairs()
    {
        final int aOther = a.createQueuePair();
        final int bOther = b.createQueuePair();
        a.connect(aOther, bInfo, bOther, Node.Tuning.DEFAULT);
        b.connect(bOther, aInfo, aOther, Node.Tuning.DEFAULT);
        aPosts(Send.send(1, new Sge(1, 8, 0x7777)));
        aSends(badKey(), 1);

        assertEquals(Posted.ALL, b.postReceive(bOther, List.of(Receive.of(2, bRegion.sge(0, 8)))));
        assertEquals(Posted.ALL, a.postSend(aOther, List.of(Send.send(3, aRegion.sge(0, 8)))));

        assertTrue(bReceived(2).isSuccess());
        assertTrue(aSent(3).isSuccess());
    }
}
