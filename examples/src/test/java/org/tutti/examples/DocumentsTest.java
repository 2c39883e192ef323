/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Request;
import org.tutti.collectives.Window;
import org.tutti.collectives.select.AlgorithmSelector;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Checks that code in documents compiles, and that names in documents exist. */
class DocumentsTest
{
    private static final Path ROOT = Project.ROOT;
    private static final Pattern OWN_VARIABLE = Pattern.compile("(TUTTI_[A-Z_]*[A-Z])");
    private static final Pattern CODE = Pattern.compile("`([A-Z][a-z]\\w+(?:\\.\\w+)?)(?:\\(.*?\\))?`");
    private static final Pattern CALL = Pattern.compile("([a-z]\\w+)\\(");
    private static final Pattern CHOICE = Pattern.compile("((?:allreduce|broadcast|barrier):[^`\\s|]+)");
    /** Names of environment variables and system properties. */
    private static final Pattern SETTING = Pattern.compile("`([A-Z]{3,}\\w*|tutti\\.[a-z.]+)`");
    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|(?m)^\\s*//[^\\n]*", Pattern.DOTALL);
    private static final List<String> LIBRARIES = List.of("java.lang.", "java.lang.foreign.", "java.util.concurrent.",
        "java.security.", "javax.crypto.", "io.aeron.", "ai.djl.training.",
        "ai.djl.training.listener.", "io.github.metarank.lightgbm4j.");
    /** First cells of rows that quote one or more messages. */
    private static final Pattern MESSAGES = Pattern.compile("(?m)^\\| (`[^|]+`) \\|");
    private static final Pattern JAVA_BLOCK = Pattern.compile("(?ms)^```java$(.*?)^```$");
    private static final Pattern QUOTE = Pattern.compile("`([^`]+)`");

    @ParameterizedTest
    @CsvSource({"README.md, Average, 1", "docs/embedding.md, Embedding, 3",
        "docs/integrations/djl.md, DjlQuickStart, 1",
        "docs/integrations/lightgbm.md, LightGbmQuickStart LightGbmOnSpark, 2",
        "docs/integrations/spark.md, SparkQuickStart, 2"})
    void shouldShowCompiledCode(final String document, final String programs, final int blocks) throws IOException
    {
        final StringBuilder compiled = new StringBuilder();
        for (final String program : programs.split(" ", -1))
        {
            compiled.append(withoutWhitespace(Files.readAllLines(
                Project.files(".*/src/test/java/.*/" + program + "\\.java").getFirst()).stream()));
        }

        final List<MatchResult> shown =
            JAVA_BLOCK.matcher(Files.readString(ROOT.resolve(document))).results().toList();
        assertEquals(blocks, shown.size());
        for (final MatchResult block : shown)
        {
            final String code = withoutWhitespace(block.group(1).lines());
            assertTrue(compiled.indexOf(code) >= 0, () -> "not in " + programs + ": " + block.group(1));
        }
    }

    @ParameterizedTest
    @MethodSource("documents")
    void shouldNameExistingClassesAndMethods(final Path document) throws IOException
    {
        final Set<String> names = matches(CODE, Files.readString(document));

        names.removeIf(DocumentsTest::isThere);

        assertEquals(Set.of(), names);
    }

    @ParameterizedTest
    @MethodSource("documents")
    void shouldShowValidChoicesOfAlgorithms(final Path document) throws IOException
    {
        for (final String choice : matches(CHOICE, Files.readString(document)))
        {
            // The instructions for a new algorithm call it my_...
            AlgorithmSelector.of(choice.replace("my_", ""));
        }
    }

    @Test
    void shouldMapCallsOfOtherLibrariesToExistingMethods() throws IOException
    {
        final Set<String> methods = Stream.of(Communicator.class, DataBuffer.class, Request.class,
                PersistentRequest.class, Window.class, DataType.class, ReduceOp.class)
            .flatMap(type -> Arrays.stream(type.getMethods())).map(Method::getName).collect(Collectors.toSet());
        final Set<String> missing = new TreeSet<>();
        int rows = 0;
        for (final String row : Files.readAllLines(ROOT.resolve("docs/coming-from.md")))
        {
            // Tutti's methods are in the last column.
            final String[] cells = row.split("\\|", -1);
            for (final String name : row.startsWith("|") ? matches(CALL, cells[cells.length - 2]) : Set.<String>of())
            {
                rows++;
                if (!methods.contains(name))
                {
                    missing.add(name);
                }
            }
        }
        assertTrue(rows > 30, "rows with a method of Tutti: " + rows);
        assertEquals(Set.of(), missing);
    }

