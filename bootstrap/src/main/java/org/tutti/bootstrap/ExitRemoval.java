/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.util.function.Supplier;

/**
 * Removes directories when this process exits, so that nothing is created in them afterwards: the other threads run on
 * until the last exit hook has ended, and creating a file in a removed directory may create the directory again.
 * Thread-safe.
 */
public final class ExitRemoval
{
    private static final String EXITING = "this process is exiting";
    private static final Object CREATION = new Object();
    private static boolean isExiting;

    private ExitRemoval()
    {
    }

    /**
     * Creates files that exit hooks remove, unless this process is exiting.
     *
     * @param creation creates the files; the exit hooks wait for it.
     * @param <T>      type of the result.
     * @return the result.
     * @throws BootstrapException if this process is exiting.
     */
    public static <T> T create(final Supplier<T> creation)
    {
        synchronized (CREATION)
        {
            if (isExiting)
            {
                throw new BootstrapException(EXITING);
            }
            return creation.get();
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
                synchronized (CREATION)
                {
                    isExiting = true;
                }
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
            // It runs, and has nothing to do.
        }
    }
}
