/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;

class InMemoryBootstrapTest extends BootstrapContract
{
    @Override
    protected List<? extends Bootstrap> start(final int size)
    {
        return InMemoryBootstrap.group(size);
    }

    @Test
    void shouldRemoveJobDirectoryWhenLastRankCloses()
    {
        final List<InMemoryBootstrap> group = InMemoryBootstrap.group(2);
        final Path directory = Path.of(group.get(0).jobDirectory());
        assertTrue(Files.isDirectory(directory));

        group.get(0).close();
        assertTrue(Files.isDirectory(directory));
        group.get(1).close();

        assertFalse(Files.exists(directory));
    }

    @Test
    void shouldRejectEmptyGroup()
    {
        assertThrows(IllegalArgumentException.class, () -> InMemoryBootstrap.group(0));
    }
}
