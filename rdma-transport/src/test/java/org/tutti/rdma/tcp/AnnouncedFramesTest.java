/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.contract.LocalNode;
import org.tutti.rdma.contract.Node.Completion;
import org.tutti.rdma.contract.Node.Info;
import org.tutti.rdma.contract.Node.Region;
import org.tutti.rdma.contract.Node.Send;
import org.tutti.rdma.contract.Node.Shape;
import org.tutti.rdma.contract.Node.Tuning;
import org.tutti.rdma.tcp.wire.Fpdu;
import org.tutti.rdma.tcp.wire.ReadRequest;
import org.tutti.rdma.tcp.wire.Terminate;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tests the receipt of frames that another one announces, which may be read by one call: wherever reads end, and
 * whatever comes instead of the announced frames.
 */
class AnnouncedFramesTest
{
    private static final int SEGMENT = 4400;
    /** Bytes of a segment with header and CRC; it needs no pad. */
    private static final int FRAME = Fpdu.TAGGED_HEADER + SEGMENT + Fpdu.CRC_SIZE;
    private static final int SEGMENTS = 4;
    private static final int LENGTH = SEGMENTS * SEGMENT;
    /** So few bytes that the rest of a frame is read to its place. */
    private static final int FEW = 100;
    private static final int ALL = Integer.MAX_VALUE;
    private static final byte UNTOUCHED = 0x11;

    private final StreamContext context = new StreamContext(new TcpProvider().devices().getLast(), 1);
    private final LocalNode node = new LocalNode(() -> context);
    private final Info own = node.open(Shape.DEFAULT.withMemory(1 << 20));
    private final StreamMemory memory = new StreamMemory(node, own);
    private final PeerFrames frames = new PeerFrames(true);
    private final int qpNum = node.createQueuePair();
    private Region region = memory.region(StreamMemory.WRITABLE);
    private byte[] data = new byte[(int)region.length()];
    private ScriptedChannel channel = new ScriptedChannel();
    private int readMsn = 1;
    private int permitted;

    AnnouncedFramesTest()
    {
        new Random(7).nextBytes(data);
        node.connect(qpNum, own, 99, Tuning.DEFAULT);
        assertTrue(context.establish(channel, true));
    }

    @AfterEach
    void shouldClose()
    {
        node.close();
    }

    private byte[] segment(final int from, final int length, final boolean isLast)
    {
        return frames.tagged(Fpdu.WRITE, isLast, region.rkey(), region.address() + from,
            Arrays.copyOfRange(data, from, from + length));
    }

    /** A segment of a write of {@link #SEGMENTS} segments; the first one announces the others. */
    private byte[] segment(final int index)
    {
        final byte[] frame = segment(index * SEGMENT, SEGMENT, index == SEGMENTS - 1);
        return index == 0 ? frames.announcing(SEGMENTS - 1, frame) : frame;
    }

    private void send(final byte[] frame)
    {
        channel.send(frames.sealed(frame, 0));
    }

