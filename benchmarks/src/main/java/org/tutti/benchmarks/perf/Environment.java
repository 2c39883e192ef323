/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.tools.report.Json;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What a figure depends on besides the measured code, and what is needed to compare figures.
 *
 * @param version version of Tutti.
 * @param commit  commit of the checkout, with {@code -dirty} if it has changes; or {@code unknown}.
 * @param jvm     name and version of the JVM.
 * @param os      name and version of the kernel.
 * @param host    name of the host.
 * @param cpu     model of the processor.
 * @param cores   number of cores available to this process.
 * @param memory  memory of the host in bytes, or 0 if unknown.
 */
public record Environment(
    String version, String commit, String jvm, String os, String host, String cpu, int cores, long memory)
{
    private static final String UNKNOWN = "unknown";
    private static final int GIT_DEADLINE_S = 5;

    /**
     * Reads the environment of this process, from git and from files of the kernel.
     *
     * @return the environment; unknown values are {@code unknown} or 0.
     */
    public static Environment current()
    {
        return new Environment(
            readVersion(),
            askCommit(),
            System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"),
            System.getProperty("os.name") + " " + System.getProperty("os.version"),
            hostName(),
            valueIn(Path.of("/proc/cpuinfo"), "model name"),
            Runtime.getRuntime().availableProcessors(),
            kibibytes(valueIn(Path.of("/proc/meminfo"), "MemTotal")));
    }

    static String hostName()
    {
        try
        {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        }
        catch (final IOException e)
        {
            try
            {
                return InetAddress.getLocalHost().getHostName();
            }
            catch (final IOException nameless)
            {
                return UNKNOWN;
            }
        }
    }

    private static String readVersion()
    {
        final Properties properties = new Properties();
        try (var stream = Environment.class.getResourceAsStream("/org/tutti/benchmarks/version.properties"))
        {
            properties.load(stream);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version");
    }

    /** Asks git for the commit, but only if the classes are in a checkout of Tutti, not of another project. */
    private static String askCommit()
    {
        try
        {
            Path directory = Path.of(Environment.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            while (directory != null && !Files.exists(directory.resolve("benchmarks/pom.xml")))
            {
                directory = directory.getParent();
            }
            if (directory == null)
            {
                return UNKNOWN;
            }
            final Process git = new ProcessBuilder(
                "git", "-C", directory.toString(), "describe", "--always", "--dirty", "--exclude=*")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
            if (!git.waitFor(GIT_DEADLINE_S, TimeUnit.SECONDS))
            {
                git.destroyForcibly();
                return UNKNOWN;
            }
            final String answer = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.exitValue() == 0 && !answer.isEmpty() ? answer : UNKNOWN;
        }
        catch (final IOException | URISyntaxException e)
        {
            return UNKNOWN;
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            return UNKNOWN;
        }
    }

    private static String valueIn(final Path file, final String key)
    {
        try (Stream<String> lines = Files.lines(file))
        {
            return lines.filter(line -> line.startsWith(key))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(UNKNOWN);
        }
        catch (final IOException | UncheckedIOException e)
        {
            return UNKNOWN;
        }
    }

    private static long kibibytes(final String text)
    {
        return text.endsWith(" kB") ? 1024 * Long.parseLong(text.substring(0, text.length() - 3).strip()) : 0;
    }

    Map<String, Object> asMap()
    {
        return Json.object(
            "version", version, "commit", commit, "jvm", jvm, "os", os, "host", host, "cpu", cpu, "cores", cores,
            "memory_bytes", memory);
    }
}
