/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Another process writes random words to the ranks' shared files, or truncates one: each rank must end with an error
 * that reports it or with correct results, and no JVM may be ended by a signal. Runs beside other tests, because jobs
 * mostly wait for ranks that have failed.
 */
@Execution(ExecutionMode.CONCURRENT)
class CorruptedMemoryTest
{
    /** Number of jobs for each kind of damage. */
    private static final int JOBS = Integer.getInteger("tutti.test.corruptions", 1);
    private static final int WORDS = 1_000;
    private static final int PAGE = 4096;
    /** Beyond this offset a context's file holds nothing that so few ranks need. */
    private static final long MAX_SCANNED = 16L << 20;
    private static final long END_MS = 60_000;

    @TempDir
    private Path directory;

    /** Kinds of damage, with the prefix of the damaged files. */
    private enum Damage
    {
        WORDS_IN_CONTEXT("ctx-"), WORDS_IN_MEMORY("mem-"), TRUNCATED_CONTEXT("ctx-"), TRUNCATED_MEMORY("mem-");

        private final String prefix;

        Damage(final String prefix)
        {
            this.prefix = prefix;
        }
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void shouldEndWithErrorWhenAnotherProcessDamagesSharedMemory(final Damage damage) throws Exception
    {
        final long first = Long.getLong("tutti.test.seed", System.nanoTime());
        for (int job = 0; job < JOBS; job++)
        {
            run(damage, first + job);
        }
    }

    private void run(final Damage damage, final long seed) throws Exception
    {
        final Random random = new Random(seed);
        final boolean isDirect = random.nextInt(3) > 0;
        final String at = damage + ", -Dtutti.test.seed=" + seed + ", direct=" + isDirect + "\n";
        System.out.print(at);
        final Path end = directory.resolve("end-" + damage + "-" + seed);
        // Random words may also hit user data.
        final boolean checks = damage != Damage.WORDS_IN_MEMORY;
        try (TuttiJob job = TuttiJob.start(2, List.of(
            "--tag", "--grace", "60s", "-J-XX:+UseSerialGC",
            "-J-XX:ErrorFile=" + directory.resolve("hs_err_%p.log"),
            "-x", "TUTTI_TIMEOUT=2s", "-x", "TUTTI_DIRECT=" + (isDirect ? 1 : 0)),
            CorruptedMemoryTarget.class, end.toString(), Boolean.toString(checks)))
        {
            final long startNs = System.nanoTime();
            while (!job.output().contains("[0] started") || !job.output().contains("[1] started"))
            {
                assertTrue(job.launcher().isAlive() &&
                    System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(END_MS), () -> at);
                Thread.sleep(5);
            }
            damage(job, damage, random);
            Files.createFile(end);

            final int exitCode = job.await(END_MS);
            final String output = job.output();
            assertTrue(exitCode >= 0, () -> at + "the job hangs\n" + output);
            assertFalse(output.contains("SIG") || output.contains("hs_err"), () -> at + output);
            for (int rank = 0; rank < 2; rank++)
            {
                final String tag = "[" + rank + "] ";
                assertTrue(output.lines().anyMatch(line -> line.startsWith(tag + "right") ||
                    line.startsWith(tag + "error ")), () -> at + output);
            }
            assertEquals(List.of(), job.remaining(END_MS), () -> at + output);
            assertEquals(List.of(), job.sharedMemory(), () -> at + output);
        }
    }

    private static void damage(final TuttiJob job, final Damage damage, final Random random) throws IOException
    {
        final List<Path> files;
        // Not from the parent directory: files of other jobs and users appear, disappear, or cannot be read.
        try (Stream<Path> all = Files.walk(Path.of("/dev/shm", job.sharedMemory().getFirst())))
        {
            files = all.filter(file -> file.getFileName().toString().startsWith(damage.prefix)).sorted().toList();
        }
        final Path file = files.get(random.nextInt(files.size()));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            if (damage == Damage.TRUNCATED_CONTEXT || damage == Damage.TRUNCATED_MEMORY)
            {
                channel.truncate(random.nextBoolean() ? 0 : random.nextLong(MAX_SCANNED) / PAGE * PAGE);
                return;
            }
            final List<Long> pages = pages(channel);
            for (int i = 0; i < WORDS; i++)
            {
                final long offset = pages.get(random.nextInt(pages.size())) + 4L * random.nextInt(PAGE / 4);
                channel.write(
                    ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putInt(0, random.nextInt()), offset);
            }
        }
    }

    /** Offsets of the pages that are not empty. */
    private static List<Long> pages(final FileChannel channel) throws IOException
    {
        final List<Long> pages = new ArrayList<>();
        final ByteBuffer page = ByteBuffer.allocate(PAGE);
        final ByteBuffer empty = ByteBuffer.allocate(PAGE);
        for (long offset = 0; offset < Math.min(channel.size(), MAX_SCANNED); offset += PAGE)
        {
            channel.read(page.clear(), offset);
            if (!page.clear().equals(empty))
            {
                pages.add(offset);
            }
        }
        return pages;
    }
}
