/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.segment;

import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

/**
 * Checks of offsets, indices and counts that were read from a control segment. Any process of the user can write there,
 * and an invalid value must cause an error, not an access that kills this process. Stateless; allocates nothing unless
 * a check fails.
 */
public final class SegmentBounds
{
    private SegmentBounds()
    {
    }

    /**
     * Computes an address in a segment from an offset.
     *
     * @param control address of the control segment.
     * @param offset  offset in bytes, read from the segment.
     * @param length  length in bytes.
     * @param what    name of the value, for the error.
     * @return an address divisible by 8, followed by at least the given length within the segment.
     * @throws RdmaException with EIO if the range is not inside the segment.
     */
    public static long address(final long control, final long offset, final long length, final String what)
    {
        if (offset < 0 || offset > ControlLayout.LENGTH - length || (offset & (Long.BYTES - 1)) != 0)
        {
            throw corrupt(what, offset, "a multiple of 8 from 0 to " + (ControlLayout.LENGTH - length));
        }
        return control + offset;
    }

    /**
     * Checks a count or index.
     *
     * @param value value read from a segment, or the difference of two such values.
     * @param max   maximum that is valid.
     * @param what  name of the value, for the error.
     * @return the value, from 0 to {@code max}.
     * @throws RdmaException with EIO if the value is out of range.
     */
    public static long count(final long value, final long max, final String what)
    {
        if (value < 0 || value > max)
        {
            throw corrupt(what, value, "from 0 to " + max);
        }
        return value;
    }

    private static RdmaException corrupt(final String what, final long value, final String limit)
    {
        return new RdmaException(Errno.EIO, "shm", "shared memory is corrupt: " + what + " is " + value +
            " and must be " + limit + "; find the process that writes into files of the job's directory");
    }
}
