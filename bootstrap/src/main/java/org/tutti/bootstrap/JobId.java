/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.util.concurrent.atomic.AtomicLong;

/** Validates job ids, which become names of directories and of shared memory. */
public final class JobId
{
    static final int MAX_LENGTH = 64;
    private static final String ALLOWED =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";

    private static final AtomicLong SEQUENCE = new AtomicLong();

    private JobId()
    {
    }

    /**
     * Creates an id that is unique on this host.
     *
     * @param prefix the first characters of the id, at most 20.
     * @return the id.
     */
    public static String unique(final String prefix)
    {
        return prefix + "-" + ProcessHandle.current().pid() + "-" +
            Long.toUnsignedString(System.nanoTime(), 36) + "-" + SEQUENCE.getAndIncrement();
    }

    /**
     * Appends a suffix to an id, which is truncated if necessary.
     *
     * @param jobId  the id.
     * @param suffix the suffix, letters and digits.
     * @return a valid id that ends with the suffix.
     */
    public static String withSuffix(final String jobId, final String suffix)
    {
        return jobId.substring(0, Math.min(jobId.length(), MAX_LENGTH - 1 - suffix.length())) + '-' + suffix;
    }

    static String check(final String jobId)
    {
        if (jobId == null || jobId.isEmpty() || jobId.length() > MAX_LENGTH || jobId.startsWith("."))
        {
            throw refused(jobId);
        }
        for (int i = 0; i < jobId.length(); i++)
        {
            if (ALLOWED.indexOf(jobId.charAt(i)) < 0)
            {
                throw refused(jobId);
            }
        }
        return jobId;
    }

    /** Converts another launcher's job name to a job id. */
    static String sanitize(final String name)
    {
        final StringBuilder jobId = new StringBuilder();
        for (int i = Math.max(0, name.length() - MAX_LENGTH); i < name.length(); i++)
        {
            final char c = name.charAt(i);
            jobId.append(ALLOWED.indexOf(c) < 0 || (c == '.' && jobId.isEmpty()) ? '_' : c);
        }
        return jobId.toString();
    }

    private static BootstrapException refused(final String jobId)
    {
        return new BootstrapException("invalid job id '" + jobId + "': must be 1 to " + MAX_LENGTH +
            " letters, digits, '.', '_' and '-', not starting with '.'");
    }
}
