/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SliceRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.tutti.bootstrap.Bootstraps;
import org.tutti.bootstrap.Coordinator;
import org.tutti.bootstrap.aeron.AeronCoordinator;
import org.tutti.bootstrap.aeron.LaunchedRank;
import org.tutti.bootstrap.aeron.StandaloneRank;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.LocalJob;
import org.tutti.collectives.Request;
import org.tutti.collectives.comm.Communicators;
import org.tutti.collectives.comm.Requests;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Packages depend on one another in one direction only, and few classes on one another in both. */
@AnalyzeClasses(packages = "org.tutti", importOptions = ImportOption.DoNotIncludeTests.class)
final class CyclesTest
{
    private static final String PROJECT = CyclesTest.class.getPackageName() + "..";
    /** Maximum number of classes in a cycle. */
    private static final int LONGEST_CYCLE = 10;

    /**
     * Static methods by which an API creates its implementation, the only cycles between packages. Moving them out of
     * the API would change every program. Entries may only be removed.
     */
    private static final List<KnownDependency> FACTORIES = List.of(
        new KnownDependency(Communicator.class, Communicators.class),
        new KnownDependency(LocalJob.class, Communicators.class),
        new KnownDependency(Request.class, Requests.class),
        new KnownDependency(Bootstraps.class, LaunchedRank.class),
        new KnownDependency(Bootstraps.class, StandaloneRank.class),
        new KnownDependency(Coordinator.class, AeronCoordinator.class));

    @ArchTest
    static void shouldExcuseOnlyDependenciesThatExist(final JavaClasses classes)
    {
        FACTORIES.forEach(known -> assertTrue(
            classes.get(known.from).getDirectDependenciesFromSelf().stream()
                .anyMatch(found -> found.getTargetClass().isEquivalentTo(known.to)),
            known + " no longer exists: remove it from the list"));
    }

    @ArchTest
    static final ArchRule PACKAGES_FORM_NO_CYCLE = withoutFactories(
        SlicesRuleDefinition.slices().assignedFrom(new Packages()).should().beFreeOfCycles());

    private static SliceRule withoutFactories(final SliceRule rule)
    {
        SliceRule result = rule;
        for (final KnownDependency known : FACTORIES)
        {
            result = result.ignoreDependency(known.from, known.to);
        }
        return result;
    }

    /** Classes of a cycle can only be understood together. */
    @ArchTest
    static void shouldFormNoLongCycles(final JavaClasses classes)
    {
        final Map<String, Set<String>> uses = new HashMap<>();
        classes.stream().flatMap(user -> user.getDirectDependenciesFromSelf().stream())
            .filter(use -> resideInAPackage(PROJECT).test(use.getTargetClass())).forEach(
            use -> uses.computeIfAbsent(fileOf(use.getOriginClass()), user -> new TreeSet<>())
                .add(fileOf(use.getTargetClass())));
        final Map<String, Set<String>> reached = new HashMap<>();
        uses.keySet().forEach(user -> reached.put(user, reachedFrom(user, uses)));
        for (final String member : uses.keySet())
        {
            final List<String> cycle = reached.get(member).stream()
                .filter(other -> reached.getOrDefault(other, Set.of()).contains(member)).toList();
            assertTrue(cycle.size() <= LONGEST_CYCLE, () -> cycle.size() + " > " + LONGEST_CYCLE + ": " + cycle);
        }
    }

    private static String fileOf(final JavaClass member)
    {
        return member.getBaseComponentType().getName().replaceFirst("\\$.*", "");
    }

    private static Set<String> reachedFrom(final String user, final Map<String, Set<String>> uses)
    {
        final Set<String> reached = new TreeSet<>();
        final Deque<String> pending = new ArrayDeque<>(List.of(user));
        while (!pending.isEmpty())
        {
            uses.getOrDefault(pending.pop(), Set.of()).stream().filter(reached::add).forEach(pending::push);
        }
        return reached;
    }

    private record KnownDependency(Class<?> from, Class<?> to)
    {
    }

    /** Makes each package a slice, including packages whose names are prefixes of others. */
    private static final class Packages implements SliceAssignment
    {
        @Override
        public SliceIdentifier getIdentifierOf(final JavaClass assigned)
        {
            return SliceIdentifier.of(assigned.getPackageName());
        }

        @Override
        public String getDescription()
        {
            return "packages";
        }
    }
}
