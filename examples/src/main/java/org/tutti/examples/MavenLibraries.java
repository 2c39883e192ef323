/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The jars of a framework that one job needs, and no other: Maven copies them to the directory of Tutti's builds when
 * the job first needs them.
 */
public final class MavenLibraries
{
    private final String job;
    private final String framework;
    private final String module;
    private final String className;

    /**
     * Describes the jars.
     *
     * @param job       name of the job.
     * @param framework name and size, for messages.
     * @param module    directory in {@code integrations} whose {@code libraries/pom.xml} lists the jars; the properties
     *                  with their versions, in the root POM, begin with this name.
     * @param className name of a class that the class path has if it has the jars.
     */
    public MavenLibraries(final String job, final String framework, final String module, final String className)
    {
        this.job = job;
        this.framework = framework;
        this.module = module;
        this.className = className;
    }

    /**
     * Returns whether the class path has them.
     *
     * @return true if it has the class.
     */
    public boolean arePresent()
    {
        return MavenLibraries.class.getClassLoader().getResource(className.replace('.', '/') + ".class") != null;
    }

    /**
     * Returns the jars that the class path of this process lacks, which it first copies if necessary.
     *
     * @return paths separated by colons; empty if the class path has them.
     * @throws IllegalStateException if this is no checkout of Tutti, or Maven fails.
     */
    public String classPath()
    {
        if (arePresent())
        {
            return "";
        }
        final String home = System.getProperty("tutti.home");
        final Path pom = home == null ? null : Path.of(home, "integrations", module, "libraries", "pom.xml");
        if (pom == null || !Files.exists(pom))
        {
            throw new IllegalStateException(job + " needs the jars of " + framework +
                ", which releases do not contain: run it in a checkout of Tutti");
        }
        try
        {
            final Path directory = Path.of(home, "target", "tutti", module + "-" + versions(Path.of(home, "pom.xml")));
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
            throw new IllegalStateException("cannot get " + framework + ": " + ex.getMessage() + ": " + job +
                " needs Maven (mvn) and a writable checkout");
        }
    }

    /** Returns the versions of the libraries, as a name for a directory. */
    private String versions(final Path pom) throws IOException
    {
        return Files.readAllLines(pom).stream().map(String::strip).filter(line -> line.startsWith("<" + module))
            .filter(line -> line.contains("version>")).map(line -> line.replaceAll("<[^>]*>", ""))
            .collect(Collectors.joining("-"));
    }

    private void copy(final Path pom, final Path directory) throws IOException
    {
        System.err.println("tutti: first use of " + job + ": getting " + framework + " by Maven");
        final Path incomplete = Files.createTempDirectory(directory.getParent(), module + "-incomplete-");
        final Path log = directory.resolveSibling(module + ".log");
        final ProcessBuilder builder = new ProcessBuilder(List.of("mvn", "-B", "-f", pom.toString(),
            "dependency:copy-dependencies", "-DincludeScope=runtime", "-DoutputDirectory=" + incomplete))
            .redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        try
        {
            final int code = builder.start().waitFor();
            if (code != 0)
            {
                throw new IllegalStateException("cannot get " + framework + ": Maven ended with exit code " + code +
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
            throw new IllegalStateException("interrupted while Maven copies " + framework, ex);
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
