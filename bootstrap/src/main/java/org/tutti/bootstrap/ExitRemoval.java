/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Removes directories when this process exits, so that nothing is created in them afterwards: the other threads run on
 * until the last exit hook has ended, and creating a file in a removed directory may create the directory again.
 * Thread-safe.
 */
public final class ExitRemoval
{
    private static final String EXITING = "this process is exiting";
    /** How long the exit waits for creations, of which one on a file system of the network may never end. */
    private static final long TIMEOUT_S = 5;
    /** Shared by the creations; an exit hook waits for all of them. */
    private static final ReentrantReadWriteLock CREATION = new ReentrantReadWriteLock();
    private static volatile boolean isExiting;

    private ExitRemoval()
    {
    }

    /**
     * Creates files.
     *
     * @param <T> type of the result.
     * @param <E> type of the exception if they cannot be created.
     */
    @FunctionalInterface
    public interface FileCreation<T, E extends Exception>
    {
        /**
         * Creates the files. The exit hooks wait for the end, so this must not end the process.
         *
         * @return the result.
         * @throws E if they cannot be created.
         */
        T create() throws E;
    }

    /**
     * Creates files that exit hooks remove, unless this process is exiting.
     *
     * @param creation creates the files.
     * @param <T>      type of the result.
     * @param <E>      type of the exception if they cannot be created.
     * @return the result.
     * @throws E                  if they cannot be created.
     * @throws BootstrapException if this process is exiting.
     */
    public static <T, E extends Exception> T create(final FileCreation<T, E> creation) throws E
    {
        CREATION.readLock().lock();
        try
        {
            if (isExiting)
            {
                throw new BootstrapException(EXITING);
            }
            return creation.create();
        }
        finally
        {
            CREATION.readLock().unlock();
        }
    }

    /**
     * Registers an exit hook, before the files are created, or within {@link #create}.
     *
     * @param name    name of the thread.
     * @param removal removes the files, if they exist.
     * @return the hook, for {@link #cancel}.
     * @throws BootstrapException if this process is exiting: the hook will not run.
     */
    public static Thread atExit(final String name, final Runnable removal)
    {
        final Thread hook = new Thread(
            () ->
            {
                awaitCreations();
                removal.run();
            },
            name);
        try
        {
            Runtime.getRuntime().addShutdownHook(hook);
        }
        catch (final IllegalStateException ex)
        {
            throw new BootstrapException(EXITING, ex);
        }
        return hook;
    }

    private static void awaitCreations()
    {
        isExiting = true;
        try
        {
            if (CREATION.writeLock().tryLock(TIMEOUT_S, TimeUnit.SECONDS))
            {
                CREATION.writeLock().unlock();
            }
        }
        catch (final InterruptedException ex)
        {
            // The files are removed anyway.
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Ends the registration of an exit hook, unless this process is exiting.
     *
     * @param hook the exit hook.
     */
    public static void cancel(final Thread hook)
    {
        try
        {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
        catch (final IllegalStateException ex)
        {
            // The process is exiting: the hook runs, and finds nothing.
        }
    }
}
