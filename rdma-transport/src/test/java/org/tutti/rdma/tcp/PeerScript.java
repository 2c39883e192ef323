/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.contract.LocalNode;
import org.tutti.rdma.contract.Node.Posted;
import org.tutti.rdma.contract.Node.Receive;
import org.tutti.rdma.contract.Node.Region;
import org.tutti.rdma.contract.Node.Send;
import org.tutti.rdma.contract.Node.Sge;
import org.tutti.rdma.tcp.wire.AtomicRequest;
import org.tutti.rdma.tcp.wire.Fpdu;
import org.tutti.rdma.tcp.wire.ReadRequest;
import org.tutti.rdma.tcp.wire.Terminate;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/**
 * Runs a script of bytes: frames of the peer, right but for the bytes that the script changes, and what the side under
 * test does meanwhile. Every sequence of bytes is a script; what is missing at its end is 0. Used by one thread.
 */
final class PeerScript
{
    /** Lengths to choose from: 2048 is the limit for copies, and longer than 4096 is read directly to its place. */
    private static final int[] LENGTHS = {0, 1, 7, 8, 12, 28, 100, 1000, 2048, 2049, 4200, 5000, 9001, 20_000, 65_504};
    private static final int MAX_SGE = 3;

    /** A read or atomic of the side under test that the peer has not answered. */
    private record Asked(boolean isRead, int stag, long offset, long length, int id)
    {
    }

    private final ByteBuffer script;
    private final LocalNode node;
    private final StreamContext context;
    private final ScriptedChannel channel;
    private final StreamMemory memory;
    private final PeerFrames frames;
    private final int qpNum;
    private final Deque<Asked> asked = new ArrayDeque<>();
    private final List<Long> sends = new ArrayList<>();
    private final Set<Long> receives = new HashSet<>();
    private int sendMsn = 1;
    private int sendOffset;
    private int readMsn = 1;
    private int atomicMsn = 1;
    private int answered;
    private int parsed;
    private long lastId;
    private boolean isAtomicSent;

    PeerScript(final ByteBuffer script, final LocalNode node, final StreamContext context,
        final ScriptedChannel channel, final StreamMemory memory, final PeerFrames frames, final int qpNum)
    {
        this.script = script;
        this.node = node;
        this.context = context;
        this.channel = channel;
        this.memory = memory;
        this.frames = frames;
        this.qpNum = qpNum;
    }

    /** The identifiers of the receives that were posted. */
    Set<Long> receives()
    {
        return receives;
    }

    /** The identifiers of the requests that were posted. */
    List<Long> sends()
    {
        return sends;
    }

    private int next()
    {
        return script.hasRemaining() ? script.get() & 0xFF : 0;
    }

    private int length()
    {
        final int choice = next();
        return choice < LENGTHS.length ? LENGTHS[choice] : choice;
    }

    void run()
    {
        while (script.hasRemaining())
        {
            final int step = next();
            switch (step & 0xF)
            {
                case 0 -> send(frames.tagged(Fpdu.WRITE, isLast(), stag(), target(), payload(length())));
                case 1, 2 -> sendSegment(step);
                case 3 -> request(Fpdu.IMMEDIATE + (step >>> 4 & 1), sendMsn++, payload(8));
                case 4 -> request(Fpdu.READ_REQUEST, readMsn++, readRequest());
                case 5 -> request(Fpdu.ATOMIC_REQUEST, readMsn++, atomicRequest());
                case 6 -> respond(length());
                case 7 -> sendAnnounced((1 << (step >>> 4 & 3)) - 1);
                case 8 -> request(Fpdu.TERMINATE, 1, terminate());
                case 9 -> sendBytes(length());
                case 10 -> postReceive();
                case 11, 12 -> postSend();
                case 13 -> channel.permitWrites((step & 0x10) == 0 ? Integer.MAX_VALUE : length());
                case 14 -> memory.deregister(step >>> 4 & 3);
                default -> step(length());
            }
            if (next() < 0x80)
            {
                step(Integer.MAX_VALUE);
            }
            readWritten();
        }
    }

