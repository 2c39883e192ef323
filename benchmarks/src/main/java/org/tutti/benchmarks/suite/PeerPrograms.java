/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Compiles the programs of peers, {@code benchmarks/peers/*}, into {@code benchmarks/target/peers}, unless a program is
 * newer than its sources.
 *
 * @param sources  directory of the sources.
 * @param target   directory of the programs.
 * @param commands runs the compilers.
 */
record PeerPrograms(Path sources, Path target, Commands commands)
{
    private static final List<String> OPTIONS = List.of("-O3", "-march=native", "-Wall", "-Wextra", "-pthread");
    private static final List<String> SHARED = List.of("perf_loop.h", "perf_options.h", "perf_calls.h", "cores.h");

    /**
     * Creates an instance for a source checkout of Tutti.
     *
     * @param home root of the checkout.
     */
    static PeerPrograms of(final Path home, final Commands commands)
    {
        return new PeerPrograms(home.resolve("benchmarks/peers"), home.resolve("benchmarks/target/peers"), commands);
    }

    /**
     * Compiles a program.
     *
     * @param compiler  compiler such as {@code mpicc.mpich}.
     * @param source    source file name.
     * @param name      name of the program.
     * @param libraries linker options such as {@code -lgloo}, which follow all other options.
     * @return path of the program.
     * @throws SuiteException       if compilation fails; the message has the compiler's output.
     * @throws InterruptedException if this process is to exit.
     */
    Path compile(final String compiler, final String source, final String name, final String... libraries)
        throws InterruptedException
    {
        final Path program = target.resolve(name);
        try
        {
            Files.createDirectories(target);
            if (!isCurrent(program, source))
            {
                // The compiler writes a temporary file, so that no other process runs a partly written program.
                final Path compiled = Files.createTempFile(target, name, ".new");
                try
                {
                    final List<String> command = new ArrayList<>(List.of(compiler));
                    command.add(source.endsWith(".c") ? "-std=c11" : "-std=c++17");
                    command.addAll(OPTIONS);
                    command.addAll(List.of("-o", compiled.toString(), sources.resolve(source).toString()));
                    command.addAll(List.of(libraries));
                    commands.run(command);
                    Files.move(compiled, program, StandardCopyOption.REPLACE_EXISTING);
                }
                finally
                {
                    Files.deleteIfExists(compiled);
                }
            }
            return program;
        }
        catch (final IOException ex)
        {
            throw new SuiteException("cannot write to " + target + ": " + ex.getMessage(), ex);
        }
    }

    private boolean isCurrent(final Path program, final String source) throws IOException
    {
        if (!Files.isExecutable(program))
        {
            return false;
        }
        final FileTime compiled = Files.getLastModifiedTime(program);
        for (final String each : Stream.concat(Stream.of(source), SHARED.stream()).toList())
        {
            if (compiled.compareTo(Files.getLastModifiedTime(sources.resolve(each))) <= 0)
            {
                return false;
            }
        }
        return true;
    }
}
