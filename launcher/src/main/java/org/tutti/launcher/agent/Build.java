/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

/** Which build of Tutti this process runs: hosts of one job must agree. */
public final class Build
{
    private static final String ID = System.getProperty("tutti.build", "unpackaged");

    private Build()
    {
    }

    /** What its classes were counted together to, by the script that built them. */
    public static String id()
    {
        return ID;
    }
}
