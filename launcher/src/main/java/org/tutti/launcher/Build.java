/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

/** Which build of Tutti this process runs: hosts of one job must agree. */
final class Build
{
    private static final String ID = System.getProperty("tutti.build", "unpackaged");

    private Build()
    {
    }

    /** What its classes were counted together to, by the script that built them. */
    static String id()
    {
        return ID;
    }
}
