/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.config;

import org.tutti.collectives.ConfigurationException;

import java.util.Map;

/**
 * Parameters of the connections to peers, each with the meaning of the libibverbs attribute of the same name.
 *
 * @param ackTimeout   {@code tutti.ack.timeout}, {@code TUTTI_ACK_TIMEOUT}: time to wait for an acknowledgement before
 *                     a packet is retransmitted, 4.096 µs × 2^n; from 1 to 31. The default, 14, is 67 ms; with the
 *                     default retries a peer counts as unreachable after half a second.
 * @param retryCount   {@code tutti.retry.count}, {@code TUTTI_RETRY_COUNT}: number of retransmissions, from 0 to 7, the
 *                     default.
 * @param rnrRetry     {@code tutti.rnr.retry}, {@code TUTTI_RNR_RETRY}: number of retries to a peer without a receive
 *                     request, from 0 to 7. The default, 7, means no limit: only the deadline of the call applies.
 * @param minRnrTimer  {@code tutti.min.rnr.timer}, {@code TUTTI_MIN_RNR_TIMER}: retry delay that a peer without a
 *                     receive request asks of the sender, encoded as in the specification, from 0 to 31. The default,
 *                     12, is 0.64 ms.
 * @param mtu          {@code tutti.mtu}, {@code TUTTI_MTU}: path MTU in bytes; the default, 0, is the port's. The
 *                     smaller of two peers' values is used.
 * @param serviceLevel {@code tutti.service.level}, {@code TUTTI_SERVICE_LEVEL}: from 0, the default, to 15.
 * @param trafficClass {@code tutti.traffic.class}, {@code TUTTI_TRAFFIC_CLASS}: traffic class of the global route
 *                     header, on Ethernet of the IP header; from 0, the default, to 255.
 */
public record PathSettings(
    int ackTimeout, int retryCount, int rnrRetry, int minRnrTimer, Setting mtu, int serviceLevel, int trafficClass)
{
    private static final int MIN_MTU = 256;
    private static final int MAX_MTU = 4096;
    private static final double ACK_TIMEOUT_UNIT_NS = 4096;

    static PathSettings of(final Map<String, String> environment)
    {
        return new PathSettings(
            Setting.value(environment, "ack.timeout", "14").number(1, 31),
            Setting.value(environment, "retry.count", "7").number(0, 7),
            Setting.value(environment, "rnr.retry", "7").number(0, 7),
            Setting.value(environment, "min.rnr.timer", "12").number(0, 31),
            mtu(Setting.value(environment, "mtu", "0")),
            Setting.value(environment, "service.level", "0").number(0, 15),
            Setting.value(environment, "traffic.class", "0").number(0, 255));
    }

    /**
     * Returns this rank's path MTU.
     *
     * @param port      name of the port, for error messages.
     * @param activeMtu active MTU of the port, in bytes.
     * @return MTU in bytes.
     * @throws ConfigurationException if the setting exceeds the port's active MTU.
     */
    public int mtu(final String port, final int activeMtu)
    {
        final int requested = Integer.parseInt(mtu.text());
        if (requested > activeMtu)
        {
            throw mtu.wrong("more than the active MTU of " + port + ", " + activeMtu +
                ": set it to at most that, or raise the MTU of its network interface or subnet");
        }
        return requested == 0 ? activeMtu : requested;
    }

    /**
     * Returns about how long a peer may be silent before the connection fails; some adapters take a multiple of this
     * time.
     */
    public long unreachableTimeoutNs()
    {
        return (long)(ACK_TIMEOUT_UNIT_NS * Math.scalb(1.0, ackTimeout) * (retryCount + 1));
    }

    private static Setting mtu(final Setting setting)
    {
        final int mtu = setting.text().matches("[0-9]{1,5}") ? Integer.parseInt(setting.text()) : -1;
        if (mtu != 0 && (mtu < MIN_MTU || mtu > MAX_MTU || Integer.bitCount(mtu) != 1))
        {
            throw setting.wrong("not an MTU: give 256, 512, 1024, 2048 or 4096, or 0 for the port's");
        }
        return setting;
    }
}
