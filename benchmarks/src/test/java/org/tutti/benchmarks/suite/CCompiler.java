/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The C compiler that tests of the peers' programs need. */
final class CCompiler
{
    private CCompiler()
    {
    }

    /** Skips the test if there is no C compiler, and prints why. */
    static void require(final Class<?> test)
    {
        final boolean isThere = Commands.isThere("cc");
        if (!isThere)
        {
            System.err.println(
                test.getSimpleName() + " is skipped: no C compiler is installed; run 'apt-get install gcc'");
        }
        assumeTrue(isThere);
    }
}
