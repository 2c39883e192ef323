/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.util.Arrays;

/** A user's program. */
public final class SampleJob
{
    private SampleJob()
    {
    }

    /**
     * Prints its arguments.
     *
     * @param args the arguments.
     */
    public static void main(final String[] args)
    {
        System.out.println("sample=" + System.getProperty("sample") + " " + Arrays.toString(args));
        System.exit(3);
    }
}
