/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

/** What a network interface is, in order of preference for connections to other hosts. */
public enum InterfaceKind
{
    /** An adapter, or an interface on top of one: a bond, a VLAN. */
    PHYSICAL("physical"),
    /** Any other interface, such as that of a container, or a tunnel; also a bridge that an adapter is attached to. */
    VIRTUAL("virtual"),
    /** A bridge that connects containers and virtual machines of this host only. */
    BRIDGE("a bridge"),
    /** Reaches this host only. */
    LOOPBACK("loopback");

    private final String text;

    InterfaceKind(final String text)
    {
        this.text = text;
    }

    @Override
    public String toString()
    {
        return text;
    }
}
