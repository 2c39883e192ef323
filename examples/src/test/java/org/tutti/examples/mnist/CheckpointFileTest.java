/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CheckpointFileTest
{
    private static final float[][] ROWS = {{1, Float.MIN_VALUE}, {-0f, 3}, {7}};
    private static final float[][] VELOCITY = {{0, -2}, {1e30f, 4}, {5}};
    private static final CheckpointFile.Settings SETTINGS = new CheckpointFile.Settings(1, 64, 0.1f, 8_000);

    @TempDir
    private Path directory;
    private Path path;
    private CheckpointFile file;

    @BeforeEach
    void create()
    {
        path = directory.resolve("state");
        file = new CheckpointFile(path, SETTINGS);
    }

    @Test
    void shouldReadWhatWasWrittenLast() throws IOException
    {
        assertNull(file.read(ROWS));
        // A writer that was killed.
        Files.writeString(directory.resolve("state.tmp"), "half".repeat(1_000));

        file.write(new Checkpoint(6, 1, VELOCITY, ROWS));
        file.write(new Checkpoint(7, 0.1, ROWS, VELOCITY));

        final Checkpoint read = file.read(Rows.like(ROWS));
        assertEquals(7, read.steps());
        assertEquals(0.1, read.loss());
        for (int i = 0; i < ROWS.length; i++)
        {
            assertArrayEquals(ROWS[i], read.parameters()[i]);
            assertArrayEquals(VELOCITY[i], read.velocity()[i]);
        }
        try (Stream<Path> files = Files.list(directory))
        {
            assertEquals(List.of(path), files.toList());
        }
    }

    @Test
    void shouldRejectFilesThatAreNoCheckpoints() throws IOException
    {
        for (final String text : List.of("", "mnist-cp", "x".repeat(1_000)))
        {
            Files.writeString(path, text);
            assertRejected(file, "is not a checkpoint of mnist: remove it, or give another file");
        }
    }

    @Test
    void shouldRejectFilesThatAreTruncatedAtAnyByteOrTooLong() throws IOException
    {
        file.write(new Checkpoint(7, 0.1, ROWS, VELOCITY));
        final byte[] whole = Files.readAllBytes(path);
        for (int length = 16; length < whole.length; length++)
        {
            Files.write(path, Arrays.copyOf(whole, length));
            assertRejected(file, "has " + length + " of " + whole.length + " bytes: it is truncated or damaged");
        }
        Files.write(path, Arrays.copyOf(whole, whole.length + 1));
        assertRejected(file, "has " + (whole.length + 1) + " of " + whole.length + " bytes");
    }

    @Test
    void shouldRejectFilesOfWhichAnyByteWasChanged() throws IOException
    {
        file.write(new Checkpoint(7, 0.1, ROWS, VELOCITY));
        final byte[] whole = Files.readAllBytes(path);
        for (int i = 0; i < whole.length; i++)
        {
            final byte[] changed = whole.clone();
            changed[i] ^= 1;
            Files.write(path, changed);
            assertRejected(file, "--checkpoint=" + path + " ");
        }
        whole[whole.length - 20] ^= 4;
        Files.write(path, whole);
        assertRejected(file, "it is damaged; remove it, or restore a copy");
    }

    @Test
    void shouldRejectOtherVersions() throws IOException
    {
        file.write(new Checkpoint(7, 0.1, ROWS, VELOCITY));
        final byte[] whole = Files.readAllBytes(path);
        whole[11] = 2;
        Files.write(path, whole);

        assertRejected(file, "has format version 2, this program reads version 1: use the program that wrote it");
    }

    @Test
    void shouldRejectStateOfAnotherTraining()
    {
        file.write(new Checkpoint(7, 0.1, ROWS, VELOCITY));

        assertRejected(new CheckpointFile(path, new CheckpointFile.Settings(2, 64, 0.1f, 8_000)),
            "was written with --seed=1, but this training has --seed=2: give the same, or another file");
        assertRejected(new CheckpointFile(path, new CheckpointFile.Settings(1, 32, 0.1f, 8_000)),
            "was written with --batch=64, but this training has --batch=32");
        assertRejected(new CheckpointFile(path, new CheckpointFile.Settings(1, 64, 0.2f, 8_000)),
            "was written with --learning-rate=0.1, but this training has --learning-rate=0.2");
        assertRejected(new CheckpointFile(path, new CheckpointFile.Settings(1, 64, 0.1f, 60_000)),
            "was written in a training on 8000 images, but --data has 60000");
        assertTrue(assertThrows(DataException.class, () -> file.read(new float[3][5])).getMessage()
            .contains("was written with --hidden=2, but this training has --hidden=5"));
        assertTrue(assertThrows(DataException.class, () -> file.read(new float[4][2])).getMessage()
            .contains("has a network of other shape, of 3 rows, must have 4: give another file"));
        assertNotNull(file.read(ROWS));
    }

    @Test
    void shouldNameFileThatCannotBeWritten()
    {
        final Path absent = directory.resolve("absent").resolve("state");

        final DataException e = assertThrows(DataException.class,
            () -> new CheckpointFile(absent, SETTINGS).write(new Checkpoint(7, 0.1, ROWS, VELOCITY)));

        assertTrue(e.getMessage().startsWith("--checkpoint=" + absent + ": cannot be written ("), e.getMessage());
    }

    private static void assertRejected(final CheckpointFile file, final String problem)
    {
        final String message = assertThrows(DataException.class, () -> file.read(ROWS)).getMessage();
        assertTrue(message.contains(problem), message);
    }
}
