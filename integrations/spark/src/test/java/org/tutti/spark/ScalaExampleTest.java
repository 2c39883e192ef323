/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.tools.nsc.MainClass;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ScalaExampleTest
{
    private static final Path DOCUMENT = Path.of("..", "..", "docs", "integrations", "spark.md");
    private static final Pattern SCALA_BLOCK = Pattern.compile("(?ms)^```scala$(.*?)^```$");

    @Test
    void shouldCompileTheScalaCodeOfTheDocument(@TempDir final Path directory) throws IOException
    {
        final List<MatchResult> blocks = SCALA_BLOCK.matcher(Files.readString(DOCUMENT)).results().toList();
        assertEquals(1, blocks.size());
        final Path source = Files.writeString(directory.resolve("Example.scala"),
            "object Example {\n  def run(rdd: org.apache.spark.rdd.RDD[Double]): org.apache.spark.rdd.RDD[Long] = {\n" +
            blocks.getFirst().group(1) + "    counts\n  }\n}\n");

        assertTrue(new MainClass().process(new String[] {"-classpath", System.getProperty("java.class.path"),
            "-d", directory.toString(), source.toString()}), "scalac has printed errors");

        assertTrue(Files.exists(directory.resolve("Example.class")));
    }
}
