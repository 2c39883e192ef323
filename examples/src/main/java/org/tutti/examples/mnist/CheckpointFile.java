/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * File of a {@link Checkpoint}. A write replaces it atomically: a process or host that fails at any time leaves the old
 * or the new state. All numbers are big-endian: <pre>
 *   8 bytes "mnist-cp" | int version | int length of the file
 *   long seed | int batch | float learning rate | int training images
 *   long steps | double loss | int rows | int length of each row
 *   floats of the parameters | floats of the velocity | int CRC-32C of all before</pre>
 */
final class CheckpointFile
{
    /**
     * Settings that the steps to come depend on.
     *
     * @param seed         seed of the weights and of the order of the images.
     * @param batch        images per step.
     * @param learningRate learning rate.
     * @param images       number of training images.
     */
    record Settings(long seed, int batch, float learningRate, int images)
    {
    }

    private static final byte[] MAGIC = "mnist-cp".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 1;
    private static final int START_LENGTH = MAGIC.length + 2 * Integer.BYTES;
    private static final int FIXED_LENGTH = START_LENGTH + 3 * Long.BYTES + 4 * Integer.BYTES + Integer.BYTES;

    private final Path file;
    private final Settings settings;

    /**
     * Creates the description of a file that need not exist.
     *
     * @param file     path of the file.
     * @param settings settings of the training.
     */
    CheckpointFile(final Path file, final Settings settings)
    {
        this.file = file;
        this.settings = settings;
    }

    /**
     * Replaces the file.
     *
     * @param checkpoint state to write.
     * @throws DataException if the file cannot be written; the old one is unchanged then.
     */
    void write(final Checkpoint checkpoint)
    {
        final ByteBuffer bytes = encode(checkpoint);
        final Path absolute = file.toAbsolutePath();
        final Path temporary = absolute.resolveSibling(absolute.getFileName() + ".tmp");
        try
        {
            try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.CREATE,
                StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING))
            {
                while (bytes.hasRemaining())
                {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(temporary, absolute, StandardCopyOption.ATOMIC_MOVE);
            try (FileChannel directory = FileChannel.open(absolute.getParent()))
            {
                // The rename reaches the disk, too.
                directory.force(true);
            }
        }
        catch (final IOException e)
        {
            throw new DataException("--checkpoint=" + file + ": cannot be written (" + e +
                "): give a file in a directory that is writable and not full", e);
        }
    }

    private ByteBuffer encode(final Checkpoint checkpoint)
    {
        final float[][] rows = checkpoint.parameters();
        final ByteBuffer bytes = ByteBuffer.allocate(length(rows));
        bytes.put(MAGIC).putInt(VERSION).putInt(bytes.capacity());
        bytes.putLong(settings.seed()).putInt(settings.batch()).putFloat(settings.learningRate())
            .putInt(settings.images());
        bytes.putLong(checkpoint.steps()).putDouble(checkpoint.loss()).putInt(rows.length);
        for (final float[] row : rows)
        {
            bytes.putInt(row.length);
        }
        put(bytes, rows);
        put(bytes, checkpoint.velocity());
        bytes.putInt(crc(bytes.array()));
        return bytes.flip();
    }

    private static int length(final float[][] rows)
    {
        return FIXED_LENGTH + Integer.BYTES * rows.length + 2 * Float.BYTES * Rows.count(rows);
    }

    private static void put(final ByteBuffer bytes, final float[][] rows)
    {
        for (final float[] row : rows)
        {
            bytes.asFloatBuffer().put(row);
            bytes.position(bytes.position() + Float.BYTES * row.length);
        }
    }

    /** Returns the CRC of all bytes but the last four. */
    private static int crc(final byte[] bytes)
    {
        final CRC32C crc = new CRC32C();
        crc.update(bytes, 0, bytes.length - Integer.BYTES);
        return (int)crc.getValue();
    }

    /**
     * Reads the file.
     *
     * @param like parameters of the network of this training.
     * @return the state, or null if the file does not exist.
     * @throws DataException if the file is not a whole checkpoint of the same training; names the problem and the fix.
     */
    Checkpoint read(final float[][] like)
    {
        if (!Files.exists(file))
        {
            return null;
        }
        final byte[] content = load();
        final ByteBuffer bytes = ByteBuffer.wrap(content);
        final byte[] magic = new byte[MAGIC.length];
        if (bytes.capacity() >= START_LENGTH)
        {
            bytes.get(magic);
        }
        require(Arrays.equals(magic, MAGIC), "is not a checkpoint of mnist: remove it, or give another file");
        final int version = bytes.getInt();
        require(version == VERSION, "has format version " + version + ", this program reads version " + VERSION +
            ": use the program that wrote it, or remove it");
        final int length = bytes.getInt();
        require(length >= FIXED_LENGTH && length == bytes.capacity(), "has " + bytes.capacity() + " of " + length +
            " bytes: it is truncated or damaged; remove it, or restore a copy");
        final int crc = bytes.getInt(length - Integer.BYTES);
        require(crc == crc(content), String.format(
            "has CRC-32C %08x, must have %08x: it is damaged; remove it, or restore a copy", crc(content), crc));
        requireSettings(new Settings(bytes.getLong(), bytes.getInt(), bytes.getFloat(), bytes.getInt()));
        final long steps = bytes.getLong();
        final double loss = bytes.getDouble();
        requireShape(bytes, like);
        return new Checkpoint(steps, loss, get(bytes, like), get(bytes, like));
    }

    private byte[] load()
    {
        try
        {
            return Files.readAllBytes(file);
        }
        catch (final IOException | OutOfMemoryError e)
        {
            throw new DataException("--checkpoint=" + file + ": cannot be read (" + e +
                "): give a file that is readable", e);
        }
    }

    private void requireSettings(final Settings found)
    {
        requireSame("--seed=", found.seed(), settings.seed());
        requireSame("--batch=", found.batch(), settings.batch());
        requireSame("--learning-rate=", found.learningRate(), settings.learningRate());
        require(found.images() == settings.images(), "was written in a training on " + found.images() +
            " images, but --data has " + settings.images() + ": give the same --data, or another file");
    }

    private void requireSame(final String option, final Object found, final Object given)
    {
        require(found.equals(given), "was written with " + option + found + ", but this training has " + option +
            given + ": give the same, or another file");
    }

    private void requireShape(final ByteBuffer bytes, final float[][] like)
    {
        final int[] found = new int[Math.clamp(bytes.getInt(), 0, bytes.remaining() / Integer.BYTES)];
        for (int i = 0; i < found.length; i++)
        {
            found[i] = bytes.getInt();
        }
        final int[] wanted = Arrays.stream(like).mapToInt(row -> row.length).toArray();
        if (found.length == wanted.length && found.length > 0)
        {
            requireSame("--hidden=", found[0], wanted[0]);
        }
        require(Arrays.equals(found, wanted) && bytes.capacity() == length(like), "has a network of other shape, of " +
            found.length + " rows, must have " + wanted.length + ": give another file");
    }

    private static float[][] get(final ByteBuffer bytes, final float[][] like)
    {
        final float[][] rows = Rows.like(like);
        for (final float[] row : rows)
        {
            bytes.asFloatBuffer().get(row);
            bytes.position(bytes.position() + Float.BYTES * row.length);
        }
        return rows;
    }

    private void require(final boolean condition, final String problem)
    {
        if (!condition)
        {
            throw new DataException("--checkpoint=" + file + " " + problem);
        }
    }
}
