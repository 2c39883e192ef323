/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.Test;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.contract.Node.Receive;
import org.tutti.rdma.contract.Node.Region;
import org.tutti.rdma.contract.Node.Send;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Memory that the user brought, on either side or on both, and memory of the peer that is loaded and stored. */
abstract class UserMemoryContract extends PairContract
{
    private static final int ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE;
    private static final int LENGTH = 300_000;
    private static final int READ_WRITE = AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE;

    @Test
    void shouldSendFromAndToTheUsersMemory()
    {
        forAllPlaces((from, to) ->
        {
            final byte[] message = bytes(LENGTH, from.lkey());
            a.putAt(from.address(), message);
            bReceives(Receive.of(1, to.sge(0, 100_001), to.sge(100_001, LENGTH - 100_001)));
            aPosts(Send.send(2, from.sge(0, 7), from.sge(7, LENGTH - 7)));

            assertEquals(LENGTH, bReceived(1).byteLength());
            aSends(WorkCompletionStatus.SUCCESS, 2);
            assertArrayEquals(message, b.getAt(to.address(), LENGTH));
        });
    }

    @Test
    void shouldWriteFromAndToTheUsersMemory()
    {
        forAllPlaces((from, to) ->
        {
            final byte[] message = bytes(LENGTH, from.lkey());
            a.putAt(from.address(), message);
            bReceives(Receive.of(1));
            aPosts(Send.write(2, to, 0, from.sge(0, LENGTH - 5)).unsignaled(),
                Send.writeImm(3, 77, to, LENGTH - 5, from.sge(LENGTH - 5, 5)));

            assertEquals(77, bReceived(1).imm());
            aSends(WorkCompletionStatus.SUCCESS, 3);
            assertArrayEquals(message, b.getAt(to.address(), LENGTH));
        });
    }

    @Test
    void shouldReadFromAndToTheUsersMemory()
    {
        forAllPlaces((to, from) ->
        {
            final byte[] message = bytes(LENGTH, from.lkey());
            b.putAt(from.address(), message);
            aPosts(Send.read(1, from, 0, to.sge(0, 11), to.sge(11, LENGTH - 11)));

            aSends(WorkCompletionStatus.SUCCESS, 1);
            assertArrayEquals(message, a.getAt(to.address(), LENGTH));
        });
    }

    /** Runs it with a's and b's memory: the context's own on both sides, the user's on one, on the other, on both. */
    private void forAllPlaces(final Exchange exchange)
    {
        final Region aUser = a.registerUser(LENGTH, ACCESS);
        final Region bUser = b.registerUser(LENGTH, ACCESS);
        for (final Region from : new Region[]{aRegion, aUser})
        {
            for (final Region to : new Region[]{bRegion, bUser})
            {
                exchange.run(from, to);
            }
        }
    }

    private interface Exchange
    {
        void run(Region aPlace, Region bPlace);
    }

    @Test
    void shouldRefuseAtomicsOnTheUsersMemory()
    {
        final RdmaException ex =
            assertThrows(RdmaException.class, () -> a.registerUser(LENGTH, ACCESS | AccessFlags.REMOTE_ATOMIC));

        assertEquals(Errno.EOPNOTSUPP, ex.errno());
    }

    @Test
    void shouldLoadAndStoreThePeersMemory()
    {
        b.putLong(64, 4711);
        final long address = a.loadStoreAddress(aQp, bRegion.address() + 64, 16, bRegion.rkey(), READ_WRITE);
        assertNotEquals(0, address);
        final MemorySegment mapped = MemorySegment.ofAddress(address).reinterpret(16);

        assertEquals(4711, mapped.get(ValueLayout.JAVA_LONG, 0));
        mapped.set(ValueLayout.JAVA_LONG, 8, 4712);
        assertEquals(4712, b.getLong(72));

        // The address stays good when the peer frees other memory and this side maps more.
        b.deregister(b.registerUser(LENGTH, ACCESS).id());
        aPosts(Send.write(1, bRegion, 128, aRegion.sge(0, 8)));
        aSends(WorkCompletionStatus.SUCCESS, 1);
        b.putLong(64, 4713);
        assertEquals(4713, mapped.get(ValueLayout.JAVA_LONG, 0));
    }

    @Test
    void shouldLoadAndStoreTheUsersMemoryWithinAProcessOnly()
    {
        final Region user = b.registerUser(LENGTH, ACCESS);
        final long address = a.loadStoreAddress(aQp, user.address() + 8, 8, user.rkey(), READ_WRITE);

        assertEquals(aInfo.pid() == bInfo.pid() ? user.address() + 8 : 0, address);
    }

    @Test
    void shouldGiveNoAddressOfWhatThePeerDoesNotAllow()
    {
        final long start = bRegion.address();
        final int key = bRegion.rkey();
        final int all = READ_WRITE | AccessFlags.REMOTE_ATOMIC;
        assertNotEquals(0, a.loadStoreAddress(aQp, start, bInfo.length(), key, all));
        assertEquals(0, a.loadStoreAddress(aQp, start, 0, key, all));
        assertEquals(0, a.loadStoreAddress(aQp, start, -1, key, all));
        assertEquals(0, a.loadStoreAddress(aQp, start - 1, 8, key, all));
        assertEquals(0, a.loadStoreAddress(aQp, start + 1, bInfo.length(), key, all));
        assertEquals(0, a.loadStoreAddress(aQp, start, 8, key + 1, all));
        assertEquals(0, a.loadStoreAddress(aQp, start, 8, key, 0));
        assertEquals(0, a.loadStoreAddress(aQp, start, 8, key, AccessFlags.LOCAL_WRITE));

        final Region readable = b.register(0, 64, AccessFlags.REMOTE_READ);
        assertNotEquals(0, a.loadStoreAddress(aQp, start, 8, readable.rkey(), AccessFlags.REMOTE_READ));
        assertEquals(0, a.loadStoreAddress(aQp, start, 8, readable.rkey(), READ_WRITE));
        assertEquals(0, a.loadStoreAddress(
            aQp, start, 8, b.registerForeign(0, 64, AccessFlags.ALL).rkey(), READ_WRITE));
        b.deregister(readable.id());
        assertEquals(0, a.loadStoreAddress(aQp, start, 8, readable.rkey(), AccessFlags.REMOTE_READ));

        a.toState(aQp, QueuePairState.RESET);
        assertEquals(0, a.loadStoreAddress(aQp, start, 8, key, all));
    }

    @Test
    void shouldGiveNoAddressThroughAQueuePairThatDoesNotAllowIt()
    {
        reconnect(Node.Tuning.DEFAULT.withAccess(AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ));

        assertNotEquals(0,
            a.loadStoreAddress(aQp, bRegion.address(), 8, bRegion.rkey(), AccessFlags.REMOTE_READ));
        assertEquals(0, a.loadStoreAddress(aQp, bRegion.address(), 8, bRegion.rkey(), READ_WRITE));
    }
}
