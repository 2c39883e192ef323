/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Runs the tutorial's programs as a user would. */
class ExamplesTest
{
    private static final long TIMEOUT_MS = 60_000;
    private static final List<String> QUIET = List.of("--quiet");

    @Test
    void shouldListTheExamples() throws Exception
    {
        try (TuttiJob job = TuttiJob.start(1, QUIET, List.of("example")))
        {
            assertEquals(0, job.await(TIMEOUT_MS), job.output());
            assertTrue(job.output().contains("verbs-5 "), job.output());
        }
    }

    @Test
    void shouldReportUnknownExampleOnce() throws Exception
    {
        try (TuttiJob job = TuttiJob.start(1, QUIET, List.of("example", "verbs-9")))
        {
            assertEquals(2, job.await(TIMEOUT_MS), job.output());
            assertEquals(1, job.output().lines().count(), job.output());
            assertTrue(job.output().contains("did you mean 'verbs-"), job.output());
        }
    }

    @Test
    void shouldConnectTwoProcessesAndRemoveFiles() throws Exception
    {
        final List<String> before = directories();
        final List<String> common = List.of("example", "read-write", "--transport", "shm", "--port", freePort());
        try (TuttiJob client = TuttiJob.start(1, QUIET, with(common, "--connect", "localhost"));
            TuttiJob server = TuttiJob.start(1, QUIET, with(common, "--listen")))
        {
            assertEquals(0, client.await(TIMEOUT_MS), client.output() + server.output());
            assertEquals(0, server.await(TIMEOUT_MS), server.output());
            assertTrue(client.output().contains("client: greetings from the server, process "), client.output());
            assertTrue(server.output().contains("server: greetings from the client, process "), server.output());
        }
        assertEquals(before, directories());
    }

    private static List<String> with(final List<String> words, final String... more)
    {
        return Stream.concat(words.stream(), Stream.of(more)).toList();
    }

    private static List<String> directories() throws IOException
    {
        try (Stream<Path> files = Files.list(Path.of("/dev/shm")))
        {
            return files.map(Path::toString).filter((name) -> name.contains("tutti-example-")).sorted().toList();
        }
    }

    private static String freePort() throws IOException
    {
        try (ServerSocket socket = new ServerSocket(0))
        {
            return Integer.toString(socket.getLocalPort());
        }
    }
}