    private void sendSegments(final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            send(segment(i));
        }
    }

    /** Uses a region behind the others that is longer. */
    private void useLongRegion(final int length)
    {
        region = node.register(StreamMemory.LENGTH, length, AccessFlags.ALL);
        data = new byte[length];
    }

    /** A read without data. */
    private byte[] emptyRead()
    {
        return frames.untagged(Fpdu.READ_REQUEST, true, readMsn++, 0, new byte[ReadRequest.SIZE]);
    }

    private void permit(final int count)
    {
        permitted += count;
        channel.permitReads(count);
    }

    private void receive(final int count)
    {
        permit(Math.min(count, channel.sentCount() - permitted));
        while (context.step())
        {
            // Until nothing is left.
        }
    }

    private void assertReceived(final int length, final String message)
    {
        assertTrue(context.isConnected(), message);
        assertArrayEquals(Arrays.copyOf(data, length), node.getAt(region.address(), length), message);
    }

    private void assertFailed()
    {
        assertFalse(context.isConnected());
        assertEquals(QueuePairState.ERR, node.state(qpNum));
        memory.check();
    }

    private void assertFailed(final int error)
    {
        assertFailed();
        final byte[] written = channel.written();
        final int length = Fpdu.UNTAGGED_HEADER + Terminate.SIZE + Fpdu.CRC_SIZE;
        assertEquals(length, frames.next(written, written.length - length));
        assertEquals(error, Terminate.error(frames.address() + Fpdu.UNTAGGED_HEADER));
    }

    private byte[] placed(final int from, final int length)
    {
        return node.getAt(region.address() + from, length);
    }

    private static byte[] untouched(final int length)
    {
        final byte[] bytes = new byte[length];
        Arrays.fill(bytes, UNTOUCHED);
        return bytes;
    }

    @Test
    void shouldReadAnnouncedFramesByOneCall()
    {
        sendSegments(0, SEGMENTS);
        receive(FEW);
        final int before = channel.readCalls();
        receive(ALL);
        assertEquals(before + 1, channel.readCalls());
        assertReceived(LENGTH, "by one call");
    }

    @Test
    void shouldReadTheMaximumOfTheLongestFramesByOneCall()
    {
        useLongRegion((1 + Fpdu.MAX_ANNOUNCED) * Fpdu.MAX_PAYLOAD);
        new Random(8).nextBytes(data);
        for (int i = 0; i <= Fpdu.MAX_ANNOUNCED; i++)
        {
            final byte[] frame = segment(i * Fpdu.MAX_PAYLOAD, Fpdu.MAX_PAYLOAD, i == Fpdu.MAX_ANNOUNCED);
            send(i == 0 ? frames.announcing(Fpdu.MAX_ANNOUNCED, frame) : frame);
        }
        receive(FEW);
        final int before = channel.readCalls();
        receive(ALL);
        assertEquals(before + 1, channel.readCalls());
        assertReceived(data.length, "by one call");
        memory.check();
    }

    @Test
    void shouldPlaceAnnouncedFramesWhereverReadsEnd()
    {
        for (int count = 0; count <= SEGMENTS * FRAME - FEW; count++)
        {
            node.putAt(region.address(), untouched(LENGTH));
            sendSegments(0, SEGMENTS);
            receive(FEW);
            receive(count);
            receive(ALL);
            assertReceived(LENGTH, FEW + " bytes, " + count + ", and the rest");
        }
        memory.check();
    }

    @ParameterizedTest
    @ValueSource(ints = {30, 1000, 5000, 20_000, 100_000})
    void shouldPlaceWritesHoweverTheyAreAnnounced(final int limit)
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        useLongRegion(200_000);
        for (int round = 0; round < 10; round++)
        {
            final String message = "seed " + seed + ", round " + round;
            random.nextBytes(data);
            sendWrite(random);
            while (permitted < channel.sentCount())
            {
                receive(1 + random.nextInt(limit));
            }
            assertReceived(data.length, message);
            memory.check();
        }
        assertEquals(readMsn > 1, channel.writtenCount() > 0, "the responses");
    }

    /** Sends a write of random segments, some announced, and reads where nothing is announced. */
    private void sendWrite(final Random random)
    {
        int done = 0;
        while (done < data.length)
        {
            final int announced = (1 << random.nextInt(4)) - 1;
            final int longest = (data.length - done) / (1 + announced) & -4;
            final int payload = Math.min(longest, 4 * (1 + random.nextInt(16_000)));
            if (longest == 0 || random.nextInt(8) == 0)
            {
                final int alone = Math.min(data.length - done, 1 + random.nextInt(Fpdu.MAX_PAYLOAD));
                send(segment(done, alone, done + alone == data.length));
                done += alone;
                continue;
            }
            for (int i = 0; i <= announced; i++)
            {
                final boolean isLast = i == announced && i > 0 && done + payload == data.length;
                final byte[] frame = segment(done, payload, isLast);
                send(i == 0 ? frames.announcing(announced, frame) : frame);
                done += payload;
            }
            if (random.nextInt(3) == 0)
            {
                send(emptyRead());
            }
        }
    }

    /** Frames that differ from the announced one. */
    enum Difference
    {
        STAG, OFFSET, SHORTER, LONGER, LAST, ANNOUNCEMENT, READ_RESPONSE, SEND, READ_REQUEST
    }

    private byte[] different(final Difference difference)
    {
        final int from = 2 * SEGMENT;
        final byte[] payload = new byte[SEGMENT];
        return switch (difference)
        {
            case STAG -> frames.tagged(Fpdu.WRITE, false, memory.region(StreamMemory.READABLE).rkey(),
                region.address() + from, payload);
            case OFFSET -> segment(from + 4, SEGMENT, false);
            case SHORTER -> segment(from, SEGMENT - 4, false);
            case LONGER -> segment(from, SEGMENT + 4, false);
            case LAST -> segment(from, SEGMENT, true);
            case ANNOUNCEMENT -> frames.announcing(1, segment(from, SEGMENT, false));
            case READ_RESPONSE ->
                frames.tagged(Fpdu.READ_RESPONSE, false, region.rkey(), region.address() + from, payload);
            case SEND -> frames.untagged(Fpdu.SEND, true, 1, 0, payload);
            case READ_REQUEST -> emptyRead();
        };
    }

    @ParameterizedTest
    @EnumSource
    void shouldFailWhenAnotherFrameFollowsThanTheAnnouncedOne(final Difference difference)
    {
        sendSegments(0, 2);
        send(different(difference));
        send(segment(3));
        receive(FEW);
        receive(ALL);
        assertFailed(Terminate.PROTOCOL);
        assertArrayEquals(untouched(SEGMENT), placed(LENGTH, SEGMENT));
    }

    @ParameterizedTest
    @EnumSource
    void shouldPlaceNothingOfAnotherFrameThanTheAnnouncedOneThatArrivesAlone(final Difference difference)
    {
        sendSegments(0, 2);
        receive(ALL);
        send(different(difference));
        receive(ALL);
        assertFailed(Terminate.PROTOCOL);
        assertArrayEquals(untouched(LENGTH - 2 * SEGMENT), placed(2 * SEGMENT, LENGTH - 2 * SEGMENT));
    }

    @ParameterizedTest
    @ValueSource(ints = {FEW, ALL})
    void shouldPlaceNothingWhenTheAnnouncedRangeExceedsTheRegion(final int first)
    {
        final int from = (int)region.length() - LENGTH + 4;
        send(frames.announcing(SEGMENTS - 1, segment(from, SEGMENT, false)));
        receive(first);
        receive(ALL);
        assertFailed(Terminate.ACCESS);
        assertArrayEquals(untouched(SEGMENT), placed(from, SEGMENT));
    }

    @Test
    void shouldAcceptAnAnnouncedRangeAtTheEndOfTheRegion()
    {
        final int from = (int)region.length() - LENGTH;
        for (int i = 0; i < SEGMENTS; i++)
        {
            final byte[] frame = segment(from + i * SEGMENT, SEGMENT, false);
            send(i == 0 ? frames.announcing(SEGMENTS - 1, frame) : frame);
        }
        receive(FEW);
        receive(ALL);
        assertTrue(context.isConnected());
        assertArrayEquals(Arrays.copyOfRange(data, from, data.length), placed(from, LENGTH));
    }

    @ParameterizedTest
    @ValueSource(ints = {StreamMemory.READABLE, StreamMemory.LOCAL, StreamMemory.FOREIGN})
    void shouldPlaceNothingWhenTheKeyOfTheAnnouncedRangeForbidsIt(final int index)
    {
        final Region other = memory.region(index);
        send(frames.announcing(1, frames.tagged(
            Fpdu.WRITE, false, other.rkey(), other.address(), new byte[1000])));
        receive(ALL);
        assertFailed(Terminate.ACCESS);
    }

    @ParameterizedTest
    @ValueSource(longs = {-LENGTH, -SEGMENT, -1, Long.MAX_VALUE, Long.MIN_VALUE})
    void shouldPlaceNothingWhenTheAnnouncedRangeWrapsAround(final long offset)
    {
        send(frames.announcing(
            SEGMENTS - 1, frames.tagged(Fpdu.WRITE, false, region.rkey(), offset, new byte[SEGMENT])));
        receive(FEW);
        receive(ALL);
        assertFailed(Terminate.ACCESS);
    }

    @Test
    void shouldRefuseAnnouncementsOfStandardPeers()
    {
        node.toState(qpNum, QueuePairState.RESET);
        node.connect(qpNum, own, 0, Tuning.DEFAULT);
        channel = new ScriptedChannel();
        permitted = 0;
        assertTrue(context.establish(channel, true));
        send(segment(0, SEGMENT, false));
        receive(ALL);
        assertReceived(SEGMENT, "without an announcement");
        sendSegments(0, SEGMENTS);
        node.putAt(region.address(), untouched(LENGTH));
        receive(FEW);
        receive(ALL);
        assertFailed();
        assertArrayEquals(untouched(LENGTH), placed(0, LENGTH));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void shouldFailWhenAFrameIsDamaged(final int damaged)
    {
        for (int i = 0; i < SEGMENTS; i++)
        {
            channel.send(frames.sealed(segment(i), i == damaged ? 1 << 9 : 0));
        }
        receive(FEW);
        receive(ALL);
        assertFailed(Terminate.PROTOCOL);
        assertEquals(0, Terminate.executed(frames.address() + Fpdu.UNTAGGED_HEADER));
    }

    /** As after damage to the address that TCP did not notice: the CRC of the header is wrong. */
    @Test
    void shouldPlaceDamagedAnnouncementsOnlyWhereThePeerMayWrite()
    {
        channel.send(frames.sealed(frames.announcing(SEGMENTS - 1, segment(LENGTH, SEGMENT, false)), 1));
        sendSegments(1, SEGMENTS);
        receive(FEW);
        receive(ALL);
        assertFailed(Terminate.PROTOCOL);
        assertArrayEquals(untouched(LENGTH), placed(0, LENGTH));
    }

    private byte[] terminate(final int error)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment payload = arena.allocate(Terminate.SIZE, 8);
            Terminate.put(payload.address(), error, 0);
            return frames.untagged(Fpdu.TERMINATE, true, 1, 0, payload.toArray(JAVA_BYTE));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 15, 16, 17, 25, 35, 36})
    void shouldFailWithTheReasonOfThePeerThatEndsAmidAnnouncedFrames(final int count)
    {
        node.postSend(qpNum, List.of(Send.write(5, region, 0, memory.source(0, 8))));
        sendSegments(0, 2);
        final int whole = channel.sentCount();
        send(terminate(Terminate.OPERATION));
        channel.end();
        receive(FEW);
        receive(whole - FEW + count);
        receive(ALL);
        assertFailed();
        final List<Completion> done = node.pollSends(1, 0);
        assertEquals(List.of(WorkCompletionStatus.REM_OP_ERR), done.stream().map(Completion::status).toList());
        assertArrayEquals(Arrays.copyOf(data, 2 * SEGMENT), placed(0, 2 * SEGMENT));
    }

    @Test
    void shouldFailWhenTheConnectionIsResetAmidAnnouncedFrames()
    {
        node.postSend(qpNum, List.of(Send.write(5, region, 0, memory.source(0, 8))));
        sendSegments(0, 3);
        receive(FEW);
        receive(ALL);
        channel.reset();
        context.step();
        assertFailed();
        final List<Completion> done = node.pollSends(1, 0);
        assertEquals(List.of(WorkCompletionStatus.RETRY_EXC_ERR), done.stream().map(Completion::status).toList());
    }

    @ParameterizedTest
    @ValueSource(ints = {FEW, FRAME + FEW, FRAME, FRAME - 2})
    void shouldNotWriteToARegionThatIsDeregisteredAmidAnnouncedFrames(final int count)
    {
        sendSegments(0, SEGMENTS);
        receive(FEW);
        receive(count - FEW);
        memory.deregister(StreamMemory.WRITABLE);
        receive(ALL);
        assertFailed();
    }
}
