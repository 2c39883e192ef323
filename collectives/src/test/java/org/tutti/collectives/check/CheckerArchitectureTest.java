/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import org.tutti.collectives.pattern.Partition;
import org.tutti.collectives.schedule.Schedule;

import java.util.List;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

/** Restricts the dependencies of the checker. ArchitectureTest, in examples, covers main code only. */
@AnalyzeClasses(packagesOf = ScheduleChecker.class)
final class CheckerArchitectureTest
{
    private static final String CHECK = ScheduleChecker.class.getPackageName();
    private static final String[] READ = {
        CHECK, Schedule.class.getPackageName(), Partition.class.getPackageName(), "java.."};

    @ArchTest
    static void shouldDependOnSchedulesOnly(final JavaClasses classes)
    {
        final List<Dependency> dependencies =
            classes.get(ScheduleChecker.class).getTransitiveDependenciesFromSelf().stream()
                .filter(dependency -> dependency.getOriginClass().getPackageName().equals(CHECK)).toList();

        assertFalse(dependencies.isEmpty());
        assertEquals(List.of(), dependencies.stream()
            .filter(dependency -> !resideInAnyPackage(READ).test(dependency.getTargetClass())).toList());
    }
}
