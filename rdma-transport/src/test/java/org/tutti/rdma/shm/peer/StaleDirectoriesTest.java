/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.peer;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.rdma.os.ProcessCalls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Not in {@code /dev/shm}, where processes of other tests remove stale directories, too. */
class StaleDirectoriesTest
{
    @ParameterizedTest
    @CsvSource({
        "tutti-shm-UID-5000000-0123abcd, 3600, false",
        "tutti-shm-UID-5000000-0123abcd, -3600, true",
        "tutti-shm-UID-5000000, 3600, true",
        "tutti-shm-UID9-5000000-0123abcd, 3600, true",
        "tutti-UID-5000000, 3600, true",
        "tutti-UID-5000000-0123abcd, 3600, true"})
    void shouldRemoveOnlyOldPrivateDirectoriesOfThisUser(
        final String name, final long ageS, final boolean isKept, @TempDir final Path base) throws IOException
    {
        final Path directory =
            Files.createDirectory(base.resolve(name.replace("UID", String.valueOf(ProcessCalls.userId()))));
        Files.setLastModifiedTime(directory, FileTime.fromMillis(System.currentTimeMillis() - ageS * 1000));

        StaleDirectories.remove(base);

        assertEquals(isKept, Files.exists(directory));
    }
}
