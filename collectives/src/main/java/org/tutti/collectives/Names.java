/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

/** Checks the names that users give to types and operations: short, and ASCII only. */
final class Names
{
    private Names()
    {
    }

    static String require(final String name, final int maxLength)
    {
        if (!name.matches("[A-Za-z0-9._-]{1," + maxLength + "}"))
        {
            throw new IllegalArgumentException(
                "name=\"" + name + "\": must be 1 to " + maxLength + " letters, digits, dots, dashes and underscores");
        }
        return name;
    }
}
