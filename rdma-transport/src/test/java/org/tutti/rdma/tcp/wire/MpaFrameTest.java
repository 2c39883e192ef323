/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.wire;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.rdma.Gid;

import java.nio.ByteBuffer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the frames that begin a connection, and that changed ones are refused. */
class MpaFrameTest
{
    private static final PrivateData.Place HERE = new PrivateData.Place(new Gid(0, 0xFFFF_7F00_0001L), 40_000, 0x123);
    private static final PrivateData.Place THERE = new PrivateData.Place(new Gid(0, 0xFFFF_7F00_0001L), 50_000, 0x456);

    private static final ReadLimits LIMITS = new ReadLimits(3, 5);

    private static ByteBuffer frame(final boolean isRequest, final byte[] data)
    {
        final ByteBuffer buffer = ByteBuffer.allocateDirect(MpaFrame.HEADER + MpaFrame.MAX_PRIVATE_DATA);
        MpaFrame.put(buffer, isRequest, true, LIMITS, data);
        return buffer;
    }

    @Property(tries = 100)
    void shouldReadWhatWasWritten(@ForAll @Size(max = 508) final byte[] data, @ForAll final boolean isRequest)
    {
        final ByteBuffer buffer = frame(isRequest, data);

        assertTrue(MpaFrame.isPlausible(buffer, buffer.position(), isRequest));
        assertEquals(buffer.position(), MpaFrame.length(buffer));
        assertTrue(MpaFrame.isCrcUsed(buffer));
        assertEquals(LIMITS, MpaFrame.readLimits(buffer));
        assertArrayEquals(data, MpaFrame.privateData(buffer));
    }

    @Property(tries = 200)
    void shouldRefuseAnyOtherKey(
        @ForAll @IntRange(max = 15) final int index, @ForAll @IntRange(min = 1, max = 255) final int bits)
    {
        final ByteBuffer buffer = frame(true, new byte[4]);
        buffer.put(index, (byte)(buffer.get(index) ^ bits));

        assertFalse(MpaFrame.isPlausible(buffer, index + 1, true));
        assertTrue(MpaFrame.isPlausible(buffer, index, true));
    }

    @Test
    void shouldRefuseMarkersOtherRevisionsAndLongData()
    {
        assertFalse(MpaFrame.isPlausible(frame(true, new byte[4]).put(16, (byte)0xD0), MpaFrame.HEADER, true));
        assertFalse(MpaFrame.isPlausible(frame(true, new byte[4]).put(17, (byte)0), MpaFrame.HEADER, true));
        assertFalse(MpaFrame.isPlausible(frame(true, new byte[4]).put(17, (byte)3), MpaFrame.HEADER, true));
        assertFalse(MpaFrame.isPlausible(frame(true, new byte[4]).putShort(18, (short)513), MpaFrame.HEADER, true));
        assertFalse(MpaFrame.isPlausible(frame(true, new byte[4]).putShort(18, (short)3), MpaFrame.HEADER, true));
        assertFalse(MpaFrame.isPlausible(frame(true, new byte[4]), MpaFrame.HEADER, false));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldReadFrameWithoutLimits(final int revision)
    {
        final ByteBuffer buffer = ByteBuffer.allocateDirect(MpaFrame.HEADER);
        MpaFrame.putBasic(buffer, true, false, revision);

        assertTrue(MpaFrame.isPlausible(buffer, MpaFrame.HEADER, true));
        assertEquals(MpaFrame.HEADER, MpaFrame.length(buffer));
        assertEquals(revision, MpaFrame.revision(buffer));
        assertFalse(MpaFrame.isCrcUsed(buffer));
        assertNull(MpaFrame.readLimits(buffer));
        assertArrayEquals(new byte[0], MpaFrame.privateData(buffer));
    }

    @Test
    void shouldIgnoreEnhancedFlagOfRevision1()
    {
        final ByteBuffer buffer = frame(true, new byte[0]).put(17, (byte)1);

        assertNull(MpaFrame.readLimits(buffer));
        assertEquals(ReadLimits.SIZE, MpaFrame.privateData(buffer).length);
    }

    @Test
    void shouldReplyWithLimitsThatBothSidesPermit()
    {
        final ReadLimits own = new ReadLimits(16, 16);
        assertEquals(new ReadLimits(20, 4), new ReadLimits(4, 20).reply(own));
        assertEquals(new ReadLimits(20, 16), new ReadLimits(30, 20).reply(own));
        assertEquals(new ReadLimits(0, 4), new ReadLimits(4, 20).reply(new ReadLimits(0, 16)));
    }

    @Test
    void shouldAgreeToOneProposedMessageThatEndsSilence()
    {
        final ReadLimits own = new ReadLimits(16, 16);
        assertEquals(new ReadLimits(0x8001, 0x8001), new ReadLimits(0x8001, 0xC001).reply(own));
        assertEquals(new ReadLimits(0x8001, 0x4001), new ReadLimits(0x8001, 0x4001).reply(own));
        assertEquals(new ReadLimits(1, 1), new ReadLimits(0xC001, 1).reply(own));
    }

    @Test
    void shouldDecodeOnlyTheDataOfTuttiPeers()
    {
        final byte[] data =
            new PrivateData(HERE, THERE, 77, 5, new byte[PrivateData.NONCE], new byte[Proof.SIZE]).encoded();
        final PrivateData decoded = PrivateData.decode(data);
        assertEquals(HERE, decoded.from());
        assertEquals(THERE, decoded.to());
        assertEquals(77, decoded.psn());

        // The capability word: a peer that does not understand announced frames is no peer of this version.
        assertEquals(3, ByteBuffer.wrap(data).getInt(4));
        data[0] ^= 1;
        assertNull(PrivateData.decode(data));
        data[0] ^= 1;
        data[7] ^= 2;
        assertNull(PrivateData.decode(data));
        assertNull(PrivateData.decode(new byte[PrivateData.SIZE - 1]));
        assertNull(PrivateData.decode(new PrivateData(new PrivateData.Place(HERE.gid(), HERE.port(), 0), THERE, 77, 5,
            new byte[PrivateData.NONCE], new byte[Proof.SIZE]).encoded()));
    }

    @Test
    void shouldProveNothingByAnotherSecretStepOrNonce()
    {
        final byte[] nonce = new byte[PrivateData.NONCE];
        final byte[] proof = new Proof(new byte[16]).of("request", HERE, THERE, 1, 7, nonce);
        assertTrue(Proof.isSame(proof, new Proof(new byte[16]).of("request", HERE, THERE, 1, 7, nonce)));

        final byte[] other = new byte[16];
        other[0] = 1;
        assertFalse(Proof.isSame(proof, new Proof(other).of("request", HERE, THERE, 1, 7, nonce)));
        assertFalse(Proof.isSame(proof, new Proof(new byte[16]).of("reply", HERE, THERE, 1, 7, nonce)));
        assertFalse(Proof.isSame(proof, new Proof(new byte[16]).of("request", THERE, HERE, 1, 7, nonce)));
        assertFalse(Proof.isSame(proof, new Proof(new byte[16]).of("request", HERE, THERE, 2, 7, nonce)));
        assertFalse(Proof.isSame(proof, new Proof(new byte[16]).of("request", HERE, THERE, 1, 7, other)));
    }
}
