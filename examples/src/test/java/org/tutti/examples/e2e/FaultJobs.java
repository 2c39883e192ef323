/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Jobs on {@link NamespaceHosts}, most of which run {@link FaultTarget} while a test disturbs the hosts. */
final class FaultJobs
{
    /** Guards against a hang. */
    static final long LIMIT_MS = 120_000;

    /** Number of elements of 8 bytes whose frames take most of the time of a job. */
    static final int LONG = 200_000;

    private static final String CLASS_PATH = System.getProperty("java.class.path");

    private final NamespaceHosts hosts;
    private final Path end;

    FaultJobs(final NamespaceHosts hosts, final Path directory)
    {
        this.hosts = hosts;
        end = directory.resolve("end");
    }

    /** Runs a job that must succeed and leave nothing; returns its output. */
    String succeed(final String places, final List<String> options, final String... words) throws Exception
    {
        try (TuttiJob job = hosts.job(Map.of(), places, options, words))
        {
            final int code = job.await(LIMIT_MS);
            assertEquals(0, code, job.output());
            assertNothingLeft(job);
            return job.output();
        }
    }

    /** Starts {@link FaultTarget} with long buffers, see {@link #startWith}. */
    TuttiJob start(final String places) throws Exception
    {
        return startWith(LONG, Map.of(), places);
    }

    /**
     * Starts {@link FaultTarget}, and waits until each rank has results of several calls.
     *
     * @param count       number of elements of 8 bytes.
     * @param environment variables to add to the launcher's environment.
     * @param places      one host for each rank, separated by commas.
     */
    TuttiJob startWith(final int count, final Map<String, String> environment, final String places) throws Exception
    {
        Files.deleteIfExists(end);
        final TuttiJob job = hosts.job(environment, places, List.of("-cp", CLASS_PATH),
            FaultTarget.class.getName(), end.toString(), Integer.toString(count));
        final int ranks = places.split(",", -1).length;
        for (int rank = 0; rank < ranks; rank++)
        {
            await(job, "[" + rank + "] running " + rank + "\n");
        }
        return job;
    }

    /** Waits until the output of a running job contains a text. */
    void await(final TuttiJob job, final String text) throws IOException, InterruptedException
    {
        final long startNs = System.nanoTime();
        while (!job.output().contains(text))
        {
            assertTrue(job.launcher().isAlive(), job.output());
            assertTrue(System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(LIMIT_MS), job.output());
            Thread.sleep(10);
        }
    }

    /** Lets all ranks end after their current round; all must have correct results, and nothing is left. */
    void endCorrectly(final TuttiJob job, final int ranks) throws Exception
    {
        assertTrue(job.launcher().isAlive(), job.output());
        Files.createFile(end);
        assertEquals(0, job.await(LIMIT_MS), job.output());
        for (int rank = 0; rank < ranks; rank++)
        {
            assertTrue(job.output().contains("[" + rank + "] correct " + rank + "\n"), job.output());
        }
        assertNothingLeft(job);
    }

    /** The job ends by itself with errors of the survivors that name the rank that failed, and leaves nothing. */
    void assertFails(final TuttiJob job, final int failed, final List<Integer> survivors) throws Exception
    {
        final int code = job.await(LIMIT_MS);
        final String output = job.output();
        assertNotEquals(0, code, output);
        assertNotEquals(-1, code, output);
        for (final int rank : survivors)
        {
            assertTrue(output.lines().anyMatch(line ->
                line.matches("\\[" + rank + "] .*Exception: .*\\brank " + failed + "\\b.*")),
                "rank " + rank + " does not name rank " + failed + "\n" + output);
        }
        assertNothingLeft(job);
    }

    void assertNothingLeft(final TuttiJob job) throws Exception
    {
        assertEquals(List.of(), job.remaining(LIMIT_MS), job.output());
        hosts.awaitNothingLeft();
    }
}
