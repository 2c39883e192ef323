/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

/** Runs the examples over shared memory. */
class ShmExamplesTest extends ExamplesContract
{
    ShmExamplesTest()
    {
        super("shm", "shm0");
    }
}
