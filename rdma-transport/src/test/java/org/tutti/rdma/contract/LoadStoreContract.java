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
import org.tutti.rdma.contract.Node.Region;
import org.tutti.rdma.contract.Node.Send;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Tests loads and stores of the peer's memory, which shared memory offers beyond verbs. */
abstract class LoadStoreContract extends UserMemoryContract
{
    @Test
    void shouldRejectRemoteAtomicWhenMemoryIsNotAllocatedByContext()
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

        // The address stays valid when the peer frees other memory and this side maps more.
        b.deregister(b.registerUser(LENGTH, ACCESS).id());
        aPosts(Send.write(1, bRegion, 128, aRegion.sge(0, 8)));
        aSends(WorkCompletionStatus.SUCCESS, 1);
        b.putLong(64, 4713);
        assertEquals(4713, mapped.get(ValueLayout.JAVA_LONG, 0));
    }

    @Test
    void shouldLoadAndStoreUserMemoryOnlyWithinOneProcess()
    {
        final Region user = b.registerUser(LENGTH, ACCESS);
        final long address = a.loadStoreAddress(aQp, user.address() + 8, 8, user.rkey(), READ_WRITE);

        assertEquals(aInfo.pid() == bInfo.pid() ? user.address() + 8 : 0, address);
    }

    @Test
    void shouldReturnNoAddressWhenRegionLacksAccessFlags()
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
    void shouldReturnNoAddressWhenQueuePairLacksAccessFlags()
    {
        reconnect(Node.Tuning.DEFAULT.withAccess(AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ));

        assertNotEquals(0,
            a.loadStoreAddress(aQp, bRegion.address(), 8, bRegion.rkey(), AccessFlags.REMOTE_READ));
        assertEquals(0, a.loadStoreAddress(aQp, bRegion.address(), 8, bRegion.rkey(), READ_WRITE));
    }
}
