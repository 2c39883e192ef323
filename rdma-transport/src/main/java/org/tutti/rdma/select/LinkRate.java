/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import org.tutti.rdma.LinkLayer;
import org.tutti.rdma.PortAttributes;

import java.util.Locale;

/** Converts between the rate of a link and the width and speed of a port. */
public final class LinkRate
{
    private static final int ONE_LANE = 1;
    private static final int FOUR_LANES = 2;
    private static final int MAX_MBIT_OF_ONE_LANE = 25_000;
    private static final int MAX_SPEED = 256;
    private static final int MBIT_PER_GBIT = 1000;
    private static final double LOWEST_GBIT = 2.5;

    private LinkRate()
    {
    }

    /**
     * The number of lanes of a link.
     *
     * @param width encoded width, as {@link PortAttributes#activeWidth}.
     * @return 1, 2, 4, 8 or 12; 0 if unknown.
     */
    public static int lanes(final int width)
    {
        return switch (width)
        {
            case 1 -> 1;
            case 2 -> 4;
            case 4 -> 8;
            case 8 -> 12;
            case 16 -> 2;
            default -> 0;
        };
    }

    /**
     * The nominal rate of one lane.
     *
     * @param speed encoded speed, as {@link PortAttributes#activeSpeed}.
     * @return rate in Gbit/s; 0 if unknown.
     */
    public static double gbitPerLane(final int speed)
    {
        return switch (speed)
        {
            case 1 -> 2.5;
            case 2 -> 5;
            // QDR, and FDR-10, which has a more efficient encoding.
            case 4, 8 -> 10;
            case 16 -> 14;
            case 32 -> 25;
            case 64 -> 50;
            case 128 -> 100;
            case 256 -> 200;
            default -> 0;
        };
    }

    /**
     * The nominal rate of a port's link.
     *
     * @param port attributes of the port.
     * @return rate in Gbit/s; 0 if unknown.
     */
    public static double gbit(final PortAttributes port)
    {
        return lanes(port.activeWidth) * gbitPerLane(port.activeSpeed);
    }

    /**
     * The rate of a port's link, as far as it limits the bandwidth.
     *
     * @param port attributes of the port.
     * @return rate in Mbit/s; 0 if unknown, also for Ethernet with the lowest rate of InfiniBand, 2.5 Gbit/s: the
     *     kernel reports that one for rates that it does not know, and for 1 Gbit/s.
     */
    public static int mbit(final PortAttributes port)
    {
        final double gbit = gbit(port);
        return port.linkLayer == LinkLayer.ETHERNET && gbit == LOWEST_GBIT ? 0 :
            (int)Math.round(gbit * MBIT_PER_GBIT);
    }

    /**
     * Writes a rate for users.
     *
     * @param mbit rate in Mbit/s, greater than 0.
     * @return text such as {@code 25 Gbit/s}.
     */
    public static String text(final int mbit)
    {
        return mbit % MBIT_PER_GBIT == 0 ? mbit / MBIT_PER_GBIT + " Gbit/s" :
            mbit < MBIT_PER_GBIT ? mbit + " Mbit/s" :
            String.format(Locale.ROOT, "%.1f Gbit/s", mbit / (double)MBIT_PER_GBIT);
    }

    /**
     * Encodes the width of an Ethernet link, as the kernel does for RoCE.
     *
     * @param mbit speed of the link in Mbit/s.
     * @return width as in {@link PortAttributes#activeWidth}; 0 if the attributes cannot express the speed, as that of
     *     1 Gbit/s.
     */
    public static int width(final int mbit)
    {
        return speed(mbit, ONE_LANE) != 0 && mbit <= MAX_MBIT_OF_ONE_LANE ? ONE_LANE :
            speed(mbit, FOUR_LANES) != 0 ? FOUR_LANES : speed(mbit, ONE_LANE) != 0 ? ONE_LANE : 0;
    }

    /**
     * Encodes the speed of a lane of an Ethernet link, as the kernel does for RoCE.
     *
     * @param mbit speed of the link in Mbit/s.
     * @return speed as in {@link PortAttributes#activeSpeed}; 0 as for {@link #width}.
     */
    public static int speed(final int mbit)
    {
        return speed(mbit, width(mbit));
    }

    private static int speed(final int mbit, final int width)
    {
        for (int speed = 1; mbit > 0 && speed <= MAX_SPEED; speed <<= 1)
        {
            if (lanes(width) * gbitPerLane(speed) * MBIT_PER_GBIT == mbit)
            {
                return speed;
            }
        }
        return 0;
    }
}
