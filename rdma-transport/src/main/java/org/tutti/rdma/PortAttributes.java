/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/**
 * A port's attributes ({@code ibv_port_attr}): a plain structure, as in C, created by {@link Context#queryPort}. Fields
 * that a provider does not support are 0.
 */
public final class PortAttributes
{
    /** State of the port; only an active port is usable. */
    public PortState state = PortState.NOP;
    /** Maximum path MTU, in bytes. */
    public int maxMtu;
    /** The path MTU in effect, in bytes. */
    public int activeMtu;
    /** Number of entries in the port's GID table. */
    public int gidTableLength;
    /** {@code port_cap_flags}. */
    public int capabilityFlags;
    /** {@code max_msg_sz}, bytes in one message. */
    public long maxMessageSize;
    /** {@code bad_pkey_cntr}: packets received with a wrong P_Key. */
    public int badPkeys;
    /** {@code qkey_viol_cntr}: packets received with a wrong Q_Key. */
    public int qkeyViolations;
    /** Number of entries in the port's P_Key table. */
    public int pkeyTableLength;
    /** Local identifier, 0 on Ethernet. */
    public int lid;
    /** {@code sm_lid}. */
    public int subnetManagerLid;
    /** {@code lmc}. */
    public int lidMaskControl;
    /** {@code max_vl_num}, encoded as in the specification. */
    public int maxVirtualLanes;
    /** {@code sm_sl}. */
    public int subnetManagerServiceLevel;
    /** {@code subnet_timeout}: 4.096 µs × 2^n. */
    public int subnetTimeout;
    /** {@code init_type_reply}. */
    public int initTypeReply;
    /** {@code active_width}, encoded: 1, 2, 4, 8 and 16 are 1X, 4X, 8X, 12X and 2X. */
    public int activeWidth;
    /** {@code active_speed}, encoded: 1, 2, 4, 8, 16, 32, … are 2.5, 5, 10, 10, 14, 25, … Gbit/s per lane. */
    public int activeSpeed;
    /** {@code phys_state}, encoded: 5 is link up, 3 is disabled. */
    public int physicalState;
    /** Link layer of the port. */
    public LinkLayer linkLayer = LinkLayer.UNSPECIFIED;
}
