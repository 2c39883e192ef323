/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select.model;

import org.tutti.rdma.select.TransportNames;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A kind of wire with its shipped parameters; {@code tutti calibrate} measures those of other machines. */
public enum WireKind
{
    /**
     * Shared memory within a host. Measured with two ranks on an AMD EPYC whose two cores share a cache, and rounded:
     * {@code tutti calibrate benchmarks/history/simulator-measured.csv --cores 2}.
     */
    SHM,
    /**
     * Software iWARP over TCP. Measured between hosts that are namespaces of one machine, on two cores of an AMD EPYC:
     * half a round trip of a blocking call takes 7 to 9 us, and a rank sends 1.1 to 1.8 GB/s. How the time is divided
     * into parts is assumed.
     */
    TCP,
    /**
     * RDMA devices. Assumed, not measured: round numbers for an adapter of 400 Gbit/s. Also used for providers without
     * parameters of their own.
     */
    VERBS;

    /**
     * Returns the wire of a provider.
     *
     * @param transport name of the provider, such as {@code tcp}.
     * @return the wire, never null.
     */
    public static WireKind ofTransport(final String transport)
    {
        return transport.equals(TransportNames.SHARED) ? SHM : transport.equals(TransportNames.TCP) ? TCP : VERBS;
    }

    /**
     * Returns the wire with a name.
     *
     * @param name name as in {@link #label()}.
     * @return the wire, never null.
     * @throws IllegalArgumentException if there is none; the message lists the names that exist.
     */
    public static WireKind named(final String name)
    {
        return Arrays.stream(values()).filter((wire) -> wire.label().equals(name)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("unknown wire \"" + name + "\": must be one of " +
                Arrays.stream(values()).map(WireKind::label).collect(Collectors.joining(", "))));
    }

    /**
     * Returns the name in tables and files.
     *
     * @return name such as {@code tcp}.
     */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the shipped parameters.
     *
     * @return cost of a message between two ranks.
     */
    public LinkClass link()
    {
        return switch (this)
        {
            case SHM -> new LinkClass(44, 44, 140, 0, 0.017, true);
            case TCP -> new LinkClass(1500, 1500, 4900, 500, 0.7, false);
            case VERBS -> new LinkClass(250, 250, 600, 50, 0.02, false);
        };
    }

    /**
     * Returns the maximum length of a PUT whose source may be reused as soon as it is posted. TCP copies all bytes;
     * RDMA devices copy inline ones, and read others until the peer has acknowledged them.
     *
     * @return length in bytes.
     */
    int inlineBytes()
    {
        return this == TCP ? Integer.MAX_VALUE : 256;
    }
}
