/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.kernels;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The loops of {@code benchmarks/peers/reduce_baseline.c}, compiled at start and loaded until the process ends. */
final class NativeBaseline
{
    private static final FunctionDescriptor LOOP = FunctionDescriptor.ofVoid(
        ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
    private static final int LIMIT_SECONDS = 120;

    private final SymbolLookup library;

    private NativeBaseline(final SymbolLookup library)
    {
        this.library = library;
    }

    /**
     * Compiles and loads the loops.
     *
     * @param home    root of a source checkout of Tutti.
     * @param options further gcc options, after those that this method always passes.
     * @return the loops.
     * @throws IOException           if gcc cannot be run or a file cannot be written.
     * @throws IllegalStateException if gcc fails; the message has its output.
     */
    static NativeBaseline of(final Path home, final String... options) throws IOException
    {
        final Path directory = Files.createTempDirectory("tutti-kernels");
        final Path made = directory.resolve("reduce_baseline.so");
        final Path log = directory.resolve("gcc.txt");
        try
        {
            final List<String> command = new ArrayList<>(List.of(
                "gcc", "-std=c11", "-O3", "-march=native", "-Wall", "-Wextra", "-shared", "-fPIC",
                "-o", made.toString(), home.resolve("benchmarks/peers/reduce_baseline.c").toString()));
            command.addAll(List.of(options));
            final Process gcc = new ProcessBuilder(command)
                .redirectErrorStream(true).redirectOutput(log.toFile()).start();
            if (!gcc.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || gcc.exitValue() != 0)
            {
                gcc.destroyForcibly();
                throw new IllegalStateException("gcc failed to compile reduce_baseline.c: " +
                    Files.readString(log, StandardCharsets.UTF_8));
            }
            return new NativeBaseline(SymbolLookup.libraryLookup(made, Arena.global()));
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException("interrupted while gcc was running", e);
        }
        finally
        {
            // The library stays loaded after its file is deleted.
            Files.deleteIfExists(made);
            Files.deleteIfExists(log);
            Files.delete(directory);
        }
    }

    /**
     * Looks up a loop.
     *
     * @param name name of the function.
     * @return function of the addresses of left, right and dst, and the number of elements; called without a thread
     *     state transition, which would cost a few nanoseconds. Empty if the compiler does not support the element
     *     type.
     */
    Optional<MethodHandle> loop(final String name)
    {
        return library.find(name)
            .map(address -> Linker.nativeLinker().downcallHandle(address, LOOP, Linker.Option.critical(false)));
    }
}
