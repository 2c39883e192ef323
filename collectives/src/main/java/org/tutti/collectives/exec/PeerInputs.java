/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.collectives.endpoint.Connection;
import org.tutti.collectives.endpoint.ControlBlock;
import org.tutti.collectives.fault.Diagnosis;
import org.tutti.collectives.wireup.Team;

/**
 * INPUTs of peers that this process reads in place. A peer that gives up a call, because its deadline passed or a rank
 * failed, does not wait for the ranks that read its INPUT: the application may write there again. So a rank checks
 * after each read whether the peer has given up. Not thread-safe; allocates nothing.
 */
final class PeerInputs
{
    private final ControlBlock control;
    private final Diagnosis diagnosis;
    private final Connection[] connections;

    PeerInputs(final Team team, final Diagnosis diagnosis)
    {
        control = team.memory().control();
        this.diagnosis = diagnosis;
        connections = team.connections();
    }

    /**
     * Returns the local address of a range of a peer's INPUT.
     *
     * @param peer   peer that has exposed its INPUT.
     * @param offset offset of the range, in bytes.
     * @param length length of the range in bytes, at least 1.
     * @return address in this process.
     */
    long address(final CallInProgress call, final int peer, final long offset, final long length)
    {
        final int slot = call.memory.slot();
        final long address = connections[peer].endpoint().reach(
            control.exposedInput(peer, slot) + offset, length, control.exposedInputRkey(peer, slot));
        if (address == 0)
        {
            throw diagnosis.unmappable(call.sequence, peer);
        }
        return address;
    }

    /** Throws if the data read so far may be invalid. */
    void requireRead(final long sequence, final int peer)
    {
        if (!connections[peer].endpoint().isInputValid())
        {
            throw diagnosis.gaveUp(sequence, peer);
        }
    }
}
