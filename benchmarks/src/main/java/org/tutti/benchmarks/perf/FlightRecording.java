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
 * A JDK flight recording of a rank, with the JDK's settings {@code profile}: a stack sample every 10 to 20 ms, locks,
 * garbage collections, compilations. The recording is written to a file when it is stopped or the JVM exits, but not
 * when the JVM is killed. Not thread-safe.
 */
final class FlightRecording
{
    private final Recording recording;

    private FlightRecording(final Recording recording)
    {
        this.recording = recording;
    }

    /**
     * Starts recording.
     *
     * @param directory directory of the file, created if missing.
     * @param rank      rank in the name of the file.
     * @throws IOException if the directory cannot be created or written to.
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

    /** File of a rank's recording. */
    static Path file(final Path directory, final int rank)
    {
        return directory.resolve("rank-" + rank + ".jfr");
    }

    /**
     * Writes the file. A rank that fails does not call this: its JVM may exit at any moment, and the recorder writes
     * the file at exit.
     */
    void stop()
    {
        recording.stop();
        recording.close();
    }
}
