/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.contract.LocalNode;
import org.tutti.rdma.contract.Node.Completion;
import org.tutti.rdma.contract.Node.Info;
import org.tutti.rdma.contract.Node.Receive;
import org.tutti.rdma.contract.Node.Region;
import org.tutti.rdma.contract.Node.Shape;
import org.tutti.rdma.contract.Node.Tuning;
import org.tutti.rdma.tcp.wire.Fpdu;
import org.tutti.rdma.tcp.wire.ReadRequest;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests when a connection accesses memory: never before it checked a frame, nor after the memory may be freed. */
class StreamMemoryTest
{
    private static final int LONG = 20_000;
    private static final int ALL = Integer.MAX_VALUE;

    private final StreamContext context = new StreamContext(new TcpProvider().devices().getLast(), 1);
    private final LocalNode node = new LocalNode(() -> context);
    private final Info own = node.open(Shape.DEFAULT.withMemory(StreamMemory.LENGTH));
    private final StreamMemory memory = new StreamMemory(node, own);
    private final ScriptedChannel channel = new ScriptedChannel();
    private final PeerFrames frames = new PeerFrames(true);
    private final int qpNum = node.createQueuePair();

    StreamMemoryTest()
    {
        node.connect(qpNum, own, 99, Tuning.DEFAULT);
        assertTrue(context.establish(channel, true));
    }

    @AfterEach
    void shouldClose()
    {
        node.close();
    }

    private void receive(final int count)
    {
        channel.permitReads(count);
        context.step();
    }

    private static byte[] payload(final int length)
    {
        final byte[] payload = new byte[length];
        Arrays.fill(payload, (byte)0x33);
        return payload;
    }

    @Test
    void shouldCheckTheCrcOfALongSendThatArrivedBeforeItsReceive()
    {
        channel.send(frames.sealed(frames.untagged(Fpdu.SEND, true, 1, 0, payload(LONG)), 1 << 7));
        // Its header is handled before the rest is there, finds no receive, and waits.
        receive(1000);
        assertEquals(QueuePairState.RTS, node.state(qpNum));
        receive(ALL);
        node.postReceive(qpNum, List.of(Receive.of(1, memory.sink(0, LONG))));
        context.step();
        final List<Completion> done = node.pollReceives(1, 0);
        assertFalse(done.getFirst().isSuccess(), "received " + done);
        assertEquals(QueuePairState.ERR, node.state(qpNum));
    }

    @Test
    void shouldReceiveALongSendThatArrivedBeforeItsReceive()
    {
        channel.send(frames.sealed(frames.untagged(Fpdu.SEND, true, 1, 0, payload(LONG)), 0));
        receive(1000);
        receive(ALL);
        node.postReceive(qpNum, List.of(Receive.of(1, memory.sink(0, LONG))));
        context.step();
        final List<Completion> done = node.pollReceives(1, 0);
        assertTrue(done.getFirst().isSuccess(), "received " + done);
        assertEquals(LONG, done.getFirst().byteLength());
    }

    @Test
    void shouldNotWriteToARegionThatIsDeregisteredWhileAFrameArrives()
    {
        final Region region = memory.region(StreamMemory.WRITABLE);
        channel.send(frames.sealed(
            frames.tagged(Fpdu.WRITE, true, region.rkey(), region.address(), payload(LONG)), 0));
        receive(5000);
        assertEquals(0x33, node.getAt(region.address(), 1)[0], "the frame is placed as it arrives");
        memory.deregister(StreamMemory.WRITABLE);
        receive(ALL);
        memory.check();
        assertEquals(QueuePairState.ERR, node.state(qpNum));
        assertFalse(context.isConnected());
    }

    @Test
    void shouldNotWriteToAReceiveWhoseRegionIsDeregisteredWhileItsMessageArrives()
    {
        node.postReceive(qpNum, List.of(Receive.of(1, memory.sink(0, LONG))));
        channel.send(frames.sealed(frames.untagged(Fpdu.SEND, true, 1, 0, payload(LONG)), 0));
        receive(5000);
        memory.deregister(StreamMemory.LOCAL);
        receive(ALL);
        memory.check();
        assertFalse(node.pollReceives(1, 0).getFirst().isSuccess());
    }

    @Test
    void shouldKeepTheConnectionWhenAnotherRegionIsDeregisteredWhileAFrameArrives()
    {
        final Region region = memory.region(StreamMemory.WRITABLE);
        channel.send(frames.sealed(
            frames.tagged(Fpdu.WRITE, true, region.rkey(), region.address(), payload(LONG)), 0));
        receive(5000);
        memory.deregister(StreamMemory.LOCAL);
        receive(ALL);
        assertArrayEquals(payload(LONG), node.getAt(region.address(), LONG));
        assertTrue(context.isConnected());
    }

    private byte[] readRequest(final Region region, final int length)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment request = arena.allocate(ReadRequest.SIZE, 8);
            ReadRequest.put(request.address(), 5, 0, length, region.rkey(), region.address());
            return frames.sealed(
                frames.untagged(Fpdu.READ_REQUEST, true, 1, 0, request.toArray(JAVA_BYTE)), 0);
        }
    }

    /** Asks for a long read whose response the socket takes in part. */
    private byte[] readInPart(final Region region)
    {
        final byte[] expected = node.getAt(region.address(), 9000);
        channel.permitWrites(100);
        channel.send(readRequest(region, expected.length));
        receive(ALL);
        assertEquals(100, channel.writtenCount());
        return expected;
    }

    private void checkResponse(final byte[] expected)
    {
        assertTrue(frames.next(channel.written(), 0) > 0, "the response is written, and its CRC is right");
        assertEquals(Fpdu.READ_RESPONSE, Fpdu.opcode(frames.address()));
        final MemorySegment data = MemorySegment.ofAddress(frames.address() + Fpdu.TAGGED_HEADER);
        assertArrayEquals(expected, data.reinterpret(expected.length).toArray(JAVA_BYTE));
    }

    @Test
    void shouldNotReadFromARegionThatIsDeregisteredWhileAResponseIsWritten()
    {
        final Region region = memory.region(StreamMemory.READABLE);
        final byte[] expected = readInPart(region);
        memory.deregister(StreamMemory.READABLE);
        node.putAt(region.address(), new byte[expected.length]);
        channel.permitWrites(ALL);
        context.step();
        checkResponse(expected);
    }

    @Test
    void shouldNotReadFromARegionAfterTheQueuePairIsReset()
    {
        final Region region = memory.region(StreamMemory.READABLE);
        final byte[] expected = readInPart(region);
        node.toState(qpNum, QueuePairState.RESET);
        memory.deregister(StreamMemory.READABLE);
        node.putAt(region.address(), new byte[expected.length]);
        channel.permitWrites(ALL);
        context.step();
        checkResponse(expected);
    }
}
