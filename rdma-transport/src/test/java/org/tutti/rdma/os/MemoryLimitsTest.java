/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.os;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class MemoryLimitsTest
{
    private static final long KIBIBYTE = 1024;

    @TempDir
    private Path directory;
    private MemoryLimits limits;
    private Path inner;

    @BeforeEach
    void describe() throws IOException
    {
        limits = new MemoryLimits(directory.resolve("proc"), directory.resolve("cgroup"));
        inner = limits.groups().resolve("outer/inner");
        write(limits.processes().resolve("meminfo"), "MemTotal: 900 kB\nMemAvailable:     500 kB\n");
        write(limits.processes().resolve("self/cgroup"), "1:name=systemd:/elsewhere\n0::/outer/inner\n");
    }

    @Test
    void shouldAcceptWhenHostHasEnoughMemory()
    {
        limits.check(500 * KIBIBYTE, "verb");

        final String message = refusal(500 * KIBIBYTE + 7);
        assertTrue(message.contains("the host has only 512000 bytes of memory available (7 missing)"), message);
    }

    @Test
    void shouldAcceptWhenControlGroupHasEnoughMemory() throws IOException
    {
        limit(inner, "300000", 100_000);
        write(inner.resolve("memory.stat"), "anon 90000\nactive_file 5000\ninactive_file 2000\nfile 10000\n");
        limits.check(207_000, "verb");

        final String message = refusal(207_001);
        assertTrue(message.contains(inner + " with its memory.max of 300000"), message);
        assertTrue(message.contains("docker run --memory"), message);
    }

    @Test
    void shouldCheckEnclosingControlGroups() throws IOException
    {
        limit(inner, "max", 100);
        limit(inner.getParent(), "1000", 1200);

        assertTrue(refusal(1).contains("has only 0 bytes"));
    }

    @Test
    void shouldSetNoLimitWhenFilesCannotBeRead() throws IOException
    {
        limit(inner, "max", 100);
        limits.check(500 * KIBIBYTE, "verb");
        write(limits.processes().resolve("self/cgroup"), "0::/../../../..\n");
        limits.check(500 * KIBIBYTE, "verb");
        new MemoryLimits(directory.resolve("none"), directory.resolve("none")).check(Long.MAX_VALUE, "verb");
    }

    private String refusal(final long bytes)
    {
        final RdmaException e = assertThrows(RdmaException.class, () -> limits.check(bytes, "verb"));
        assertEquals(Errno.ENOMEM, e.errno());
        assertTrue(e.getMessage().contains(bytes + " bytes of shared memory requested"), e.getMessage());
        return e.getMessage();
    }

    private static void limit(final Path group, final String max, final long current) throws IOException
    {
        write(group.resolve("memory.max"), max + "\n");
        write(group.resolve("memory.current"), current + "\n");
    }

    private static void write(final Path path, final String text) throws IOException
    {
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
