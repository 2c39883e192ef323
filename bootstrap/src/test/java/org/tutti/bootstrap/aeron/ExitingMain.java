/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.ExitRemoval;
import org.tutti.bootstrap.JobDirectory;

/** A program in its own process that goes on starting after it was told to exit. */
public final class ExitingMain
{
    private ExitingMain()
    {
    }

    /**
     * Exits after a job directory has been created. Another thread then creates another one, or a directory in the one
     * that was removed; the exit waits for it.
     *
     * @param args the parent of the directories, and whether the second one is below the first.
     * @throws InterruptedException never.
     */
    public static void main(final String[] args) throws InterruptedException
    {
        final CountDownLatch created = new CountDownLatch(1);
        final Thread thread = new Thread(() -> create(Path.of(args[0]), Boolean.parseBoolean(args[1]), created));
        thread.setDaemon(true);
        thread.start();
        created.await();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> join(thread)));
        System.exit(0);
    }

    private static void create(final Path base, final boolean isBelow, final CountDownLatch created)
    {
        final JobDirectory directory = JobDirectory.create(base, "first");
        created.countDown();
        while (Files.exists(directory.path()))
        {
            Thread.onSpinWait();
        }
        try
        {
            // Aeron creates the directory of its driver in this way.
            System.out.println("created " + (isBelow ?
                ExitRemoval.create(() -> directory.aeronDirectory().toFile().mkdirs()) :
                JobDirectory.create(base, "second")));
        }
        catch (final BootstrapException ex)
        {
            System.out.println(ex.getMessage());
        }
    }

    private static void join(final Thread thread)
    {
        try
        {
            thread.join();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
