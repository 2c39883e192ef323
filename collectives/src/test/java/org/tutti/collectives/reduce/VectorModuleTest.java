/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class VectorModuleTest
{
    /** Options for access to native memory. */
    private static final List<String> NEEDED =
        List.of("--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED");

    @Test
    @Timeout(60)
    void shouldReduceWhenModuleCannotBeLoaded() throws Exception
    {
        assertEquals("vectorised=false sum=42.0\n", output());
    }

    @Test
    @Timeout(60)
    void shouldLoadModuleWithoutWarningWhenOptionsOfRanksAreSet() throws Exception
    {
        assertEquals("vectorised=true sum=42.0\n", output("@" + System.getProperty("tutti.root") + "/jvm.options"));
    }

    @Test
    @Timeout(60)
    void shouldUseModuleWhenOptionLoadedIt() throws Exception
    {
        final String output = output("--add-modules=jdk.incubator.vector");

        assertTrue(output.endsWith("vectorised=true sum=42.0\n"), output);
    }

    /** Runs a JVM with these additional options and returns its output to stdout and stderr. */
    private static String output(final String... options) throws Exception
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(NEEDED);
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Program.class.getName()));
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        return output;
    }

    /** Main class of the other JVM. */
    static final class Program
    {
        private Program()
        {
        }

        /** A vector loop, if available, without warm-up. */
        private static Reducer reducer()
        {
            final BlockReducer plain = PlainReducers.of(DataType.FLOAT32, ReduceOp.Kind.SUM);
            return VectorModule.load() ? VectorReducers.loop(DataType.FLOAT32, ReduceOp.Kind.SUM, plain) :
                Reducers.of(DataType.FLOAT32, ReduceOp.SUM);
        }

        /**
         * Adds two numbers; prints the sum and whether vector loops are available.
         *
         * @param args none.
         */
        public static void main(final String[] args)
        {
            try (Arena arena = Arena.ofConfined())
            {
                final MemorySegment memory = arena.allocateFrom(JAVA_FLOAT, 19.0f, 23.0f);
                final long address = memory.address();
                reducer().reduce(address, address + Float.BYTES, address, 1);
                System.out.print(
                    "vectorised=" + Reducers.vectorised() + " sum=" + memory.get(JAVA_FLOAT, 0) + "\n");
            }
        }
    }
}
