/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

import org.tutti.bootstrap.Hosts;
import org.tutti.launcher.cli.Main;

/**
 * The classes under test as jars, and an AOT cache of them (JEP 514), with which launchers and ranks start in half the
 * time. A cache cannot have classes of directories. Both are made once by each JVM that runs tests, in a directory that
 * it deletes at its end. Without a cache, which may fail to be made, everything works, only slower.
 */
final class TestJars
{
    private static final long TIMEOUT_S = 300;
    private static final Path DIRECTORY = makeDirectory();
    private static final Path CACHE = DIRECTORY.resolve("tests.aot");

    /** The class path of launchers and ranks. */
    static final String CLASS_PATH = pack();

    private TestJars()
    {
    }

    /**
     * Returns the JVM options of launchers and ranks, but for the class path. A cache is valid only for JVMs with the
     * same module options.
     */
    static List<String> options()
    {
        final List<String> options = new ArrayList<>();
        TuttiProcess.read(Path.of(System.getProperty("tutti.root"), "jvm.options")).lines().forEach(options::add);
        options.addAll(List.of(
            "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:AOTCache=" + CACHE, "-Xlog:aot=off,cds=off",
            // Maps the cache without changing it.
            "-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0"));
        return options;
    }

    /** Makes the cache by a short job, whose launcher also loads the classes that the job does not need. */
    static void train(final Path rankOptions)
    {
        final List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
        command.addAll(options());
        command.remove("-XX:AOTCache=" + CACHE);
        command.addAll(List.of("-XX:AOTCacheOutput=" + CACHE, "-cp", CLASS_PATH, "-Dtutti.rank.options=" + rankOptions,
            TrainingLauncher.class.getName(), "run", "-q", "-np", "1", "sample-rank", "leave"));
        try
        {
            final Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(DIRECTORY.resolve("training.log").toFile())
                .start();
            if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS))
            {
                process.destroyForcibly();
            }
        }
        catch (final IOException | InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
        if (!Files.exists(CACHE))
        {
            System.out.println("no AOT cache: " + TuttiProcess.read(DIRECTORY.resolve("training.log")));
        }
    }

    private static Path makeDirectory()
    {
        try
        {
            final Path directory = Files.createTempDirectory("tutti-test-jars");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory)));
            return directory;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static void delete(final Path directory)
    {
        try (Stream<Path> files = Files.walk(directory))
        {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Replaces the directories of this JVM's class path by jars. */
    private static String pack()
    {
        final List<String> entries = new ArrayList<>();
        for (final String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1))
        {
            final Path path = Path.of(entry);
            if (!entry.isEmpty())
            {
                entries.add(Files.isDirectory(path) ? pack(path, entries.size()).toString() : entry);
            }
        }
        return String.join(File.pathSeparator, entries);
    }

    private static Path pack(final Path directory, final int number)
    {
        final Path jar = DIRECTORY.resolve("classes-" + number + ".jar");
        try (OutputStream file = Files.newOutputStream(jar);
            JarOutputStream out = new JarOutputStream(file);
            Stream<Path> files = Files.walk(directory))
        {
            // Compression takes longer than it saves.
            out.setLevel(0);
            for (final Path each : files.filter(Files::isRegularFile).sorted().toList())
            {
                out.putNextEntry(new JarEntry(directory.relativize(each).toString()));
                Files.copy(each, out);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        return jar;
    }

    /** Runs a launcher after loading all classes of the launcher and the bootstrap. */
    static final class TrainingLauncher
    {
        private TrainingLauncher()
        {
        }

        /**
         * Runs the launcher.
         *
         * @param arguments the command line of the launcher.
         */
        public static void main(final String[] arguments) throws Exception
        {
            for (final Class<?> each : List.of(Main.class, Hosts.class, SampleRank.class))
            {
                load(Path.of(each.getProtectionDomain().getCodeSource().getLocation().toURI()));
            }
            Main.main(arguments);
        }

        private static void load(final Path jar) throws IOException, ClassNotFoundException
        {
            try (JarFile file = new JarFile(jar.toFile()))
            {
                for (final JarEntry entry : file.stream().toList())
                {
                    final String name = entry.getName();
                    // Tests need JUnit, which launchers do not load.
                    if (name.matches("org/tutti/.*\\.class") && !name.matches(".*(Test|package-info)\\b.*"))
                    {
                        Class.forName(name.substring(0, name.length() - ".class".length()).replace('/', '.'), false,
                            ClassLoader.getSystemClassLoader());
                    }
                }
            }
        }
    }
}
