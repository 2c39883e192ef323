/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.tutti.bootstrap.JobDirectory;
import org.tutti.rdma.Context;
import org.tutti.rdma.shm.ShmProvider;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Directories of jobs and of programs without a job coexist, and each kind removes its stale ones. */
class SharedDirectoriesTest
{
    /** Greater than any process id. */
    private static final String NO_PID = "5000000";
    private static final Path SHM = Path.of("/dev/shm");

    @Test
    void shouldNotRemoveTheDirectoryOfARunningProgram() throws IOException
    {
        final List<Path> before = directories();
        try (Context context = open())
        {
            final List<Path> own = directories();
            own.removeAll(before);
            assertEquals(1, own.size(), own::toString);
            age(own.getFirst());

            assertFalse(JobDirectory.removeStale(SHM).contains(own.getFirst()));

            assertTrue(Files.isDirectory(own.getFirst()));
            context.allocateMemory(4096).close();
        }
        assertEquals(before, directories());
    }

    @Test
    void shouldNotRemoveTheDirectoryOfAJob() throws IOException
    {
        try (JobDirectory job = JobDirectory.create(SHM, NO_PID))
        {
            age(job.path());

            open().close();

            assertTrue(Files.isDirectory(job.path()));
        }
    }

    private static Context open()
    {
        return new ShmProvider((Path)null).devices().getFirst().open();
    }

    /** Returns the directories of this process, which contain its process id in their names. */
    private static List<Path> directories() throws IOException
    {
        final String number = "-" + ProcessHandle.current().pid() + "-";
        try (Stream<Path> paths = Files.list(SHM))
        {
            return new ArrayList<>(paths.filter((path) ->
                path.getFileName().toString().startsWith("tutti-shm-") && path.toString().contains(number)).toList());
        }
    }

    private static void age(final Path directory) throws IOException
    {
        Files.setLastModifiedTime(directory, FileTime.fromMillis(System.currentTimeMillis() - 3_600_000));
    }
}
