/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

/** The build of Tutti that this process runs; must be the same on all hosts of a job. */
public final class Build
{
    private static final String ID = System.getProperty("tutti.build", "unpackaged");

    private Build()
    {
    }

    /**
     * Returns the checksum of the jars, set by the script that built them.
     *
     * @return the checksum, or "unpackaged".
     */
    public static String id()
    {
        return ID;
    }
}
