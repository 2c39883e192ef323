/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import jdk.jfr.Configuration;
import jdk.jfr.Recording;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;

/**
 * What a rank does, as the JDK's flight recorder sees it, with the JDK's settings {@code profile}: a sample of its
 * stacks every 10 to 20 ms, locks, garbage collections, compilations. Written to a file when it is stopped, or when the
 * JVM ends before, but not when it is killed. Not thread-safe.
 */
final class FlightRecording
{
    private final Recording recording;

    private FlightRecording(final Recording recording)
    {
        this.recording = recording;
    }

    /**
     * Starts to record.
     *
     * @param directory is made if it is not there.
     * @param rank      gives the file its name.
     * @throws IOException if the directory cannot be made or written to.
     */
    static FlightRecording start(final Path directory, final int rank) throws IOException
    {
        try
        {
            Files.createDirectories(directory);
            final Recording recording = new Recording(Configuration.getConfiguration("profile"));
            recording.setDestination(file(directory, rank));
            recording.setDumpOnExit(true);
            recording.start();
            return new FlightRecording(recording);
        }
        catch (final ParseException ex)
        {
            throw new IOException("the JDK's settings 'profile' cannot be read: " + ex.getMessage(), ex);
        }
    }

    /** Where a rank's recording goes. */
    static Path file(final Path directory, final int rank)
    {
        return directory.resolve("rank-" + rank + ".jfr");
    }

    /** Writes the file. Not for a rank that fails: it may end at that very moment, and the recorder writes then. */
    void stop()
    {
        recording.stop();
        recording.close();
    }
}
