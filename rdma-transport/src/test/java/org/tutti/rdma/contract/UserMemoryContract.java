/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.Test;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.contract.Node.Receive;
import org.tutti.rdma.contract.Node.Region;
import org.tutti.rdma.contract.Node.Send;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Tests user memory on either side or on both. */
abstract class UserMemoryContract extends PairContract
{
    static final int ACCESS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE;
    static final int LENGTH = 300_000;
    static final int READ_WRITE = AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE;

    @Test
    void shouldSendFromAndToUserMemory()
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
    void shouldWriteFromAndToUserMemory()
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
    void shouldReadFromAndToUserMemory()
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

    /** Runs an exchange with allocated memory on both sides, and with user memory on one, the other and both sides. */
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
}
