/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.segment;

import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

/**
 * Checks of offsets, indices and counts that were read from a control segment. Any process of the user can write there,
 * and a wrong one must end in an error that says so, not in an access that ends this process. Stateless; allocates
 * nothing unless a check fails.
 */
public final class SegmentBounds
{
    private SegmentBounds()
    {
    }

    /**
     * The address of something in a segment.
     *
     * @param control segment.
     * @param offset  offset of it there, in bytes, which was read from the segment.
     * @param length  length in bytes.
     * @param what    it is, for the error.
     * @return a multiple of 8, with so many bytes behind it in the segment.
     * @throws RdmaException with EIO if it is not inside of the segment.
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
     * Checks a number.
     *
     * @param value value read from a segment, or the difference of two.
     * @param max   maximum.
     * @param what  it is, for the error.
     * @return the value, from 0 to the maximum.
     * @throws RdmaException with EIO if it is another one.
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
