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

/** Determines the CPUs that this process may use. */
public final class Cores
{
    private static final String LIST = "Cpus_allowed_list:";

    private Cores()
    {
    }

    /**
     * Returns the number of ranks that can run concurrently, according to the affinity mask and the control group.
     *
     * @return the number of cores, at least 1.
     */
    public static int count()
    {
        return Runtime.getRuntime().availableProcessors();
    }

    /**
     * Returns the CPUs (hardware threads) of the kernel's affinity mask.
     *
     * @return the numbers of the CPUs, ascending; some may be offline.
     * @throws UsageException if the kernel does not provide the mask.
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
            throw new UsageException("--bind and --report-bindings cannot read the list of CPUs in " +
                "/proc/self/status (" + ex.getMessage() + "): leave these options out");
        }
        throw new UsageException(LIST + " for --bind and --report-bindings is missing in /proc/self/status: leave " +
            "these options out");
    }

    /** Parses the kernel's list format: {@code 0-3,8,10-11}. */
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
