/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tutti.rdma.Device;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.RdmaProvider;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Tests hosts without RDMA: no library, or no device. */
class MissingLibraryTest
{
    private static final int DEADLINE_S = 60;

    @Test
    void shouldNamePackagesWhenLibraryIsMissing(@TempDir final Path directory) throws Exception
    {
        // An invalid file hides the library that may be installed.
        Files.createFile(directory.resolve(Libibverbs.FILE_NAME));

        final String output = listDevices(directory);

        assertTrue(output.contains("libibverbs.so.1 is not installed"), output);
        assertTrue(output.contains("libibverbs1"), output);
        assertTrue(output.contains("ibverbs-providers"), output);
        assertEquals(1, output.lines().count(), output);
    }

    @Test
    void shouldListNoDevicesWhenKernelHasNone(@TempDir final Path directory) throws Exception
    {
        final boolean isPossible = !Files.exists(Path.of("/sys/class/infiniband"));
        if (!isPossible)
        {
            System.err.println("skipped: this host has RDMA");
        }
        assumeTrue(isPossible);

        final String output = listDevices(directory);

        assertTrue(output.startsWith("[]") || output.contains("is not installed"), output);
    }

    /** Lists devices in a separate process that searches libraries there first. */
    private static String listDevices(final Path libraries) throws IOException, InterruptedException
    {
        final ProcessBuilder builder = new ProcessBuilder(
            ProcessHandle.current().info().command().orElse("java"), "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED", "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "-cp", System.getProperty("java.class.path"), Lister.class.getName());
        builder.environment().put("LD_LIBRARY_PATH", libraries.toString());
        final Process process = builder.redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(DEADLINE_S, TimeUnit.SECONDS));
        return output.lines().filter((line) -> !line.startsWith("WARNING")).collect(Collectors.joining("\n"));
    }

    /** Prints the devices, or the reason why there are none. */
    static final class Lister
    {
        private Lister()
        {
        }

        public static void main(final String[] args)
        {
            try
            {
                final List<Device> devices = RdmaProvider.load("verbs").devices();
                System.out.println(devices);
            }
            catch (final RdmaException ex)
            {
                System.out.println(ex.getMessage());
            }
        }
    }
}
