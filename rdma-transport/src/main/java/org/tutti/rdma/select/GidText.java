/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import org.tutti.rdma.Gid;

/** Formats GIDs like IP addresses: {@code ::ffff:10.0.0.1}, {@code fe80::5054:ff:fe12:3456}. */
public final class GidText
{
    private static final int GROUPS = 8;

    private GidText()
    {
    }

    /**
     * Formats a GID in the shortest form (RFC 5952).
     *
     * @param gid GID to format.
     * @return an IPv6 address.
     */
    public static String of(final Gid gid)
    {
        if (gid.isIpv4Mapped())
        {
            final long v4 = gid.low();
            return "::ffff:" + (v4 >> 24 & 0xFF) + "." + (v4 >> 16 & 0xFF) + "." + (v4 >> 8 & 0xFF) + "." + (v4 & 0xFF);
        }
        int begin = -1;
        int end = -1;
        for (int i = 0; i < GROUPS; i++)
        {
            final int zeros = zeros(gid, i);
            if (zeros > 1 && zeros > end - begin)
            {
                begin = i;
                end = i + zeros;
            }
        }
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < GROUPS; i++)
        {
            if (i == begin)
            {
                text.append("::");
                i = end - 1;
                continue;
            }
            text.append(i == 0 || i == end ? "" : ":").append(Integer.toHexString(group(gid, i)));
        }
        return text.toString();
    }

    private static int zeros(final Gid gid, final int from)
    {
        int to = from;
        while (to < GROUPS && group(gid, to) == 0)
        {
            to++;
        }
        return to - from;
    }

    private static int group(final Gid gid, final int i)
    {
        final long half = i < GROUPS / 2 ? gid.high() : gid.low();
        return (int)(half >>> (48 - 16 * (i & 3))) & 0xFFFF;
    }
}
