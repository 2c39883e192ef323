/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * The states of ranks' processes, as reported by their hosts. The coordinator keeps them in the store, where ranks
 * whose calls time out read them. Not thread-safe.
 */
public final class ProcessStates
{
    /** The key of the states in the job's store. */
    public static final String KEY = "tutti.processes";

    private final Map<Integer, Entry> entries = new TreeMap<>();

    private record Entry(long pid, ProcessState state)
    {
    }

    /** Creates an empty set of states. */
    public ProcessStates()
    {
        // Nothing to initialize.
    }

    /**
     * Decodes the output of {@link #encode}.
     *
     * @param bytes the bytes from the store, or null.
     * @return the states; empty for null.
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
     * Encodes the states.
     *
     * @return the encoded states; empty if no state is known.
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
     * @param rank  the rank.
     * @param pid   the pid of the process on its host.
     * @param state the state of the process.
     * @return true if the entry has changed.
     */
    public boolean set(final int rank, final long pid, final ProcessState state)
    {
        final Entry entry = new Entry(pid, state);
        return !entry.equals(entries.put(rank, entry));
    }

    /**
     * Returns the state of a rank's process.
     *
     * @param rank the rank.
     * @return the state, or null if unknown.
     */
    public ProcessState get(final int rank)
    {
        final Entry entry = entries.get(rank);
        return entry == null ? null : entry.state;
    }

    /**
     * Formats the state of a rank's process for a message.
     *
     * @param rank the rank.
     * @return the text, such as "(pid 1234) is stopped"; null if unknown.
     */
    public String text(final int rank)
    {
        final Entry entry = entries.get(rank);
        return entry == null ? null : "(pid " + entry.pid + ") " + entry.state.words();
    }
}
