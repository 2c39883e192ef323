/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import ai.djl.engine.Engine;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tutti.collectives.LocalJob;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TorchEngineTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldLoadPyTorch()
    {
        for (final Engine engine : LocalJob.call(2, TorchEngine::load))
        {
            assertSame(Engine.getEngine("PyTorch"), engine);
        }
    }

    @Test
    void shouldNameRanksThatCannotLoad()
    {
        for (final DistributedTrainingException error : LocalJob.call(3, communicator ->
            assertThrows(DistributedTrainingException.class, () -> TorchEngine.load(communicator, () ->
            {
                if (communicator.rank() == 1)
                {
                    throw new UnsatisfiedLinkError("libtorch.so: file too short");
                }
                return null;
            }))))
        {
            assertEquals(List.of(1), error.ranks());
            assertTrue(error.getMessage().startsWith(
                "cannot load PyTorch on rank 1: UnsatisfiedLinkError: libtorch.so: file too short: add "),
                error.getMessage());
        }
    }

    @Test
    void shouldFailAtOnceWhenNativeLibraryIsMissing() throws Exception
    {
        final String output = run("pytorch-native");
        assertTrue(output.contains("[0, 1] cannot load PyTorch on ranks 0, 1: "), output);
        assertTrue(output.contains("pytorch-native-cpu with the classifier linux-x86_64"), output);
    }

    @Test
    void shouldFailAtOnceWhenEngineIsMissing() throws Exception
    {
        final String output = run("pytorch-");
        assertTrue(output.contains("[0, 1] cannot load PyTorch on ranks 0, 1: "), output);
    }

    /** Runs the target without the jars whose names have a prefix, and without DJL's cache of native libraries. */
    private String run(final String excluded) throws IOException, InterruptedException
    {
        final String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> !Path.of(entry).getFileName().toString().startsWith(excluded))
            .collect(Collectors.joining(File.pathSeparator));
        final Path output = directory.resolve("output");
        final ProcessBuilder builder = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "@" + Path.of(System.getProperty("tutti.root"), "jvm.options"), "-Dai.djl.offline=true",
            "-cp", classPath, NativeLibraryTarget.class.getName())
            .redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("DJL_CACHE_DIR", directory.resolve("cache").toString());
        builder.start().waitFor();
        return Files.readString(output, StandardCharsets.UTF_8);
    }
}