    /** Lets the side under test read bytes, and go on. */
    void step(final int bytes)
    {
        channel.permitReads(bytes);
        context.step();
        memory.check();
    }

    private boolean isLast()
    {
        return next() < 0xC0;
    }

    private int stag()
    {
        final int choice = next();
        return choice < 0xF0 ? memory.region(choice & 3).rkey() : choice;
    }

    /** An address: in the writable region, near the end of one, or anywhere. */
    private long target()
    {
        final int choice = next();
        final Region region = memory.region(choice & 3);
        return switch (choice >>> 2 & 7)
        {
            case 0, 1, 2, 3 -> region.address() + 8L * next();
            case 4 -> region.address() + region.length() - next();
            case 5 -> region.address() - next();
            case 6 -> memory.address() + ((long)next() << 10) + next();
            default -> script.remaining() >= Long.BYTES ? script.getLong() : -next();
        };
    }

    private byte[] payload(final int length)
    {
        final byte[] payload = new byte[length];
        for (int i = 0; i < length; i++)
        {
            payload[i] = (byte)(i * 31 + length & 0x7F);
        }
        return payload;
    }

    private void sendSegment(final int step)
    {
        final int length = length();
        final boolean isLast = isLast();
        final byte[] frame =
            frames.untagged(Fpdu.SEND + (step >>> 4 & 3), isLast, sendMsn, sendOffset, payload(length));
        sendOffset = isLast ? 0 : sendOffset + length;
        sendMsn += isLast ? 1 : 0;
        send(frame);
    }

    /** Sends a segment of a write that announces others, and these, unless the script changes or omits them. */
    private void sendAnnounced(final int count)
    {
        final int length = length();
        final int stag = stag();
        final long target = target();
        send(frames.announcing(count, frames.tagged(Fpdu.WRITE, false, stag, target, payload(length))));
        for (int i = 1; i <= count; i++)
        {
            final int choice = next();
            if (choice >= 0xE0)
            {
                return;
            }
            if (choice >= 0x80)
            {
                step(length());
            }
            send(frames.tagged(Fpdu.WRITE, i == count && isLast(), stag, target + (long)i * length, payload(length)));
        }
    }

    private void request(final int opcode, final int msn, final byte[] payload)
    {
        send(frames.untagged(opcode, true, msn, 0, payload));
    }

