/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.tutti.launcher.io.UsageException;

/** The cores of this host that this process may use. */
public final class Cores
{
    private static final String LIST = "Cpus_allowed_list:";

    private Cores()
    {
    }

    /**
     * The number of ranks that can run at once, by the affinity mask and the control group.
     *
     * @return the number, at least 1.
     */
    public static int count()
    {
        return Runtime.getRuntime().availableProcessors();
    }

    /**
     * The cores of the kernel's affinity mask.
     *
     * @return their numbers, ascending.
     * @throws UsageException if the kernel does not say.
     */
    public static List<Integer> allowed()
    {
        try
        {
            for (final String line : Files.readAllLines(Path.of("/proc/self/status")))
            {
                if (line.startsWith(LIST))
                {
                    return parse(line.substring(LIST.length()).trim());
                }
            }
        }
        catch (final IOException ex)
        {
            throw new UsageException("--bind core cannot read /proc/self/status (" + ex.getMessage() +
                "), which says what cores there are: leave it out");
        }
        throw new UsageException("--bind core finds no " + LIST + " in /proc/self/status: leave it out");
    }

    /** Reads the kernel's form of a set: {@code 0-3,8,10-11}. */
    static List<Integer> parse(final String list)
    {
        final List<Integer> cores = new ArrayList<>();
        for (final String range : list.split(",", -1))
        {
            final String[] ends = range.split("-", -1);
            for (int core = Integer.parseInt(ends[0]); core <= Integer.parseInt(ends[ends.length - 1]); core++)
            {
                cores.add(core);
            }
        }
        return cores;
    }
}
