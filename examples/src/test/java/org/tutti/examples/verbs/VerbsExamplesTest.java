/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.junit.jupiter.api.Tag;

/** Runs the examples on a device. */
@Tag("soft-roce")
class VerbsExamplesTest extends ExamplesContract
{
    VerbsExamplesTest()
    {
        super("verbs", "rxe0");
    }
}
