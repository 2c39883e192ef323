/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.config;

import org.tutti.collectives.ConfigurationException;

import java.util.Arrays;
import java.util.List;

/**
 * Whether a thread progresses requests while no other thread is in a call.
 *
 * @param setting    value and source of the setting.
 * @param isThread   whether each communicator has a progress thread for this purpose.
 * @param processors processors to which the progress threads are pinned, assigned to the ranks round-robin; empty if
 *                   the threads are not pinned.
 */
public record ProgressSetting(Setting setting, boolean isThread, List<Integer> processors)
{
    private static final String CALLER = "caller";
    private static final String THREAD = "thread";
    private static final int MAX_PROCESSOR = 8191;

    /**
     * Parses the setting.
     *
     * @throws ConfigurationException if it is invalid.
     */
    static ProgressSetting of(final Setting setting)
    {
        final String text = setting.text();
        if (text.equals(CALLER) || text.equals(THREAD))
        {
            return new ProgressSetting(setting, text.equals(THREAD), List.of());
        }
        if (text.matches(THREAD + ":[0-9]{1,4}(,[0-9]{1,4})*"))
        {
            final List<Integer> processors = Arrays.stream(text.substring(THREAD.length() + 1).split(","))
                .map(Integer::valueOf).toList();
            if (processors.stream().allMatch(processor -> processor <= MAX_PROCESSOR))
            {
                return new ProgressSetting(setting, true, processors);
            }
        }
        throw setting.wrong("not a way to progress requests: give caller, thread, or thread with processors, from 0 " +
            "to " + MAX_PROCESSOR + ", such as thread:1,3");
    }

    /** Returns the processor for the progress thread of a rank, or -1 if the thread is not pinned. */
    public int processor(final int rank)
    {
        return processors.isEmpty() ? -1 : processors.get(rank % processors.size());
    }

    /** Returns the exception for a processor that this process may not use. */
    public ConfigurationException unusable(final int processor)
    {
        return setting.wrong("not possible: processor " + processor + " does not exist or is not available to this " +
            "process: choose one that taskset -p shows");
    }

    @Override
    public String toString()
    {
        return setting.text();
    }
}
