/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.apache.spark.api.java.JavaRDD;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction1;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What executors hold that a job could leave. Runs in a barrier stage without ranks, which uses all executors. */
final class HeldResources extends AbstractFunction1<Iterator<Integer>, Iterator<String>> implements Serializable
{
    private static final long serialVersionUID = 1L;
    private static final String LISTENING = "0A";

    private HeldResources()
    {
    }

    /**
     * Lists the resources of all executors.
     *
     * @param numbers data with a partition for each executor.
     * @return a text for each executor, sorted.
     */
    static List<String> ofExecutors(final JavaRDD<Integer> numbers)
    {
        final Object texts = numbers.rdd().barrier()
            .mapPartitions(new HeldResources(), false, ClassTag$.MODULE$.<String>apply(String.class)).collect();
        return Stream.of((String[])texts).sorted().toList();
    }

    @Override
    public Iterator<String> apply(final Iterator<Integer> partition)
    {
        final long pid = ProcessHandle.current().pid();
        final String threads = Thread.getAllStackTraces().keySet().stream().map(Thread::getName)
            .filter(name -> name.startsWith("tutti") || name.contains("aeron")).sorted()
            .collect(Collectors.joining(", "));
        try (Stream<Path> shared = Files.list(Path.of("/dev/shm")); Stream<Path> open = Files.list(
            Path.of("/proc/self/fd")); Stream<String> maps = Files.lines(Path.of("/proc/self/maps")))
        {
            final Set<String> sockets = open.map(HeldResources::target).filter(name -> name.startsWith("socket:"))
                .map(name -> name.replaceAll("\\D", "")).collect(Collectors.toSet());
            final String files = shared.map(path -> path.getFileName().toString())
                .filter(name -> name.contains("-" + pid + "-") || name.contains("spark-")).sorted()
                .collect(Collectors.joining(", "));
            final String text = pid + ": threads " + threads + "; files " + files + "; mapped " +
                maps.filter(line -> line.contains("/dev/shm/")).count() + "; UDP sockets " +
                (owned("udp", sockets, "") + owned("udp6", sockets, "")) + "; TCP ports " +
                (owned("tcp", sockets, LISTENING) + owned("tcp6", sockets, LISTENING));
            return CollectionConverters.asScala(List.of(text).iterator());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
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
            // Closed since it was listed.
            return "";
        }
    }

    /** Counts the sockets in a table of the kernel that have one of the inodes, and a state unless that is empty. */
    private static long owned(final String table, final Set<String> inodes, final String state) throws IOException
    {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/net", table)))
        {
            return lines.map(line -> line.strip().split("\\s+", -1)).filter(fields -> fields.length > 9 &&
                inodes.contains(fields[9]) && (state.isEmpty() || state.equals(fields[3]))).count();
        }
    }
}
