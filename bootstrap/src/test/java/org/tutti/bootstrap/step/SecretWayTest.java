/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.DatagramSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tutti.bootstrap.SlurmStep;

class SecretWayTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldPreferDirectoryThatUserChoseToAllOtherWays() throws Exception
    {
        try (DatagramSocket socket = new DatagramSocket())
        {
            final SecretWay way =
                SecretWay.choose(new SlurmStep(descriptorOf("socket:"), "7.0", "/shared", programs(), null));

            assertTrue(socket.isBound());
            assertEquals(new SecretWay(SecretWay.Kind.FILE, Path.of("/shared"), "TUTTI_SECRET_DIR is set"), way);
        }
    }

    @Test
    void shouldUsePmiWhenItsDescriptorIsAnOpenSocket() throws Exception
    {
        try (DatagramSocket socket = new DatagramSocket())
        {
            final int descriptor = descriptorOf("socket:");

            final SecretWay way = SecretWay.choose(new SlurmStep(descriptor, "7.0", null, programs(), null));

            assertTrue(socket.isBound());
            assertEquals(
                new SecretWay(SecretWay.Kind.PMI, null, "PMI_FD=" + descriptor + " is an open socket"), way);
        }
    }

    @Test
    void shouldUseMungeWhenDescriptorOfPmiIsClosedOrAnotherFile() throws Exception
    {
        final Path file = Files.writeString(directory.resolve("file"), "");
        try (FileChannel channel = FileChannel.open(file))
        {
            assertTrue(channel.isOpen());
            for (final int descriptor : new int[] {descriptorOf(file.toRealPath().toString()), 1 << 20})
            {
                final SecretWay way = SecretWay.choose(new SlurmStep(descriptor, "7.0", null, programs(), null));

                assertEquals(new SecretWay(SecretWay.Kind.MUNGE, null, "PMI_FD=" + descriptor +
                    " is not an open socket and munge is on the PATH"), way);
            }
        }
    }

    @Test
    void shouldSayWhatThisHostLacksWhenItHasNoProgramsOfMunge()
    {
        final SecretWay way = SecretWay.choose(new SlurmStep(-1, "", null, "/nowhere", null));

        assertNotEquals(SecretWay.Kind.MUNGE, way.kind());
        assertTrue(way.reason().startsWith(
            "PMI_FD is not set, munge is not on the PATH, and the working directory is on "), way.reason());
    }

    /** Returns a descriptor of this process for what has a name that starts with a text. */
    private static int descriptorOf(final String text) throws IOException
    {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd")))
        {
            return files.filter(file -> target(file).startsWith(text))
                .mapToInt(file -> Integer.parseInt(file.getFileName().toString())).max().orElseThrow();
        }
    }

    private static String target(final Path link)
    {
        try
        {
            return Files.readSymbolicLink(link).toString();
        }
        catch (final IOException ex)
        {
            // It has been closed.
            return "";
        }
    }

    private String programs() throws IOException
    {
        for (final String name : new String[] {"munge", "unmunge"})
        {
            Files.setPosixFilePermissions(
                Files.writeString(directory.resolve(name), ""), PosixFilePermissions.fromString("rwx------"));
        }
        return directory.toString();
    }
}
