/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

class EmbeddingTest
{
    @Test
    void shouldRunCodeOfTheDocumentation() throws Exception
    {
        assertEquals(List.of(0.75, 0.75), Embedding.drive(2));
        assertEquals(List.of(6, 6, 6, 6), Embedding.local());
    }
}
