/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.spi;

import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

import java.util.function.IntUnaryOperator;

/**
 * Checks the values of a path for any device. Drivers store most of them in narrower fields and would truncate larger
 * values. Stateless.
 */
public final class PathRules
{
    private static final int MAX_SL = 0xF;
    private static final int MAX_LID = 0xFFFF;
    private static final int MAX_PATH_BITS = 0x7F;
    private static final int MAX_FLOW_LABEL = 0xF_FFFF;
    private static final int MAX_BYTE = 0xFF;

    private PathRules()
    {
    }

    /**
     * Rejects a path that is invalid on every device.
     *
     * @param verb  verb named in errors.
     * @param name  name of the path in messages.
     * @param path  path to check.
     * @param ports number of ports of the device.
     * @param gids  length of the GID table by port number.
     * @throws RdmaException with EINVAL; the message names the value and its range.
     */
    public static void check(final String verb, final String name, final AddressHandleAttributes path,
        final int ports, final IntUnaryOperator gids)
    {
        if (path == null || (path.global() && path.dgid() == null))
        {
            throw new RdmaException(Errno.EINVAL, verb, name + " has no " + (path == null ? "value" : "dgid"));
        }
        checkRange(verb, name + ".port_num", path.portNum(), 1, ports);
        checkRange(verb, name + ".sl", path.serviceLevel(), 0, MAX_SL);
        checkRange(verb, name + ".dlid", path.dlid(), 0, MAX_LID);
        checkRange(verb, name + ".src_path_bits", path.sourcePathBits(), 0, MAX_PATH_BITS);
        checkRange(verb, name + ".static_rate", path.staticRate(), 0, MAX_BYTE);
        if (path.global())
        {
            // Devices store the index in a byte.
            final int length = Math.min(gids.applyAsInt(path.portNum()), MAX_BYTE + 1);
            checkRange(verb, name + ".grh.sgid_index", path.sgidIndex(), 0, length - 1);
            checkRange(verb, name + ".grh.flow_label", path.flowLabel(), 0, MAX_FLOW_LABEL);
            checkRange(verb, name + ".grh.hop_limit", path.hopLimit(), 0, MAX_BYTE);
            checkRange(verb, name + ".grh.traffic_class", path.trafficClass(), 0, MAX_BYTE);
        }
    }

    private static void checkRange(
        final String verb, final String name, final int value, final int min, final int max)
    {
        if (value < min || value > max)
        {
            throw new RdmaException(Errno.EINVAL, verb, name + " " + value + " is not from " + min + " to " + max);
        }
    }
}