    @Test
    void shouldListEveryVariableReadByTheCode() throws IOException
    {
        final Set<String> documented = settings();
        final Set<String> read = new TreeSet<>();
        for (final Path source : Project.mainSources())
        {
            read.addAll(matches(OWN_VARIABLE, code(source)));
        }
        read.addAll(matches(Pattern.compile("\"([A-Za-z_]{4,})\""),
            code(ROOT.resolve("bootstrap/src/main/java/org/tutti/bootstrap/LauncherVariables.java"))));

        read.removeAll(documented);
        assertEquals(Set.of(), read, "settings missing in docs/configuration.md");
    }

    @Test
    void shouldListEveryVariableOnce() throws IOException
    {
        final Set<String> rows = new TreeSet<>();
        final Set<String> again = Files.readAllLines(ROOT.resolve("docs/configuration.md")).stream()
            .filter(line -> line.startsWith("| `TUTTI_")).map(line -> line.split("`", -1)[1])
            .filter(name -> !rows.add(name)).collect(Collectors.toSet());

        assertFalse(rows.isEmpty());
        assertEquals(Set.of(), again);
    }

    @Test
    void shouldNotListUnusedVariables() throws IOException
    {
        final StringBuilder code = new StringBuilder(Files.readString(ROOT.resolve("tutti")));
        for (final Path source : Project.mainSources())
        {
            code.append(code(source));
        }
        final String all = code.toString();

        final Set<String> documented = settings();
        assertFalse(documented.isEmpty());
        // The engine derives its names from their last word.
        documented.removeIf((name) -> all.contains(name) ||
            all.contains("value(environment, \"" + name.replaceFirst("(?i)^tutti[._]", "").toLowerCase(Locale.ROOT)
            .replace('_', '.') + "\""));

        assertEquals(Set.of(), documented, "unused settings in docs/configuration.md");
    }

    @Test
    void shouldQuoteExistingMessages() throws IOException
    {
        final StringBuilder allSources = new StringBuilder();
        for (final Path source : Project.mainSources())
        {
            // Joins messages that span several lines.
            allSources.append(Files.readString(source).replaceAll("\"\\s*\\+\\s*\"", ""));
        }

        final List<String> unmatched = new ArrayList<>();
        final String document = Files.readString(ROOT.resolve("docs/errors.md"));
        final Set<String> cells = matches(MESSAGES, document.substring(document.indexOf("## What the messages mean")));
        for (final String message : matches(QUOTE, String.join("\n", cells)))
        {
            for (final String part : message.split("…|[:;,] |[()]", -1))
            {
                if (allSources.indexOf(part.strip()) < 0)
                {
                    unmatched.add(part.strip() + " of: " + message);
                }
            }
        }

        assertEquals(List.of(), unmatched);
    }

    private static Stream<Path> documents()
    {
        return Project.files(".*\\.md").stream();
    }

    private static Set<String> settings() throws IOException
    {
        return matches(SETTING, Files.readString(ROOT.resolve("docs/configuration.md")));
    }

    /** Whether {@code Class} or {@code Class.method} exists in Tutti or in one of {@link #LIBRARIES}. */
    private static boolean isThere(final String name)
    {
        final String[] parts = name.split("\\.", -1);
        try
        {
            final List<Path> sources = Project.files(".*/" + parts[0] + "\\.java");
            for (final Path source : sources)
            {
                if (parts.length == 1 || code(source).contains(" " + parts[1] + "(") ||
                    code(source).contains(" " + parts[1] + " = "))
                {
                    return true;
                }
            }
            return sources.isEmpty() &&
                LIBRARIES.stream().anyMatch(library -> isIn(library, parts[0], parts.length == 1 ? null : parts[1]));
        }
        catch (final IOException ex)
        {
            return false;
        }
    }

    private static boolean isIn(final String library, final String name, final String method)
    {
        try
        {
            return Stream.of(Class.forName(library + name).getMethods())
                .anyMatch(each -> method == null || each.getName().equals(method));
        }
        catch (final ClassNotFoundException ex)
        {
            return false;
        }
    }

    private static String code(final Path source) throws IOException
    {
        return COMMENT.matcher(Files.readString(source)).replaceAll("");
    }

    private static Set<String> matches(final Pattern pattern, final String text)
    {
        final Set<String> found = new TreeSet<>();
        final Matcher matcher = pattern.matcher(text);
        while (matcher.find())
        {
            found.add(matcher.group(1));
        }
        return found;
    }

    private static String withoutWhitespace(final Stream<String> lines)
    {
        return String.join("\n", lines.map(String::strip).filter((line) -> !line.isEmpty()).toList());
    }
}