    private static byte[] nativeBytes(final int length, final LongConsumer writer)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment bytes = arena.allocate(length, 8);
            writer.accept(bytes.address());
            return bytes.toArray(JAVA_BYTE);
        }
    }

    private byte[] readRequest()
    {
        final int sink = next();
        final int length = length();
        final int stag = stag();
        final long source = target();
        return nativeBytes(ReadRequest.SIZE, to -> ReadRequest.put(to, sink, 8L * sink, length, stag, source));
    }

    private byte[] atomicRequest()
    {
        isAtomicSent = true;
        final int operation = next() < 0x80 ? AtomicRequest.FETCH_ADD : AtomicRequest.COMPARE_SWAP;
        final int id = next();
        final int stag = stag();
        final long offset = target() + 5;
        return nativeBytes(
            AtomicRequest.SIZE, to -> AtomicRequest.put(to, operation, id, stag, offset, 1, id));
    }

    private byte[] terminate()
    {
        final int[] errors = {Terminate.CLOSED, Terminate.ACCESS, Terminate.INVALID_REQUEST, Terminate.OPERATION,
            Terminate.NO_RECEIVE, Terminate.TOO_LONG, Terminate.PROTOCOL, 0xFFFF};
        final int error = errors[next() & 7];
        final int executed = next();
        return nativeBytes(
            Terminate.SIZE, to -> Terminate.put(to, error, executed < 0xF0 ? executed : Long.MIN_VALUE + executed));
    }

    /** Responds to the first read or atomic that is due; without one, by a response that is not. */
    private void respond(final int length)
    {
        final Asked first = asked.peek();
        if (first != null && !first.isRead)
        {
            asked.remove();
            final byte[] response = nativeBytes(AtomicRequest.RESPONSE_SIZE, to -> Fpdu.putInt(to, first.id));
            send(frames.untagged(Fpdu.ATOMIC_RESPONSE, true, atomicMsn++, 0, response));
            return;
        }
        final long due = first == null ? length : first.length - answered;
        final int now = (int)Math.min(length, due);
        final boolean isLast = now == due;
        send(frames.tagged(Fpdu.READ_RESPONSE, isLast, first == null ? 0 : first.stag,
            first == null ? 0 : first.offset + answered, payload(now)));
        answered += now;
        if (isLast)
        {
            asked.poll();
            answered = 0;
        }
    }

    /** Sends a frame after the script's changes to its header; its CRC covers these. */
    private void send(final byte[] frame)
    {
        final int changes = next();
        for (int i = 0; i < (changes & 3); i++)
        {
            frame[next() % Math.min(frame.length, Fpdu.UNTAGGED_HEADER + AtomicRequest.SIZE)] = (byte)next();
        }
        channel.send(frames.sealed(frame, changes >= 0xF0 ? 1 << (changes & 0xF) : 0));
    }

    /** Sends bytes of the script as they are. */
    private void sendBytes(final int length)
    {
        final byte[] bytes = new byte[Math.min(length, script.remaining())];
        script.get(bytes);
        channel.send(bytes);
    }

    private List<Sge> sinks()
    {
        final List<Sge> sinks = new ArrayList<>();
        for (int i = next() % (MAX_SGE + 1); i > 0; i--)
        {
            sinks.add(memory.sink(next() << 7, length()));
        }
        return sinks;
    }

    private void postReceive()
    {
        final Receive receive = new Receive(++lastId, sinks());
        if (node.postReceive(qpNum, List.of(receive)).equals(Posted.ALL))
        {
            receives.add(lastId);
        }
    }

    private void postSend()
    {
        final int opcode = next() % (SendOpcode.ATOMIC_FETCH_AND_ADD + 1);
        final int flags = next() & (SendFlags.FENCE | SendFlags.SIGNALED | SendFlags.SOLICITED);
        final List<Sge> sges = opcode > SendOpcode.RDMA_READ ? List.of(memory.sink(next() << 3, 8)) :
            opcode == SendOpcode.RDMA_READ ? sinks() : List.of(memory.source(next(), length()));
        if (node.postSend(qpNum, List.of(new Send(++lastId, opcode, flags, 1, 4096, 77, 1, 2, sges))).errno() == 0)
        {
            sends.add(lastId);
        }
    }

    /** Checks what the side under test has written, and notes the requests in it. */
    void readWritten()
    {
        if (channel.writtenCount() == parsed)
        {
            return;
        }
        final byte[] written = channel.written();
        for (int length = frames.next(written, parsed); length > 0; length = frames.next(written, parsed))
        {
            parsed += length;
            final long frame = frames.address();
            final long payload = frame + Fpdu.UNTAGGED_HEADER;
            switch (Fpdu.opcode(frame))
            {
                case Fpdu.READ_REQUEST -> asked.add(new Asked(true, ReadRequest.sink(payload),
                    ReadRequest.sinkOffset(payload), ReadRequest.length(payload), 0));
                case Fpdu.ATOMIC_REQUEST -> asked.add(new Asked(false, 0, 0, 0, AtomicRequest.id(payload)));
                case Fpdu.READ_RESPONSE ->
                {
                    if (!isAtomicSent)
                    {
                        StreamMemory.checkReadable(MemorySegment.ofAddress(frame + Fpdu.TAGGED_HEADER)
                            .reinterpret(Fpdu.length(frame) - Fpdu.TAGGED_HEADER));
                    }
                }
                default ->
                {
                    // Nothing to note.
                }
            }
        }
    }
}
