/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.util.Arrays;

/** A program of a user's. */
public final class SampleJob
{
    private SampleJob()
    {
    }

    /**
     * Prints what it was given.
     *
     * @param args printed.
     */
    public static void main(final String[] args)
    {
        System.out.println("sample=" + System.getProperty("sample") + " " + Arrays.toString(args));
        System.exit(3);
    }
}
