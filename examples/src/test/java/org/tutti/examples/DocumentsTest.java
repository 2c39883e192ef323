/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What the documents show is code that compiles, and what they name is there. */
class DocumentsTest
{
    private static final Pattern LINK = Pattern.compile("\\]\\(([\\w./-]+)\\)");
    private static final Pattern VARIABLE = Pattern.compile("TUTTI_[A-Z_]*[A-Z]");
    private static final Pattern CODE = Pattern.compile("`([A-Z][a-z]\\w+)(\\.\\w+)?`");
    private static final Path ROOT = Path.of(System.getProperty("tutti.root"));

    @Test
    void shouldShowCodeThatIsCompiled() throws IOException
    {
        final List<String> readme = Files.readAllLines(ROOT.resolve("README.md"));
        final int begin = readme.indexOf("```java") + 1;
        final int end = begin + readme.subList(begin, readme.size()).indexOf("```");
        final String shown = squeeze(readme.subList(begin, end).stream());

        final String compiled = squeeze(Files.readAllLines(
            ROOT.resolve("examples/src/test/java/org/tutti/examples/Average.java")).stream());

        final int body = compiled.indexOf("try (Communicator");
        assertEquals(compiled.substring(body, body + shown.length()), shown);
    }

    @Test
    void shouldLinkToFilesThatAreThere() throws IOException
    {
        for (final String document : List.of("README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/errors.md"))
        {
            final Path file = ROOT.resolve(document);
            final Matcher links = LINK.matcher(Files.readString(file));
            while (links.find())
            {
                assertTrue(Files.exists(file.resolveSibling(links.group(1))), document + " links to " + links.group(1));
            }
        }
    }

    @Test
    void shouldListEveryVariableThatTheCodeReads() throws IOException
    {
        final Set<String> documented = matches(VARIABLE, Files.readString(ROOT.resolve("docs/configuration.md")));
        final Set<String> used = new TreeSet<>();
        for (final Path source : sources())
        {
            used.addAll(matches(VARIABLE, Files.readString(source)));
        }

        used.removeAll(documented);
        assertEquals(Set.of(), used, "variables that docs/configuration.md does not have");
    }

    @Test
    void shouldNameClassesThatAreThere() throws IOException
    {
        final Set<String> classes = new TreeSet<>();
        for (final Path source : sources())
        {
            classes.add(source.getFileName().toString().replace(".java", ""));
        }

        for (final String document : List.of("docs/architecture.md", "CONTRIBUTING.md"))
        {
            final Set<String> named = matches(CODE, Files.readString(ROOT.resolve(document)));
            named.removeAll(classes);
            assertEquals(Set.of(), named, "classes that " + document + " names and that are not there");
        }
    }

    private static List<Path> sources() throws IOException
    {
        try (Stream<Path> files = Files.walk(ROOT))
        {
            return files
                .filter((file) -> ROOT.relativize(file).toString().matches("[^/]+/src/main/.*\\.java"))
                .toList();
        }
    }

    private static Set<String> matches(final Pattern pattern, final String text)
    {
        final Set<String> found = new TreeSet<>();
        final Matcher matcher = pattern.matcher(text);
        while (matcher.find())
        {
            found.add(matcher.group(matcher.groupCount() == 0 ? 0 : 1));
        }
        return found;
    }

    private static String squeeze(final Stream<String> lines)
    {
        return String.join("\n", lines.map(String::strip).filter((line) -> !line.isEmpty()).toList());
    }
}
