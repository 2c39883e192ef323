/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Evaluates expressions over libibverbs' installed headers by a C compiler. Stateless. */
public final class Headers
{
    private static final Path GCC = Path.of("/usr/bin/gcc");
    private static final Path HEADER = Path.of("/usr/include/infiniband/verbs.h");

    private Headers()
    {
    }

    /**
     * Compiles and runs a program that prints integers; the test is skipped if compiler or header is missing.
     *
     * @param directory   directory for temporary files.
     * @param expressions C expressions of integer type.
     * @return values of the expressions, in the same order.
     */
    public static Map<String, Long> evaluate(final Path directory, final Collection<String> expressions)
        throws IOException, InterruptedException
    {
        final boolean isPossible = Files.exists(HEADER) && Files.isExecutable(GCC);
        if (!isPossible)
        {
            System.err.println("skipped: needs " + GCC + " and " + HEADER + " (packages gcc and libibverbs-dev)");
        }
        assumeTrue(isPossible);

        final StringBuilder program = new StringBuilder(
            "#include <stdio.h>\n#include <stddef.h>\n#include <infiniband/verbs.h>\nint main(void)\n{\n");
        expressions.forEach((expression) -> program.append("    printf(\"%lld\\n\", (long long)(")
            .append(expression).append("));\n"));
        program.append("    return 0;\n}\n");
        final Path source = Files.writeString(directory.resolve("layout.c"), program);
        final Path binary = directory.resolve("layout");
        assertEquals("", output(GCC.toString(), "-w", "-o", binary.toString(), source.toString()));

        final List<String> lines = output(binary.toString()).lines().toList();

        assertEquals(expressions.size(), lines.size());
        final Map<String, Long> values = new LinkedHashMap<>();
        for (final String expression : expressions)
        {
            values.put(expression, Long.parseLong(lines.get(values.size())));
        }
        return values;
    }

    private static String output(final String... command) throws IOException, InterruptedException
    {
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        final String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(30, TimeUnit.SECONDS));
        return text;
    }
}
