/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.config;

import org.tutti.collectives.ConfigurationException;

import java.util.Map;

/**
 * How the connections to the peers are set up. Each of its values is what libibverbs' attribute of that name is.
 *
 * @param ackTimeout   {@code tutti.ack.timeout}, {@code TUTTI_ACK_TIMEOUT}: how long to wait for an answer before a
 *                     packet is sent again, 4.096 µs × 2^n; from 1 to 31. The default is 14, which is 67 ms; with the
 *                     default retries half a second until a peer counts as gone.
 * @param retryCount   {@code tutti.retry.count}, {@code TUTTI_RETRY_COUNT}: how often it is; from 0 to 7, the default.
 * @param rnrRetry     {@code tutti.rnr.retry}, {@code TUTTI_RNR_RETRY}: how often a message is sent again to a peer
 *                     that has no receive request; from 0 to 7. The default 7 is for ever: it is what deadlines are
 *                     for.
 * @param minRnrTimer  {@code tutti.min.rnr.timer}, {@code TUTTI_MIN_RNR_TIMER}: how long such a peer asks the sender to
 *                     wait, encoded as in the specification; from 0 to 31. The default is 12, which is 0.64 ms.
 * @param mtu          {@code tutti.mtu}, {@code TUTTI_MTU}: the largest packet, in bytes; the default, 0, is the
 *                     port's. Of two peers the smaller counts.
 * @param serviceLevel {@code tutti.service.level}, {@code TUTTI_SERVICE_LEVEL}: from 0, the default, to 15.
 * @param trafficClass {@code tutti.traffic.class}, {@code TUTTI_TRAFFIC_CLASS}: of the global route header, on Ethernet
 *                     the IP header's; from 0, the default, to 255.
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
     * The largest packet that this rank takes.
     *
     * @param port      port named in errors.
     * @param activeMtu active MTU of the port.
     * @return in bytes.
     * @throws ConfigurationException if the setting is more than the port allows.
     */
    public int mtu(final String port, final int activeMtu)
    {
        final int requested = Integer.parseInt(mtu.text());
        if (requested > activeMtu)
        {
            throw mtu.wrong("more than the active MTU of " + port + ", " + activeMtu +
                ": give at most that, or raise the MTU of its network interface or subnet");
        }
        return requested == 0 ? activeMtu : requested;
    }

    /** About how long it takes until a peer that does not answer counts as gone; adapters may take some times that. */
    public long givingUpNs()
    {
        return (long)(ACK_TIMEOUT_UNIT_NS * Math.scalb(1.0, ackTimeout) * (retryCount + 1));
    }

    private static Setting mtu(final Setting setting)
    {
        final int mtu = setting.text().matches("[0-9]{1,5}") ? Integer.parseInt(setting.text()) : -1;
        if (mtu != 0 && (mtu < MIN_MTU || mtu > MAX_MTU || Integer.bitCount(mtu) != 1))
        {
            throw setting.wrong("no MTU: give 256, 512, 1024, 2048 or 4096, or 0 for the port's");
        }
        return setting;
    }
}
