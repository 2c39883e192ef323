/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tutti.bootstrap.Coordinator;
import org.tutti.bootstrap.CoordinatorOptions;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The library is loaded, or cannot be for different reasons: then each rank gets one error with the fix. */
class LightGbmLibraryTest
{
    private static final String LIBRARIES = "LIGHTGBM_NATIVE_LIB_PATH";
    private static final String BOTH = "[0, 1] cannot load LightGBM on ranks 0, 1: ";
    private static final String PLATFORM =
        System.getProperty("os.name") + " on " + System.getProperty("os.arch") + ": ";

    @TempDir
    private Path directory;

    @Test
    void shouldLoadWhileAnotherThreadCreatesTemporaryFiles() throws Exception
    {
        final String output = run("none", null);
        assertTrue(output.lines().anyMatch("loaded"::equals), output);
        try (Stream<Path> files = Files.walk(directory))
        {
            assertEquals(List.of(), files.filter(file -> file.toString().endsWith(".so")).toList());
        }
    }

    @Test
    void shouldReportMissingJar() throws Exception
    {
        final String output = run("lightgbm4j");
        assertTrue(output.lines().anyMatch((BOTH + LibraryProblem.NO_JAR.text())::equals), output);
    }

    @Test
    void shouldReportMissingLibrary() throws Exception
    {
        final String output = run("none");
        assertTrue(output.contains(BOTH + LibraryProblem.NO_LIBRARY.text() + " (rank 0, " + PLATFORM), output);
        assertTrue(output.contains(directory.resolve("lib_lightgbm.so") + ")"), output);
    }

    @Test
    void shouldReportLibraryOfOtherPlatform() throws Exception
    {
        for (final String name : new String[] {"lib_lightgbm.so", "lib_lightgbm_swig.so"})
        {
            Files.write(directory.resolve(name), resource("lightgbm4j/linux/aarch64/" + name));
        }
        final String output = run("none");
        assertTrue(output.contains(BOTH + LibraryProblem.NO_LIBRARY.text() + " (rank 0, " + PLATFORM), output);
        assertTrue(output.contains("AARCH64"), output);
    }

    /** The library needs a libgomp of a version that no host has, as it would need libgomp.so.1 on a host without. */
    @Test
    void shouldReportMissingLibgomp() throws Exception
    {
        for (final String name : new String[] {"lib_lightgbm.so", "lib_lightgbm_swig.so"})
        {
            final String bytes = new String(resource("lightgbm4j/linux/x86_64/" + name), StandardCharsets.ISO_8859_1);
            Files.write(directory.resolve(name),
                bytes.replace("libgomp.so.1", "libgomp.so.0").getBytes(StandardCharsets.ISO_8859_1));
        }
        final String output = run("none");
        assertTrue(output.contains(BOTH + LibraryProblem.NO_LIBGOMP.text() + " (rank 0, " + PLATFORM), output);
        assertTrue(output.contains(": libgomp.so.0: "), output);
    }

    @Test
    void shouldNameTheRankThatLacksTheLibraryOnAllRanks() throws Exception
    {
        final List<Process> ranks = new ArrayList<>();
        try (Coordinator coordinator = Coordinator.start(CoordinatorOptions.ofSize(2).address("127.0.0.1")))
        {
            for (int rank = 0; rank < 2; rank++)
            {
                ranks.add(TrainingRank.start(rank == 0 ? Map.of() : Map.of(LIBRARIES, directory + "/"),
                    coordinator.address(), coordinator.secret(), Integer.toString(rank), "2"));
            }
            for (final Process rank : ranks)
            {
                final String output = new String(rank.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertTrue(output.contains("LightGbmException: cannot load LightGBM on rank 1: " +
                    LibraryProblem.NO_LIBRARY.text() + " (rank 1, " + PLATFORM), output);
                assertTrue(output.contains(directory.resolve("lib_lightgbm.so").toString()), output);
            }
        }
        finally
        {
            ranks.forEach(Process::destroyForcibly);
        }
    }

    private static byte[] resource(final String name) throws IOException
    {
        try (InputStream stream = LightGbmLibraryTest.class.getClassLoader().getResourceAsStream(name))
        {
            return stream.readAllBytes();
        }
    }

    /** Runs the target with the libraries of the directory, without the jars whose names have a prefix. */
    private String run(final String excluded) throws IOException, InterruptedException
    {
        return run(excluded, directory + "/");
    }

    /** Runs the target with the libraries of a directory, or, if it is null, with those of the jar. */
    private String run(final String excluded, final String libraries) throws IOException, InterruptedException
    {
        final String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> !Path.of(entry).getFileName().toString().startsWith(excluded))
            .collect(Collectors.joining(File.pathSeparator));
        final Path output = directory.resolve("output");
        final ProcessBuilder builder = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "@" + Path.of(System.getProperty("tutti.root"), "jvm.options"),
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Djava.io.tmpdir=" + directory,
            "-cp", classPath, LibraryTarget.class.getName())
            .redirectErrorStream(true).redirectOutput(output.toFile());
        if (libraries != null)
        {
            builder.environment().put(LIBRARIES, libraries);
        }
        builder.start().waitFor();
        return Files.readString(output, StandardCharsets.UTF_8);
    }
}
