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

/** The loops of {@code benchmarks/peers/reduce_baseline.c}, compiled anew, in this process until it ends. */
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
     * Compiles and loads it.
     *
     * @param home    the root of a clone of Tutti.
     * @param options options of gcc, beyond those that all loops are compiled with.
     * @return the loops.
     * @throws IOException           if gcc cannot be run, or no file be written.
     * @throws IllegalStateException if gcc fails; the message has what it says.
     */
    static NativeBaseline of(final Path home, final String... options) throws IOException
    {
        final Path directory = Files.createTempDirectory("tutti-kernels");
        final Path made = directory.resolve("reduce_baseline.so");
        final Path said = directory.resolve("gcc.txt");
        try
        {
            final List<String> command = new ArrayList<>(List.of(
                "gcc", "-std=c11", "-O3", "-march=native", "-Wall", "-Wextra", "-shared", "-fPIC",
                "-o", made.toString(), home.resolve("benchmarks/peers/reduce_baseline.c").toString()));
            command.addAll(List.of(options));
            final Process gcc = new ProcessBuilder(command)
                .redirectErrorStream(true).redirectOutput(said.toFile()).start();
            if (!gcc.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || gcc.exitValue() != 0)
            {
                gcc.destroyForcibly();
                throw new IllegalStateException("gcc does not compile reduce_baseline.c: " +
                    Files.readString(said, StandardCharsets.UTF_8));
            }
            return new NativeBaseline(SymbolLookup.libraryLookup(made, Arena.global()));
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException("interrupted while gcc runs", e);
        }
        finally
        {
            // What is loaded stays, without its file.
            Files.deleteIfExists(made);
            Files.deleteIfExists(said);
            Files.delete(directory);
        }
    }

    /**
     * A loop.
     *
     * @param name name of the function.
     * @return takes the addresses of left, right and dst, and the number of elements; is called without leaving Java's
     *     state, which costs a few nanoseconds. Empty if the compiler does not know the type of its elements.
     */
    Optional<MethodHandle> loop(final String name)
    {
        return library.find(name)
            .map(address -> Linker.nativeLinker().downcallHandle(address, LOOP, Linker.Option.critical(false)));
    }
}
