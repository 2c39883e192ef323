/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * The states of ranks' processes, as far as their hosts have told them. The coordinator keeps them in the store, where
 * ranks whose calls time out read them. Not thread-safe.
 */
public final class ProcessStates
{
    /** The key of the states in the job's store. */
    public static final String KEY = "tutti.processes";

    private final Map<Integer, Entry> entries = new TreeMap<>();

    private record Entry(long pid, ProcessState state)
    {
    }

    /** No state is known. */
    public ProcessStates()
    {
        // Nothing to prepare.
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @param bytes bytes from the store, or null.
     * @return the states; none for null.
     */
    public static ProcessStates decode(final byte[] bytes)
    {
        final ProcessStates states = new ProcessStates();
        if (bytes != null && bytes.length > 0)
        {
            for (final String line : new String(bytes, StandardCharsets.UTF_8).split("\n", -1))
            {
                final String[] fields = line.split(" ", -1);
                states.set(Integer.parseInt(fields[0]), Long.parseLong(fields[1]), ProcessState.valueOf(fields[2]));
            }
        }
        return states;
    }

    /**
     * The states as bytes.
     *
     * @return empty if no state is known.
     */
    public byte[] encode()
    {
        final StringBuilder text = new StringBuilder();
        entries.forEach((rank, entry) -> text.append(text.isEmpty() ? "" : "\n")
            .append(rank).append(' ').append(entry.pid).append(' ').append(entry.state));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Sets the state of a rank's process.
     *
     * @param rank  rank of the job.
     * @param pid   process ID of the process, on its host.
     * @param state state of the process.
     * @return whether that is news.
     */
    public boolean set(final int rank, final long pid, final ProcessState state)
    {
        final Entry entry = new Entry(pid, state);
        return !entry.equals(entries.put(rank, entry));
    }

    /**
     * The state of a rank's process.
     *
     * @param rank rank of the job.
     * @return null if it is not known.
     */
    public ProcessState get(final int rank)
    {
        final Entry entry = entries.get(rank);
        return entry == null ? null : entry.state;
    }

    /**
     * The state of a rank's process, for people.
     *
     * @param rank rank of the job.
     * @return such as "(pid 1234) is stopped"; null if it is not known.
     */
    public String text(final int rank)
    {
        final Entry entry = entries.get(rank);
        return entry == null ? null : "(pid " + entry.pid + ") " + entry.state.words();
    }
}
