/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A job whose output is not read ends when requested, and reports that output was truncated. */
class UnreadOutputTest
{
    /** More than the capacity of the pipe to the reader, and less than that of both pipes on the way. */
    private static final String FILL = "head -c 100000 /dev/zero | tr '\\0' '\\n'";
    private static final String RUNNING = "exec sleep 600";
    private static final boolean IS_TORTURE = Boolean.getBoolean("tutti.test.torture");

    private final String marker = "TUTTI_MARKER=" + UUID.randomUUID();

    @TempDir
    private Path directory;

    /** A host that is reached by ssh; both kinds of hosts, of ranks and of requests in torture mode. */
    static Stream<Arguments> ends()
    {
        final Stream<Arguments> one = Stream.of(Arguments.of("there", "exit 0", "", 124));
        return !IS_TORTURE ? one : Stream.concat(one, Stream.of(
            Arguments.of("here", RUNNING, "TERM", 143),
            Arguments.of("here", "exit 0", "TERM", 143),
            Arguments.of("here", RUNNING, "", 124),
            Arguments.of("here", "exit 0", "", 124),
            Arguments.of("there", RUNNING, "TERM", 143)));
    }

    @ParameterizedTest
    @MethodSource("ends")
    void shouldEndAndReportThatOutputWasCut(
        final String host, final String end, final String signal, final int code)
    {
        try (TuttiProcess tutti = TuttiProcess.startUnread(false, words(
            host.equals("there"), signal.isEmpty() ? "2s" : "1h", FILL + "; " + written(), end)))
        {
            awaitWritten();
            if (!signal.isEmpty())
            {
                tutti.signal(signal);
            }
            final TuttiProcess.Result result = tutti.awaitEnd();

            assertEquals(code, result.code(), result.err());
            assertTrue(result.err().contains("tutti: the job's output was truncated on stdout: "), result.err());
            assertNothingIsLeft();
        }
    }

    static Stream<Arguments> endsWithoutReader()
    {
        final Stream<Arguments> few = Stream.of(Arguments.of(RUNNING, 143), Arguments.of("exit 7", 7));
        return !IS_TORTURE ? few : Stream.concat(few, Stream.of(Arguments.of("exit 0", 143)));
    }

    @ParameterizedTest
    @MethodSource("endsWithoutReader")
    @Tag("torture")
    void shouldEndWhenStderrIsNotReadEither(final String end, final int code)
    {
        try (TuttiProcess tutti = TuttiProcess.startUnread(true, words(
            false, "1h", FILL + " >&2; echo; " + written(), end)))
        {
            awaitWritten();
            TuttiProcess.await("end of ranks", () ->
                end.equals(RUNNING) || (TuttiProcess.processesWith(marker).isEmpty() && !tutti.hasEndedChild()));
            tutti.signal("TERM");

            assertEquals(code, tutti.awaitEnd().code());
            assertNothingIsLeft();
        }
    }

    /** The grace period applies only to jobs that a signal or a timeout ended. */
    @Test
    void shouldPassOnAllOutputWhenJobEndsByItself()
    {
        final TuttiProcess.Result result = TuttiProcess.run("run", "-np", "1", "--grace", "1ms", "sh", "-c", FILL);

        assertEquals(0, result.code(), result.err());
        assertEquals(100_000, result.out().length());
    }

    private String[] words(final boolean isRemote, final String timeout, final String fill, final String end)
    {
        final String[] options = {
            "--timeout", timeout, "--grace", "300ms", "-x", marker, "sh", "-c", fill + "; " + end};
        if (isRemote)
        {
            return new FakeHosts(directory).words("alpha", options);
        }
        final String[] words = new String[options.length + 3];
        words[0] = "run";
        words[1] = "-np";
        words[2] = "1";
        System.arraycopy(options, 0, words, 3, options.length);
        return words;
    }

    private String written()
    {
        return "touch '" + directory.resolve("written") + "'";
    }

    private void awaitWritten()
    {
        TuttiProcess.await("all written", () -> Files.exists(directory.resolve("written")));
    }

    private void assertNothingIsLeft()
    {
        TuttiProcess.await("no process left", () -> TuttiProcess.processesWith(marker).isEmpty());
        TuttiProcess.await("no agent left", () -> TuttiProcess.processesCalled(directory.toString()).isEmpty());
    }
}
