/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.tutti.bootstrap.Coordinator;
import org.tutti.collectives.Communicator;
import org.tutti.djl.DistributedTrainer;
import org.tutti.launcher.JobCommand;
import org.tutti.lightgbm.TuttiLightGbm;
import org.tutti.rdma.RdmaProvider;
import org.tutti.rdma.disni.DisniProvider;
import org.tutti.rdma.memory.RegisteredBuffer;
import org.tutti.rdma.select.PortSelector;
import org.tutti.rdma.shm.ShmProvider;
import org.tutti.rdma.spi.Parents;
import org.tutti.spark.TuttiSpark;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A program that was compiled against one version runs with a later one only if the signatures that it uses remain. The
 * file config/api.txt lists them, so that reviewers see every change. With {@code TUTTI_WRITE_GOLDEN=1} in the
 * environment this test writes the file.
 */
class ApiTest
{
    private static final Path FILE = Path.of(System.getProperty("tutti.root")).resolve("config/api.txt");
    /** A class of each package that the published javadoc describes. */
    private static final List<Class<?>> PACKAGES = List.of(
        Coordinator.class, Communicator.class, JobCommand.class, RdmaProvider.class, DisniProvider.class,
        RegisteredBuffer.class, PortSelector.class, ShmProvider.class, Parents.class, DistributedTrainer.class,
        TuttiLightGbm.class, TuttiSpark.class);
    private static final int LINES_SHOWN = 5;

    @Test
    void shouldChangeSignaturesOnlyTogetherWithTheirFile() throws IOException, URISyntaxException
    {
        final List<String> actual = signatures();

        if ("1".equals(System.getenv("TUTTI_WRITE_GOLDEN")))
        {
            Files.write(FILE, actual);
        }
        final List<String> expected = Files.readAllLines(FILE);
        assertTrue(expected.equals(actual), () -> "the API differs from " + FILE + ": undo the change, or run this " +
            "test with TUTTI_WRITE_GOLDEN=1 and commit the file with the change" + difference(expected, actual));
    }

    /** Lines as javap prints them; the order of classes and of members in a source has no meaning. */
    private static List<String> signatures() throws URISyntaxException
    {
        final JavaClasses classes = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(PACKAGES.stream().map(Class::getPackageName).toList());
        final List<String> lines = new ArrayList<>();
        for (final Class<?> known : PACKAGES)
        {
            final Set<String> names = new TreeSet<>();
            classes.stream().filter(member -> isApi(member, known.getPackageName()))
                .forEach(member -> addWithSupertypes(member, known.getPackageName(), names));
            final URL location = known.getProtectionDomain().getCodeSource().getLocation();
            lines.addAll(sorted(javap(names, Path.of(location.toURI()))));
        }
        return lines;
    }

    private static boolean isApi(final JavaClass member, final String name)
    {
        return member.getPackageName().equals(name) && !"package-info".equals(member.getSimpleName()) &&
            Stream.iterate(Optional.of(member), Optional::isPresent, each -> each.get().getEnclosingClass())
                .flatMap(Optional::stream).allMatch(each -> each.getModifiers().contains(JavaModifier.PUBLIC) ||
                each.getModifiers().contains(JavaModifier.PROTECTED));
    }

    /** Public classes inherit the members of supertypes that are not. */
    private static void addWithSupertypes(final JavaClass member, final String name, final Set<String> names)
    {
        names.add(member.getName());
        Stream.concat(member.getAllRawSuperclasses().stream(), member.getAllRawInterfaces().stream())
            .filter(each -> each.getPackageName().equals(name)).map(JavaClass::getName).forEach(names::add);
    }

    private static List<String> javap(final Set<String> names, final Path location)
    {
        final StringWriter output = new StringWriter();
        final PrintWriter writer = new PrintWriter(output);
        final List<String> arguments =
            new ArrayList<>(List.of("-protected", "-constants", "-classpath", location.toString()));
        arguments.addAll(names);
        final int code = ToolProvider.findFirst("javap").orElseThrow()
            .run(writer, writer, arguments.toArray(String[]::new));
        assertEquals(0, code, output::toString);
        // Callers do not depend on how a method is implemented.
        return output.toString().lines().filter(line -> !line.startsWith("Compiled from "))
            .map(line -> line.replaceFirst("^( .*?)(synchronized|native) ", "$1")).toList();
    }

    /** Sorts the members of each class. */
    private static List<String> sorted(final List<String> lines)
    {
        final List<String> sorted = new ArrayList<>();
        final List<String> members = new ArrayList<>();
        for (final String line : lines)
        {
            if (line.startsWith(" "))
            {
                members.add(line);
                continue;
            }
            members.stream().sorted().forEach(sorted::add);
            members.clear();
            sorted.add(line);
        }
        return sorted;
    }

    /** The first lines that only one of the lists has, each with the class that declares it. */
    private static String difference(final List<String> expected, final List<String> actual)
    {
        final List<String> before = qualified(expected);
        final List<String> after = qualified(actual);
        return Stream.concat(only("removed", before, after), only("added", after, before))
            .collect(Collectors.joining());
    }

    private static Stream<String> only(final String label, final List<String> lines, final List<String> others)
    {
        final Set<String> known = Set.copyOf(others);
        return lines.stream().filter(line -> !known.contains(line)).limit(LINES_SHOWN)
            .map(line -> "\n" + label + ": " + line);
    }

    private static List<String> qualified(final List<String> lines)
    {
        final List<String> qualified = new ArrayList<>();
        String declaration = "";
        for (final String line : lines)
        {
            declaration = line.startsWith(" ") ? declaration : line.replace(" {", "");
            qualified.add(line.startsWith(" ") ? declaration + ": " + line.strip() : declaration);
        }
        return qualified;
    }
}
