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

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.junit.jupiter.api.Assertions.assertEquals;

class ReducersWithoutVectorModuleTest
{
    @Test
    @Timeout(60)
    void shouldReduceInAJvmThatLacksTheModule() throws Exception
    {
        final Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp", System.getProperty("java.class.path"),
            Program.class.getName())
            .redirectErrorStream(true)
            .start();

        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertEquals("vectorised=false sum=42.0\n", output);
        assertEquals(0, process.waitFor());
    }

    /** What the other JVM runs. */
    static final class Program
    {
        private Program()
        {
        }

        /**
         * Adds two numbers and prints how.
         *
         * @param args none.
         */
        public static void main(final String[] args)
        {
            try (Arena arena = Arena.ofConfined())
            {
                final MemorySegment memory = arena.allocateFrom(JAVA_FLOAT, 19.0f, 23.0f);
                final long address = memory.address();
                Reducers.of(DataType.FLOAT32, ReduceOp.SUM).reduce(address, address + Float.BYTES, address, 1);
                System.out.print(
                    "vectorised=" + Reducers.vectorised() + " sum=" + memory.get(JAVA_FLOAT, 0) + "\n");
            }
        }
    }
}
