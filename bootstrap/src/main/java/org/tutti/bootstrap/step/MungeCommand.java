/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.step;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.tutti.bootstrap.store.DurationFormat;

/**
 * The programs {@code munge} and {@code unmunge}, which encode and decode credentials: texts that prove the uid of
 * their creator on all hosts with the same MUNGE key, encrypted for that uid, and valid once for some minutes.
 */
final class MungeCommand
{
    /** Finds the uid in a line such as {@code UID: root (0)}; a login name may consist of digits, too. */
    private static final Pattern UID = Pattern.compile("(?m)^UID:\\s+(?:.*\\()?(\\d+)\\)?\\s*$");
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final int MAX_OUTPUT = 1 << 16;

    private final String path;
    private final LongSupplier leftNs;

    /**
     * @param path   the directories of programs, separated by colons.
     * @param leftNs the time that is left for a program, in nanoseconds.
     */
    MungeCommand(final String path, final LongSupplier leftNs)
    {
        this.path = path;
        this.leftNs = leftNs;
    }

    static boolean isInstalled(final String path)
    {
        return find(path, "munge") != null && find(path, "unmunge") != null;
    }

    private static String find(final String path, final String program)
    {
        for (final String directory : path.split(":", -1))
        {
            final Path candidate = Path.of(directory.isEmpty() ? "." : directory, program);
            if (Files.isRegularFile(candidate) && Files.isExecutable(candidate))
            {
                return candidate.toString();
            }
        }
        return null;
    }

    /**
     * Creates a credential that only this user can decode.
     *
     * @param uid     the uid of this process.
     * @param payload the text in the credential.
     * @return the credential, one line.
     * @throws IOException if MUNGE fails; the message is MUNGE's own.
     */
    String encode(final int uid, final String payload) throws IOException
    {
        // The payload does not go through the command line, which others can read.
        final String credential = run(payload, "munge", "--restrict-uid=" + uid).strip();
        if (!credential.matches("MUNGE:[A-Za-z0-9+/=]+:"))
        {
            throw new IOException("munge printed no credential");
        }
        return credential;
    }

    /**
     * Decodes a credential of this user.
     *
     * @param uid        the uid of this process.
     * @param credential the credential.
     * @return the text in it.
     * @throws IOException if it is not valid, or of another user; the message is MUNGE's own.
     */
    String decode(final int uid, final String credential) throws IOException
    {
        final String text = run(credential, "unmunge", "--keys=UID");
        final String[] parts = text.split("\n\n", 2);
        final Matcher user = UID.matcher(parts[0]);
        if (parts.length < 2 || !user.find() || !user.group(1).equals(Integer.toString(uid)))
        {
            throw new IOException("the credential is of another user: " + parts[0].strip());
        }
        return parts[1].strip();
    }

    private String run(final String input, final String program, final String option) throws IOException
    {
        final String found = find(path, program);
        if (found == null)
        {
            throw new IOException(program + " is not on the PATH");
        }
        final Process process = new ProcessBuilder(found, option).start();
        try
        {
            write(process, input);
            // Its output is short enough for the pipes.
            final long limitNs = Math.clamp(leftNs.getAsLong(), 1, TIMEOUT_NS);
            if (!process.waitFor(limitNs, TimeUnit.NANOSECONDS))
            {
                throw new IOException(program + " does not end within " + DurationFormat.formatMeasured(limitNs));
            }
            final String output = read(process.getInputStream());
            final String errors = read(process.getErrorStream());
            if (process.exitValue() != 0)
            {
                throw new IOException(errors.lines().findFirst()
                    .orElse(program + " exited with code " + process.exitValue()).strip());
            }
            return output;
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", ex);
        }
        finally
        {
            process.destroyForcibly();
        }
    }

    private static void write(final Process process, final String input)
    {
        try (OutputStream stdin = process.getOutputStream())
        {
            stdin.write(input.getBytes(StandardCharsets.US_ASCII));
        }
        catch (final IOException ex)
        {
            // The program has ended: its exit code and message tell why.
            return;
        }
    }

    private static String read(final InputStream stream) throws IOException
    {
        try (stream)
        {
            return new String(stream.readNBytes(MAX_OUTPUT), StandardCharsets.US_ASCII);
        }
    }
}
