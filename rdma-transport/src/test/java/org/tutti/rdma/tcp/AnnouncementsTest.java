/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.contract.LocalNode;
import org.tutti.rdma.contract.Node.Info;
import org.tutti.rdma.contract.Node.Region;
import org.tutti.rdma.contract.Node.Send;
import org.tutti.rdma.contract.Node.Shape;
import org.tutti.rdma.contract.Node.Tuning;
import org.tutti.rdma.tcp.wire.Fpdu;
import org.tutti.rdma.tcp.wire.ReadRequest;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests what the frames of a requester announce, and that exactly the announced frames follow. */
class AnnouncementsTest
{
    private static final int MEMORY = 1 << 21;
    private static final int STANDARD = 0;
    private static final int TUTTI = 99;

    private final StreamContext context = new StreamContext(new TcpProvider().devices().getLast(), 1);
    private final LocalNode node = new LocalNode(() -> context);
    private final Info own = node.open(Shape.DEFAULT.withMemory(MEMORY));
    private final Region region = node.register(0, MEMORY, AccessFlags.ALL);
    private ScriptedChannel channel = new ScriptedChannel();
    private final PeerFrames frames = new PeerFrames(true);
    private final int qpNum = node.createQueuePair();

    @AfterEach
    void shouldClose()
    {
        node.close();
    }

    private void connect(final int peerQpNum)
    {
        node.connect(qpNum, own, peerQpNum, Tuning.DEFAULT);
        assertTrue(context.establish(channel, true));
        // To a standard peer, the side that accepted the connection is silent until the first frame.
        receive(frames.tagged(Fpdu.WRITE, true, 0, 0, new byte[0]));
    }

    private void receive(final byte[] frame)
    {
        channel.send(frames.sealed(frame, 0));
        channel.permitReads(Integer.MAX_VALUE);
        context.step();
    }

    private void post(final int opcode, final long offset, final long length)
    {
        final Send send = Send.rdma(opcode, 1, 4096, 7, region.sge(offset, (int)length));
        assertEquals(0, node.postSend(qpNum, List.of(send)).errno());
    }

    private void writeAll()
    {
        channel.permitWrites(Integer.MAX_VALUE);
        for (int i = 0; i < 64; i++)
        {
            context.step();
        }
    }

    /** Checks all announced frames of the written ones; returns the opcode of each, and what it announces. */
    private List<String> written()
    {
        final List<String> written = new ArrayList<>();
        final byte[] stream = channel.written();
        int at = 0;
        int left = 0;
        int length = 0;
        long offset = 0;
        for (int whole = frames.next(stream, at); whole > 0; whole = frames.next(stream, at))
        {
            final long frame = frames.address();
            final int announced = Fpdu.announced(frame);
            if (left-- > 0)
            {
                assertEquals(Fpdu.WRITE, Fpdu.opcode(frame));
                assertEquals(offset, Fpdu.taggedOffset(frame));
                assertEquals(length, Fpdu.length(frame));
                assertEquals(0, announced);
                assertTrue(left == 0 || !Fpdu.isLast(frame));
            }
            else
            {
                left = announced;
                length = Fpdu.length(frame);
            }
            offset = Fpdu.taggedOffset(frame) + length - Fpdu.TAGGED_HEADER;
            written.add(Fpdu.opcode(frame) + ":" + announced);
            at += whole;
        }
        return written;
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
        0, 65504, 0:0
        0, 65505, 0:0 0:0
        0, 131008, 0:1 0:0
        0, 196512, 0:1 0:0 0:0
        0, 262144, 0:3 0:0 0:0 0:0 0:0
        0, 327520, 0:3 0:0 0:0 0:0 0:0
        0, 524032, 0:7 0:0 0:0 0:0 0:0 0:0 0:0 0:0
        0, 786048, 0:7 0:0 0:0 0:0 0:0 0:0 0:0 0:0 0:3 0:0 0:0 0:0
        2, 200000, 3:0 3:0 3:0 3:0
        1, 131008, 0:1 0:0 8:0""")
    void shouldAnnounceTheSegmentsOfWritesToTuttiPeers(final int opcode, final int length, final String expected)
    {
        connect(TUTTI);
        post(List.of(SendOpcode.RDMA_WRITE, SendOpcode.RDMA_WRITE_WITH_IMM, SendOpcode.SEND).get(opcode), 0, length);
        writeAll();
        final List<String> written = written();
        // An empty read asks for the completion.
        assertEquals(expected + " " + Fpdu.READ_REQUEST + ":0", String.join(" ", written));
    }

    @Test
    void shouldAnnounceNothingToStandardPeers()
    {
        connect(STANDARD);
        post(SendOpcode.RDMA_WRITE, 0, 10L * Fpdu.MAX_PAYLOAD);
        writeAll();
        assertEquals("0:0 ".repeat(10).strip(), String.join(" ", written()));
    }

    @Test
    void shouldSendResponsesOnlyBehindAnnouncedFrames()
    {
        connect(TUTTI);
        channel.permitWrites(1000);
        post(SendOpcode.RDMA_WRITE, 0, 10L * Fpdu.MAX_PAYLOAD);
        for (int msn = 1; msn <= 4; msn++)
        {
            receive(read(msn, 3000));
            channel.permitWrites(100_000);
            context.step();
        }
        writeAll();
        // Between the announced frames of the write, not behind it.
        assertEquals("0:7 0:0 0:0 0:0 0:0 0:0 0:0 0:0 2:0 2:0 2:0 2:0 0:1 0:0 1:0", String.join(" ", written()));
    }

    @Test
    void shouldAnnounceAllSegmentsAgainAfterAResetAmidAnnouncedFrames()
    {
        connect(TUTTI);
        channel.permitWrites(1000);
        post(SendOpcode.RDMA_WRITE, 0, 10L * Fpdu.MAX_PAYLOAD);
        node.toState(qpNum, QueuePairState.RESET);

        channel = new ScriptedChannel();
        connect(TUTTI);
        receive(read(1, 3000));
        post(SendOpcode.RDMA_WRITE, 0, 2L * Fpdu.MAX_PAYLOAD);
        writeAll();
        assertEquals("2:0 0:1 0:0 1:0", String.join(" ", written()));
    }

    private byte[] read(final int msn, final int length)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment request = arena.allocate(ReadRequest.SIZE, 8);
            ReadRequest.put(request.address(), 5, 0, length, region.rkey(), region.address());
            return frames.untagged(Fpdu.READ_REQUEST, true, msn, 0, request.toArray(JAVA_BYTE));
        }
    }

    @Test
    void shouldEndAmidAnnouncedFramesWhenTheirMemoryIsDeregistered()
    {
        connect(TUTTI);
        channel.permitWrites(1000);
        post(SendOpcode.RDMA_WRITE, 0, 10L * Fpdu.MAX_PAYLOAD);
        node.deregister(region.id());
        writeAll();
        final List<String> written = new ArrayList<>();
        final byte[] stream = channel.written();
        int at = 0;
        for (int whole = frames.next(stream, at); whole > 0; whole = frames.next(stream, at))
        {
            written.add(Fpdu.opcode(frames.address()) + ":" + Fpdu.announced(frames.address()));
            at += whole;
        }
        assertEquals(stream.length, at);
        assertEquals("0:7", written.getFirst());
        assertEquals(Fpdu.TERMINATE + ":0", written.getLast());
        assertTrue(written.size() < 9, written::toString);
    }
}
