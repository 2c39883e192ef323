/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import org.tutti.rdma.PortAttributes;

/** Decodes the rate of a port's link from its width and speed. */
public final class LinkRate
{
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
}
