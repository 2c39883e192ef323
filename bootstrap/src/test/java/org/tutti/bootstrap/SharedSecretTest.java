/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharedSecretTest
{
    private static final String SECRET = "0123456789abcdef";

    @TempDir
    private Path directory;

    @Test
    void shouldPreferVariableToFile() throws IOException
    {
        final String file = file(SECRET + "\n", "r--------").toString();

        assertNull(SharedSecret.read(Map.of()));
        assertEquals(SECRET, SharedSecret.read(Map.of("TUTTI_SECRET_FILE", file)));
        assertEquals("other", SharedSecret.read(Map.of("TUTTI_SECRET", "other", "TUTTI_SECRET_FILE", file)));
    }

    @Test
    void shouldFollowLinksAsOrchestratorsMakeThem() throws IOException
    {
        file(SECRET, "rw-------");
        final Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("secret"));

        assertEquals(SECRET, SharedSecret.read(Map.of("TUTTI_SECRET_FILE", link.toString())));
    }

    @Test
    void shouldLetGroupReadFileOfRootOnly() throws IOException
    {
        // As Kubernetes mounts a secret with defaultMode 0440 and fsGroup.
        final String file = file(SECRET, "r--r-----").toString();
        final Map<String, String> settings = Map.of("TUTTI_SECRET_FILE", file);

        if (PrivatePath.uid() == 0)
        {
            assertEquals(SECRET, SharedSecret.read(settings));
            Files.setAttribute(directory.resolve("secret"), "unix:uid", 1000);
        }
        assertTrue(refusal(settings).contains("' is not trusted: it is a file of uid "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-rw----", "rw-r-x---", "rw----r--", "rw--w----"})
    void shouldRefuseFileThatOthersCanUse(final String mode) throws IOException
    {
        final String file = file(SECRET, mode).toString();

        final String message = refusal(Map.of("TUTTI_SECRET_FILE", file));
        assertTrue(
            message.startsWith("TUTTI_SECRET_FILE='" + file + "' is not trusted: it is a file of uid "), message);
        assertTrue(message.endsWith(" with mode 0600 at most, or of uid 0 with mode 0640 at most: chmod it " +
            "(Kubernetes: defaultMode: 0440), or give another"), message);
    }

    @Test
    void shouldNameFileThatCannotBeReadOrIsTooShort() throws IOException
    {
        assertTrue(refusal(Map.of("TUTTI_SECRET_FILE", "/no/file")).startsWith(
            "TUTTI_SECRET_FILE='/no/file' cannot be read (java.nio.file.NoSuchFileException: /no/file): "));
        assertTrue(refusal(Map.of("TUTTI_SECRET_FILE", file("short", "rw-------").toString())).startsWith(
            "TUTTI_SECRET_FILE gives a secret of 5 characters: must have 16 to 256, "));
    }

    @Test
    void shouldGiveSecretOfFileToRanks() throws IOException
    {
        final JobEnvironment environment = JobEnvironment.read(Map.of("RANK", "0", "WORLD_SIZE", "2",
            "MASTER_ADDR", "node1", "TUTTI_SECRET_FILE", file(SECRET, "rw-------").toString()));

        assertEquals(SECRET, environment.secret());
    }

    private static String refusal(final Map<String, String> settings)
    {
        return assertThrows(BootstrapException.class, () -> SharedSecret.read(settings)).getMessage();
    }

    private Path file(final String content, final String mode) throws IOException
    {
        final Path file = Files.writeString(directory.resolve("secret"), content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }
}
