/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import org.tutti.rdma.Gid;

import java.util.List;

/**
 * The data that peers need to reach a rank's queue pairs and memory over one of its ports. The bootstrap carries the
 * records of all ports of a rank together, encoded by {@link EndpointCodec}.
 *
 * @param transport  name of the provider, which must be the same on both sides of a connection.
 * @param network    kind of network of the port; ports reach each other only within one kind.
 * @param device     name of the device.
 * @param host       name of the host, for messages.
 * @param hostId     identity of the host: the same for ranks on one host.
 * @param port       number of the device's port, from 1.
 * @param mtu        path MTU in bytes.
 * @param mbit       nominal rate of the link in Mbit/s; 0 if unknown.
 * @param lid        LID of the port, or 0 if the fabric has none.
 * @param gid        GID of the port.
 * @param psn        first packet sequence number that the rank sends, 24 bits.
 * @param queuePairs queue pairs of the rank, each for one peer.
 * @param regions    memory that peers may access, in an order that both sides know.
 * @param settings   settings that must be the same on all ranks, as text.
 */
public record EndpointRecord(
    String transport, String network, String device, String host, String hostId, int port, int mtu, int mbit, int lid,
    Gid gid, int psn, List<PeerQueuePair> queuePairs, List<Region> regions, String settings)
{
    /**
     * A queue pair for one peer.
     *
     * @param peer        rank of the peer.
     * @param number      queue pair number, 24 bits.
     * @param fifoAddress address of the receive FIFO that the peer stores its messages into; 0 if there is none.
     * @param fifoRkey    remote key of the receive FIFO.
     */
    record PeerQueuePair(int peer, int number, long fifoAddress, int fifoRkey)
    {
    }

    /**
     * Memory of a rank.
     *
     * @param address address of the first byte, in the rank.
     * @param length  length in bytes.
     * @param rkey    remote key for peers.
     */
    record Region(long address, long length, int rkey)
    {
    }

    /** Copies the lists. */
    public EndpointRecord
    {
        queuePairs = List.copyOf(queuePairs);
        regions = List.copyOf(regions);
    }
}
