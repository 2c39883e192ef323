/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The jars of DJL and PyTorch, which take 120 MB: Maven copies them to the directory of Tutti's builds when a job first
 * needs them.
 */
final class DjlLibraries
{
    private static final String ENGINE = "ai.djl.pytorch.engine.PtEngineProvider";

    private DjlLibraries()
    {
    }

    /**
     * Returns whether the class path has them.
     *
     * @return true if it has PyTorch's engine.
     */
    static boolean arePresent()
    {
        return DjlLibraries.class.getClassLoader().getResource(ENGINE.replace('.', '/') + ".class") != null;
    }

    /**
     * Returns the jars that the class path of this process lacks, which it first copies if necessary.
     *
     * @return paths separated by colons; empty if the class path has them.
     * @throws IllegalStateException if this is no checkout of Tutti, or Maven fails.
     */
    static String classPath()
    {
        if (arePresent())
        {
            return "";
        }
        final String home = System.getProperty("tutti.home");
        final Path pom = home == null ? null : Path.of(home, "integrations", "djl", "libraries", "pom.xml");
        if (pom == null || !Files.exists(pom))
        {
            throw new IllegalStateException("djl-mnist needs the jars of DJL and PyTorch, which releases do not " +
                "contain: run it in a checkout of Tutti");
        }
        try
        {
            final Path directory = Path.of(home, "target", "tutti", "djl-" + versions(Path.of(home, "pom.xml")));
            if (!Files.isDirectory(directory))
            {
                copy(pom, directory);
            }
            try (Stream<Path> jars = Files.list(directory))
            {
                return jars.map(Path::toString).filter(name -> name.endsWith(".jar")).sorted()
                    .collect(Collectors.joining(":"));
            }
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException("cannot get the libraries of DJL: " + ex.getMessage() +
                ": djl-mnist needs Maven (mvn) and a writable checkout");
        }
    }

    /** Returns the versions of the libraries, as a name for a directory. */
    private static String versions(final Path pom) throws IOException
    {
        return Files.readAllLines(pom).stream().map(String::strip).filter(line -> line.startsWith("<djl."))
            .map(line -> line.replaceAll("<[^>]*>", "")).collect(Collectors.joining("-"));
    }

    private static void copy(final Path pom, final Path directory) throws IOException
    {
        System.err.println("tutti: first use of DJL: getting its libraries by Maven (120 MB)");
        final Path incomplete = Files.createTempDirectory(directory.getParent(), "djl-incomplete-");
        final Path log = directory.resolveSibling("djl.log");
        final ProcessBuilder builder = new ProcessBuilder(List.of("mvn", "-B", "-f", pom.toString(),
            "dependency:copy-dependencies", "-DincludeScope=runtime", "-DoutputDirectory=" + incomplete))
            .redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        try
        {
            final int code = builder.start().waitFor();
            if (code != 0)
            {
                throw new IllegalStateException("cannot get the libraries of DJL: Maven ended with exit code " + code +
                    ": see " + log);
            }
            // Another process may have been faster.
            if (!Files.isDirectory(directory))
            {
                Files.move(incomplete, directory);
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while Maven copies the libraries of DJL", ex);
        }
        finally
        {
            remove(incomplete);
        }
    }

    private static void remove(final Path directory) throws IOException
    {
        if (Files.isDirectory(directory))
        {
            try (Stream<Path> jars = Files.list(directory))
            {
                for (final Path jar : jars.toList())
                {
                    Files.delete(jar);
                }
            }
            Files.delete(directory);
        }
    }
}
