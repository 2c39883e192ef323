/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

/** The rule for names of jobs: they become names of directories and of shared memory. */
final class JobId
{
    static final int MAX_LENGTH = 64;
    private static final String ALLOWED =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";

    private JobId()
    {
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

    private static BootstrapException refused(final String jobId)
    {
        return new BootstrapException("bad job id '" + jobId + "': 1 to " + MAX_LENGTH +
            " letters, digits, '.', '_' and '-', not starting with '.'");
    }
}
