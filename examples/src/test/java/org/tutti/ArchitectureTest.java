/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;

import java.util.List;

/** Who may depend on whom. This module sees all others, so the rules live here. */
@AnalyzeClasses(packages = "org.tutti", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest
{
    private static final String RDMA = "org.tutti.rdma..";
    private static final String BOOTSTRAP = "org.tutti.bootstrap..";
    private static final String COLLECTIVES = "org.tutti.collectives..";
    private static final String SCHEDULE = "org.tutti.collectives.schedule..";
    private static final String PATTERN = "org.tutti.collectives.pattern..";
    private static final String ALGORITHM = "org.tutti.collectives.algorithm..";
    private static final String CHECK = "org.tutti.collectives.check..";
    private static final String SIMULATOR = "org.tutti.collectives.sim..";
    private static final String ENGINE = "org.tutti.collectives.engine..";
    private static final String LAUNCHER = "org.tutti.launcher..";
    private static final String TOOLS = "org.tutti.tools..";
    private static final String BENCHMARKS = "org.tutti.benchmarks..";
    private static final String EXAMPLES = "org.tutti.examples..";
    private static final String COMMAND_LINES = "picocli..";

    /** A rule about classes that are not seen holds always. */
    @ArchTest
    static void shouldSeeEveryModule(final JavaClasses classes)
    {
        for (final String module : List.of(RDMA, BOOTSTRAP, COLLECTIVES, LAUNCHER, TOOLS, BENCHMARKS, EXAMPLES))
        {
            assertTrue(classes.stream().anyMatch(JavaClass.Predicates.resideInAPackage(module)), module);
        }
    }

    @ArchTest
    static final ArchRule RDMA_KNOWS_NO_OTHER_MODULE = noClasses().that().resideInAPackage(RDMA)
        .should().dependOnClassesThat()
        .resideInAnyPackage(BOOTSTRAP, COLLECTIVES, LAUNCHER, TOOLS, BENCHMARKS, EXAMPLES);

    @ArchTest
    static final ArchRule BOOTSTRAP_KNOWS_NO_OTHER_MODULE = noClasses().that().resideInAPackage(BOOTSTRAP)
        .should().dependOnClassesThat().resideInAnyPackage(RDMA, COLLECTIVES, LAUNCHER, TOOLS, BENCHMARKS, EXAMPLES)
        .because("it carries opaque bytes");

    @ArchTest
    static final ArchRule COLLECTIVES_DO_NOT_KNOW_WHO_STARTS_THEM = noClasses().that().resideInAPackage(COLLECTIVES)
        .should().dependOnClassesThat().resideInAnyPackage(LAUNCHER, TOOLS, BENCHMARKS, EXAMPLES);

    @ArchTest
    static final ArchRule LAUNCHER_KNOWS_BOOTSTRAP_ONLY = noClasses().that().resideInAPackage(LAUNCHER)
        .should().dependOnClassesThat().resideInAnyPackage(RDMA, COLLECTIVES, TOOLS, BENCHMARKS, EXAMPLES)
        .because("it runs any program");

    @ArchTest
    static final ArchRule TOOLS_START_NO_RANKS = noClasses().that().resideInAPackage(TOOLS)
        .should().dependOnClassesThat().resideInAnyPackage(BOOTSTRAP, BENCHMARKS, EXAMPLES)
        .because("they run in the user's own process");

    @ArchTest
    static final ArchRule LIBRARIES_KNOW_NO_COMMAND_LINE = noClasses()
        .that().resideInAnyPackage(RDMA, BOOTSTRAP, COLLECTIVES)
        .should().dependOnClassesThat().resideInAPackage(COMMAND_LINES);

    @ArchTest
    static final ArchRule AERON_STAYS_IN_ITS_PACKAGES = noClasses().that().resideOutsideOfPackage("..aeron..")
        .should().dependOnClassesThat().resideInAPackage("io.aeron..");

    @ArchTest
    static final ArchRule DISNI_STAYS_IN_ITS_PACKAGES = noClasses().that().resideOutsideOfPackage("..disni..")
        .should().dependOnClassesThat().resideInAPackage("com.ibm.disni..");

    @ArchTest
    static final ArchRule SCHEDULES_ARE_PURE = noClasses().that().resideInAPackage(SCHEDULE)
        .should().dependOnClassesThat().resideInAnyPackage(RDMA, BOOTSTRAP, ALGORITHM, CHECK, SIMULATOR, ENGINE);

    @ArchTest
    static final ArchRule PATTERNS_ARE_MATHEMATICS = noClasses().that().resideInAPackage(PATTERN)
        .should().dependOnClassesThat()
        .resideInAnyPackage(RDMA, BOOTSTRAP, SCHEDULE, ALGORITHM, CHECK, SIMULATOR, ENGINE);

    @ArchTest
    static final ArchRule ALGORITHMS_MAKE_SCHEDULES_AND_NOTHING_ELSE = noClasses().that().resideInAPackage(ALGORITHM)
        .should().dependOnClassesThat().resideInAnyPackage(RDMA, BOOTSTRAP, CHECK, SIMULATOR, ENGINE);

    @ArchTest
    static final ArchRule WHAT_READS_SCHEDULES_DOES_NOT_RUN_THEM = noClasses()
        .that().resideInAnyPackage(CHECK, SIMULATOR)
        .should().dependOnClassesThat().resideInAnyPackage(RDMA, BOOTSTRAP, ENGINE);

    @ArchTest
    static final ArchRule PACKAGES_OF_COLLECTIVES_FORM_NO_CYCLE =
        SlicesRuleDefinition.slices().matching("org.tutti.collectives.(*)..").should().beFreeOfCycles();
}
