/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Comments and messages keep to the words of the field; see CONTRIBUTING.md. */
class VocabularyTest
{
    /** Words for persons that mean ranks, threads or processes, and pictures that stood for terms of the field. */
    private static final Pattern FOREIGN =
        Pattern.compile("(?i)\\b(whoever|whosoever|nobody|somebody|anybody|everybody|weather|wish(es)?)\\b");

    @Test
    void shouldNameRanksAndThreadsRatherThanPersons() throws IOException
    {
        final List<String> found = new ArrayList<>();
        final List<Path> sources = Stream.concat(Project.mainSources().stream(),
            Project.files("tutti|[a-z-]+/src/main/.*\\.(c|h|js|css|html|xml|properties)").stream()).toList();
        for (final Path source : sources)
        {
            final List<String> lines = Files.readAllLines(source);
            for (int i = 0; i < lines.size(); i++)
            {
                if (FOREIGN.matcher(lines.get(i)).find())
                {
                    found.add(at(source, i + 1) + lines.get(i).strip());
                }
            }
        }
        assertEquals(List.of(), found);
    }

    /** Logs and documents omit packages. ArchitectureTest compares nested classes too, but not those of tests. */
    @Test
    void shouldNameNoTwoSourceFilesAlike()
    {
        final Map<String, List<Path>> namesakes = Project.files(".*\\.java").stream()
            .filter(file -> !file.endsWith("package-info.java"))
            .collect(groupingBy(file -> file.getFileName().toString(), TreeMap::new, toList()));
        assertTrue(namesakes.containsKey("VocabularyTest.java"));
        namesakes.values().removeIf(files -> files.size() == 1);
        assertEquals(Map.of(), namesakes);
    }

    @Test
    void shouldEndNoMessageOfAnExceptionWithAFullStop() throws IOException
    {
        final List<String> found = new ArrayList<>();
        final List<Path> sources = Project.mainSources();
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        int messages = 0;
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null))
        {
            final JavacTask task = (JavacTask)compiler.getTask(
                null, files, null, List.of(), null, files.getJavaFileObjectsFromPaths(sources));
            for (final CompilationUnitTree unit : task.parse())
            {
                final Messages scanner = new Messages(unit, Trees.instance(task).getSourcePositions(), found);
                scanner.scan(unit, null);
                messages += scanner.count;
            }
        }
        assertEquals(List.of(), found);
        assertTrue(messages > 300, "only " + messages + " messages were found");
    }

    private static String at(final Path source, final long line)
    {
        return Project.ROOT.relativize(source) + ":" + line + ": ";
    }

    /** The messages that exceptions are constructed with, as far as their ends are literals. */
    private static final class Messages extends TreeScanner<Void, Void>
    {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final List<String> found;
        private int count;

        Messages(final CompilationUnitTree unit, final SourcePositions positions, final List<String> found)
        {
            this.unit = unit;
            this.positions = positions;
            this.found = found;
        }

        @Override
        public Void visitNewClass(final NewClassTree node, final Void unused)
        {
            if (node.getIdentifier().toString().endsWith("Exception"))
            {
                node.getArguments().forEach(this::check);
            }
            return super.visitNewClass(node, null);
        }

        private void check(final ExpressionTree argument)
        {
            ExpressionTree last = argument;
            while (!(last instanceof LiteralTree))
            {
                switch (last)
                {
                    case BinaryTree sum -> last = sum.getRightOperand();
                    case ParenthesizedTree inner -> last = inner.getExpression();
                    default ->
                    {
                        return;
                    }
                }
            }
            if (((LiteralTree)last).getValue() instanceof final String end)
            {
                count++;
                if (end.endsWith(".") && !end.endsWith("..."))
                {
                    final long position = positions.getStartPosition(unit, last);
                    found.add(at(Path.of(unit.getSourceFile().getName()), unit.getLineMap().getLineNumber(position)) +
                        end);
                }
            }
        }
    }
}
