/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import org.tutti.collectives.device.NetDevice;
import org.tutti.collectives.wireup.PooledDataBuffer;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The description of a rank's part of a window, which it sends to the other ranks.
 *
 * @param name          name of the window; only the name that rank 0 sends is used.
 * @param count         number of elements.
 * @param address       address of the first element.
 * @param signalAddress address of the rank's {@link Signals}.
 * @param reads         maximum number of RDMA reads in flight to or from one peer.
 * @param keys          keys, one per device.
 */
record WindowDescriptor(String name, long count, long address, long signalAddress, int reads, List<Keys> keys)
{
    private static final int FIXED_LENGTH = 3 * Long.BYTES + 3 * Integer.BYTES;

    /**
     * Remote keys for the peers that reach this rank over one transport.
     *
     * @param transport transport of the device.
     * @param memory    remote key of the window's memory.
     * @param signals   remote key of the signals.
     */
    record Keys(String transport, int memory, int signals)
    {
        private static final int FIXED_LENGTH = 3 * Integer.BYTES;
    }

    static WindowDescriptor of(
        final String name, final PooledDataBuffer memory, final RegisteredBuffer signals, final int reads,
        final List<NetDevice> devices)
    {
        final RegisteredBuffer registered = memory.memory();
        return new WindowDescriptor(name, memory.count(), registered.address(), signals.address(), reads,
            devices.stream().map(device -> new Keys(
                device.port().transport(), registered.rkey(device.index()), signals.rkey(device.index()))).toList());
    }

    static WindowDescriptor decode(final byte[] bytes)
    {
        final ByteBuffer buffer = ByteBuffer.wrap(bytes);
        final long count = buffer.getLong();
        final long address = buffer.getLong();
        final long signalAddress = buffer.getLong();
        final int reads = buffer.getInt();
        final String name = text(buffer);
        final int keyCount = buffer.getInt();
        final List<Keys> keys = new ArrayList<>();
        for (int i = 0; i < keyCount; i++)
        {
            keys.add(new Keys(text(buffer), buffer.getInt(), buffer.getInt()));
        }
        return new WindowDescriptor(name, count, address, signalAddress, reads, keys);
    }

    byte[] encode()
    {
        final byte[] text = name.getBytes(StandardCharsets.UTF_8);
        final int keysLength = keys.stream().mapToInt(each ->
            Keys.FIXED_LENGTH + each.transport.getBytes(StandardCharsets.UTF_8).length).sum();
        final ByteBuffer buffer = ByteBuffer.allocate(FIXED_LENGTH + text.length + keysLength)
            .putLong(count).putLong(address).putLong(signalAddress).putInt(reads)
            .putInt(text.length).put(text).putInt(keys.size());
        for (final Keys each : keys)
        {
            final byte[] transport = each.transport.getBytes(StandardCharsets.UTF_8);
            buffer.putInt(transport.length).put(transport).putInt(each.memory).putInt(each.signals);
        }
        return buffer.array();
    }

    private static String text(final ByteBuffer buffer)
    {
        final byte[] bytes = new byte[buffer.getInt()];
        buffer.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Returns the keys for peers that reach this rank over a transport. */
    Keys keys(final String transport)
    {
        return keys.stream().filter(each -> each.transport.equals(transport)).findFirst().orElseThrow();
    }
}
