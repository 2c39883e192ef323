/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.ibm.disni.verbs.RdmaCm;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction;
import io.aeron.Aeron;
import org.agrona.collections.Long2LongHashMap;
import org.tutti.benchmarks.perf.PerfCommand;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.ProcessSettings;
import org.tutti.bootstrap.aeron.AeronCoordinator;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.comm.Communicators;
import org.tutti.collectives.config.EngineConfiguration;
import org.tutti.collectives.device.LocalPort;
import org.tutti.collectives.endpoint.Endpoint;
import org.tutti.collectives.exec.ScheduleExecutor;
import org.tutti.collectives.fault.Diagnosis;
import org.tutti.collectives.pattern.Partition;
import org.tutti.collectives.progress.Session;
import org.tutti.collectives.pt2pt.PointToPointCalls;
import org.tutti.collectives.reduce.Reducer;
import org.tutti.collectives.rma.WindowFactory;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.select.AlgorithmSelector;
import org.tutti.collectives.select.model.CostModel;
import org.tutti.collectives.staging.StagedCalls;
import org.tutti.collectives.util.Memory;
import org.tutti.collectives.wireup.Team;
import org.tutti.djl.DistributedTrainer;
import org.tutti.examples.HelloJob;
import org.tutti.examples.disni.RpingJob;
import org.tutti.launcher.JobCommand;
import org.tutti.launcher.agent.NodeAgent;
import org.tutti.launcher.cli.Main;
import org.tutti.launcher.host.RankPlacement;
import org.tutti.launcher.io.OutputSink;
import org.tutti.launcher.job.Launcher;
import org.tutti.launcher.rank.RankProcess;
import org.tutti.lightgbm.TuttiLightGbm;
import org.tutti.rdma.RdmaProvider;
import org.tutti.rdma.disni.DisniProvider;
import org.tutti.rdma.os.NativeFunction;
import org.tutti.rdma.shm.ShmProvider;
import org.tutti.rdma.shm.peer.Fabric;
import org.tutti.rdma.shm.transport.PeerTransport;
import org.tutti.rdma.soft.SoftContext;
import org.tutti.rdma.soft.queue.Transport;
import org.tutti.rdma.soft.segment.ControlLayout;
import org.tutti.rdma.tcp.TcpProvider;
import org.tutti.rdma.tcp.stream.WireConnection;
import org.tutti.rdma.tcp.wire.Fpdu;
import org.tutti.rdma.verbs.VerbsProvider;
import org.tutti.spark.TuttiSpark;
import org.tutti.tools.DevicesCommand;
import org.tutti.tools.simulate.Simulator;
import picocli.CommandLine;

import java.lang.foreign.Linker;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Allowed dependencies between packages. This module sees all others, so the rules are here. A package is named by a
 * class in it: if the package is removed, the rule does not compile, whereas a string would match nothing.
 */
@AnalyzeClasses(packages = "org.tutti", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest
{
    private static final String RDMA = moduleOf(RdmaProvider.class);
    private static final String BOOTSTRAP = moduleOf(Bootstrap.class);
    private static final String COLLECTIVES = moduleOf(Communicator.class);
    private static final String DJL = moduleOf(DistributedTrainer.class);
    private static final String LIGHTGBM = moduleOf(TuttiLightGbm.class);
    private static final String SPARK = moduleOf(TuttiSpark.class);
    private static final String LAUNCHER = moduleOf(Main.class);
    private static final String TOOLS = moduleOf(DevicesCommand.class);
    private static final String BENCHMARKS = moduleOf(PerfCommand.class);
    private static final String EXAMPLES = moduleOf(HelloJob.class);
    private static final List<String> MODULES =
        List.of(RDMA, BOOTSTRAP, COLLECTIVES, DJL, LIGHTGBM, SPARK, LAUNCHER, TOOLS, BENCHMARKS, EXAMPLES);

    private static final String SCHEDULE = packagesFrom(Schedule.class);
    private static final String PATTERN = packagesFrom(Partition.class);
    private static final String ALGORITHM = packagesFrom(Algorithms.class);
    private static final String MODEL = packagesFrom(CostModel.class);
    private static final String SIMULATOR = packagesFrom(Simulator.class);
    private static final String SYSTEM = packagesFrom(NativeFunction.class);
    private static final String VERBS = packagesFrom(VerbsProvider.class);
    private static final String SHM = packagesFrom(ShmProvider.class);
    private static final String SHM_OBJECTS = ShmProvider.class.getPackageName();
    private static final String SHM_TRANSPORT = packagesFrom(PeerTransport.class);
    private static final String SHM_PEER = packagesFrom(Fabric.class);
    private static final String TCP = packagesFrom(TcpProvider.class);
    private static final String TCP_OBJECTS = TcpProvider.class.getPackageName();
    private static final String TCP_STREAM = packagesFrom(WireConnection.class);
    private static final String TCP_WIRE = packagesFrom(Fpdu.class);
    private static final String SOFT = packagesFrom(SoftContext.class);
    private static final String SOFT_OBJECTS = SoftContext.class.getPackageName();
    private static final String SOFT_QUEUE = packagesFrom(Transport.class);
    private static final String SOFT_SEGMENT = packagesFrom(ControlLayout.class);
    private static final String USES_AERON = packagesFrom(AeronCoordinator.class);
    private static final String USES_DISNI = packagesFrom(DisniProvider.class);
    private static final String SHOWS_DISNI = packagesFrom(RpingJob.class);

    /** API of the collectives for programs. */
    private static final String COLLECTIVES_API = Communicator.class.getPackageName();
    /** Packages that compute without communication, which tools may use too. */
    private static final List<String> COLLECTIVES_PURE = Stream.of(
        Partition.class, Schedule.class, Algorithms.class, AlgorithmSelector.class, Reducer.class)
        .map(ArchitectureTest::packagesFrom).toList();
    /** Packages that communicate, lowest first; all may use the API and the pure packages. */
    private static final List<String> COLLECTIVES_LAYERS = Stream.of(
        Memory.class, EngineConfiguration.class, LocalPort.class, Endpoint.class, Team.class, Diagnosis.class,
        ScheduleExecutor.class, Session.class, StagedCalls.class, PointToPointCalls.class, WindowFactory.class,
        Communicators.class)
        .map(ArchitectureTest::packagesFrom).toList();

    /** API of the launcher for other modules. */
    private static final String LAUNCHER_API = JobCommand.class.getPackageName();
    /** Internal packages of the launcher, lowest first; all may use its API. */
    private static final List<String> LAUNCHER_LAYERS = Stream.of(
        OutputSink.class, RankPlacement.class, RankProcess.class, NodeAgent.class, Launcher.class, Main.class)
        .map(ArchitectureTest::packagesFrom).toList();

    private static final String JAVA = packagesFrom(Object.class).replace(".lang", "");
    private static final String COLLECTIONS = packagesFrom(Long2LongHashMap.class);
    private static final String COMMAND_LINES = packagesFrom(CommandLine.class);
    private static final String AERON = packagesFrom(Aeron.class);
    private static final String DISNI = packagesFrom(RdmaCm.class).replace(".verbs", "");

    /** A rule about missing classes would always hold. */
    @ArchTest
    static void shouldSeeClassesInEveryPackageThatARuleNames(final JavaClasses classes)
    {
        Stream.of(MODULES, LAUNCHER_LAYERS, COLLECTIVES_PURE, COLLECTIVES_LAYERS,
            List.of(COLLECTIVES_API, SCHEDULE, PATTERN, ALGORITHM, SIMULATOR, SYSTEM, VERBS, SHM, SHM_OBJECTS,
                SHM_TRANSPORT, SHM_PEER, TCP, TCP_OBJECTS, TCP_STREAM, TCP_WIRE, SOFT, SOFT_OBJECTS, SOFT_QUEUE,
                SOFT_SEGMENT, USES_AERON, USES_DISNI, SHOWS_DISNI, LAUNCHER_API))
            .flatMap(List::stream).forEach(
                name -> assertTrue(classes.stream().anyMatch(resideInAPackage(name)), name + " has no classes"));
    }

    /** A rule about an unused library would always hold. */
    @ArchTest
    static void shouldSeeUsesOfEveryLibraryThatARuleNames(final JavaClasses classes)
    {
        Stream.of(JAVA, COLLECTIONS, COMMAND_LINES, AERON, DISNI).forEach(name -> assertTrue(
            classes.stream().flatMap(user -> user.getDirectDependenciesFromSelf().stream())
                .map(Dependency::getTargetClass).anyMatch(resideInAPackage(name)), name + " is not used by any class"));
    }

    /** A simple name is unique in all modules, because logs and documents omit packages and outer classes. */
    @ArchTest
    static void shouldNameNoClassLikeATopLevelClass(final JavaClasses classes)
    {
        final Map<String, List<String>> namesakes = classes.stream()
            .filter(member -> member.isTopLevelClass() && !"package-info".equals(member.getSimpleName()))
            .collect(groupingBy(JavaClass::getSimpleName, TreeMap::new, mapping(JavaClass::getName, toList())));
        final List<String> nested = classes.stream()
            .filter(member -> member.isMemberClass() && namesakes.containsKey(member.getSimpleName()))
            .map(JavaClass::getName).sorted().toList();
        assertEquals(List.of(), nested);
        namesakes.values().removeIf(names -> names.size() == 1);
        assertEquals(Map.of(), namesakes);
    }

    @ArchTest
    static final ArchRule RDMA_KNOWS_NO_OTHER_MODULE = module(RDMA).should().dependOnClassesThat()
        .resideInAnyPackage(modulesBut(RDMA));

    @ArchTest
    static final ArchRule BOOTSTRAP_KNOWS_NO_OTHER_MODULE = module(BOOTSTRAP).should().dependOnClassesThat()
        .resideInAnyPackage(modulesBut(BOOTSTRAP))
        .because("it transfers opaque bytes");

    @ArchTest
    static final ArchRule COLLECTIVES_DO_NOT_KNOW_WHO_STARTS_THEM = module(COLLECTIVES).should().dependOnClassesThat()
        .resideInAnyPackage(modulesBut(COLLECTIVES, RDMA, BOOTSTRAP));

    /** Ranks of one process can then have settings of their own. Programs may use the provider of shm alone. */
    @ArchTest
    static final ArchRule ONE_CLASS_READS_THE_ENVIRONMENT = noClasses()
        .that().resideInAnyPackage(RDMA, BOOTSTRAP, COLLECTIVES)
        .and(not(type(ProcessSettings.class))).and(not(type(ShmProvider.class)))
        .should().callMethod(System.class, "getenv").orShould().callMethod(System.class, "getenv", String.class);

    /** A new package of the collectives must be added to a layer. */
    @ArchTest
    static final ArchRule COLLECTIVES_HAVE_NO_OTHER_LAYERS = classes().that().resideInAPackage(COLLECTIVES)
        .should().resideInAnyPackage(Stream.of(List.of(COLLECTIVES_API), COLLECTIVES_PURE, COLLECTIVES_LAYERS)
        .flatMap(List::stream).toArray(String[]::new));

    @ArchTest
    static final ArchRule COMPUTATION_KNOWS_NO_COMMUNICATION = noClasses()
        .that().resideInAnyPackage(COLLECTIVES_PURE.toArray(String[]::new))
        .should().dependOnClassesThat().resideInAnyPackage(COLLECTIVES_LAYERS.toArray(String[]::new));

    @ArchTest
    static void shouldPointDownwardWithinTheCollectives(final JavaClasses classes)
    {
        checkLayers(COLLECTIVES_LAYERS, classes);
    }

    @ArchTest
    static final ArchRule MODULES_USE_WHAT_THE_COLLECTIVES_OFFER = noClasses()
        .that().resideInAnyPackage(modulesBut(COLLECTIVES))
        .should().dependOnClassesThat(resideInAnyPackage(COLLECTIVES_LAYERS.toArray(String[]::new))
        .and(not(type(Communicators.class))));

    @ArchTest
    static final ArchRule LAUNCHER_KNOWS_BOOTSTRAP_ONLY = module(LAUNCHER).should().dependOnClassesThat()
        .resideInAnyPackage(modulesBut(LAUNCHER, BOOTSTRAP))
        .because("it runs arbitrary programs");

    @ArchTest
    static final ArchRule MODULES_USE_THE_LAUNCHERS_API_ONLY = noClasses()
        .that().resideInAnyPackage(modulesBut(LAUNCHER))
        .should().dependOnClassesThat().resideInAnyPackage(LAUNCHER_LAYERS.toArray(String[]::new));

    /** A new package of the launcher must be added to a layer. */
    @ArchTest
    static final ArchRule LAUNCHER_HAS_NO_OTHER_LAYERS = classes().that().resideInAPackage(LAUNCHER)
        .should().resideInAnyPackage(Stream.concat(Stream.of(LAUNCHER_API), LAUNCHER_LAYERS.stream())
        .toArray(String[]::new));

    @ArchTest
    static void shouldPointDownwardWithinTheLauncher(final JavaClasses classes)
    {
        noClasses().that().resideInAPackage(LAUNCHER_API)
            .should().dependOnClassesThat().resideInAnyPackage(LAUNCHER_LAYERS.toArray(String[]::new)).check(classes);
        checkLayers(LAUNCHER_LAYERS, classes);
    }

    private static void checkLayers(final List<String> layers, final JavaClasses classes)
    {
        for (int layer = 0; layer < layers.size() - 1; layer++)
        {
            final String[] higher = layers.subList(layer + 1, layers.size()).toArray(String[]::new);
            module(layers.get(layer)).should().dependOnClassesThat().resideInAnyPackage(higher).check(classes);
        }
    }

    @ArchTest
    static final ArchRule JOBS_RUN_WITHOUT_A_COMMAND_LINE = noClasses()
        .that().resideInAnyPackage(LAUNCHER_LAYERS.subList(0, LAUNCHER_LAYERS.size() - 1).toArray(String[]::new))
        .should().dependOnClassesThat().resideInAPackage(COMMAND_LINES);

    @ArchTest
    static final ArchRule TOOLS_START_NO_RANKS = module(TOOLS).should().dependOnClassesThat()
        .resideInAnyPackage(modulesBut(TOOLS, RDMA, COLLECTIVES, LAUNCHER))
        .because("they run in the user's own process");

    @ArchTest
    static final ArchRule LIBRARIES_KNOW_NO_COMMAND_LINE = noClasses()
        .that().resideInAnyPackage(RDMA, BOOTSTRAP, COLLECTIVES, DJL, LIGHTGBM, SPARK)
        .should().dependOnClassesThat().resideInAPackage(COMMAND_LINES);

    @ArchTest
    static final ArchRule INTEGRATIONS_USE_COLLECTIVES_AS_PROGRAMS_DO = module(DJL).should().dependOnClassesThat()
        .resideInAnyPackage(modulesBut(DJL, COLLECTIVES));

    @ArchTest
    static final ArchRule LIGHTGBM_USES_COLLECTIVES_AS_PROGRAMS_DO = module(LIGHTGBM).should().dependOnClassesThat()
        .resideInAnyPackage(modulesBut(LIGHTGBM, COLLECTIVES));

    @ArchTest
    static final ArchRule SPARK_USES_COLLECTIVES_AND_STARTS_COORDINATORS = module(SPARK).should().dependOnClassesThat()
        .resideInAnyPackage(modulesBut(SPARK, COLLECTIVES, BOOTSTRAP));

    @ArchTest
    static final ArchRule AERON_STAYS_IN_ITS_PACKAGE = noClasses().that().resideOutsideOfPackage(USES_AERON)
        .should().dependOnClassesThat().resideInAPackage(AERON);

    @ArchTest
    static final ArchRule DISNI_STAYS_IN_ITS_PACKAGES = noClasses()
        .that().resideOutsideOfPackages(USES_DISNI, SHOWS_DISNI)
        .should().dependOnClassesThat().resideInAPackage(DISNI);

    @ArchTest
    static final ArchRule FOREIGN_FUNCTIONS_OF_RDMA_ARE_LINKED_IN_ONE_LAYER = noClasses()
        .that().resideInAPackage(RDMA).and().resideOutsideOfPackages(SYSTEM, VERBS)
        .should().dependOnClassesThat().belongToAnyOf(Linker.class)
        .because("the C library is bound once; verbs binds libibverbs besides");

    @ArchTest
    static final ArchRule THE_SYSTEM_LAYER_KNOWS_NO_PROVIDER = module(SYSTEM).should().dependOnClassesThat()
        .resideInAnyPackage(VERBS, SHM, TCP, SOFT, USES_DISNI);

    @ArchTest
    static final ArchRule SOFTWARE_ADAPTERS_KNOW_NO_WAY_TO_PEERS = module(SOFT).should().dependOnClassesThat()
        .resideInAnyPackage(SHM, TCP, VERBS, USES_DISNI);

    @ArchTest
    static final ArchRule FRAMES_KNOW_NO_QUEUES = module(TCP_WIRE).should().dependOnClassesThat()
        .resideInAnyPackage(SOFT, TCP_STREAM, TCP_OBJECTS);

    @ArchTest
    static final ArchRule STREAMS_KNOW_NO_VERBS_OBJECTS = module(TCP_STREAM).should().dependOnClassesThat()
        .resideInAnyPackage(SOFT_OBJECTS, TCP_OBJECTS);

    @ArchTest
    static final ArchRule TCP_KNOWS_NO_OTHER_PROVIDER = module(TCP).should().dependOnClassesThat()
        .resideInAnyPackage(SHM, VERBS, USES_DISNI);

    @ArchTest
    static final ArchRule SHM_KNOWS_NO_OTHER_PROVIDER = module(SHM).should().dependOnClassesThat()
        .resideInAnyPackage(TCP, VERBS, USES_DISNI);

    @ArchTest
    static final ArchRule TCP_IS_USED_THROUGH_ITS_PROVIDER = noClasses().that().resideOutsideOfPackage(TCP)
        .should().dependOnClassesThat().resideInAnyPackage(TCP_STREAM, TCP_WIRE);

    @ArchTest
    static final ArchRule SEGMENTS_KNOW_NO_QUEUES = module(SOFT_SEGMENT).should().dependOnClassesThat()
        .resideInAnyPackage(SOFT_QUEUE, SOFT_OBJECTS);

    @ArchTest
    static final ArchRule QUEUES_KNOW_NO_VERBS_OBJECTS = module(SOFT_QUEUE).should().dependOnClassesThat()
        .resideInAnyPackage(SOFT_OBJECTS);

    @ArchTest
    static final ArchRule PEERS_KNOW_NO_REQUESTS = module(SHM_PEER).should().dependOnClassesThat()
        .resideInAnyPackage(SHM_TRANSPORT, SHM_OBJECTS);

    @ArchTest
    static final ArchRule TRANSPORTS_KNOW_NO_VERBS_OBJECTS = module(SHM_TRANSPORT).should().dependOnClassesThat()
        .resideInAnyPackage(SHM_OBJECTS);

    @ArchTest
    static final ArchRule SHM_IS_USED_THROUGH_ITS_PROVIDER = noClasses().that().resideOutsideOfPackage(SHM)
        .should().dependOnClassesThat().resideInAnyPackage(SHM_PEER, SHM_TRANSPORT);

    @ArchTest
    static final ArchRule SOFT_IS_USED_BY_SOFTWARE_PROVIDERS = noClasses().that()
        .resideOutsideOfPackages(SHM, TCP, SOFT).should().dependOnClassesThat().resideInAnyPackage(SOFT);

    @ArchTest
    static final ArchRule PATTERNS_ARE_MATHEMATICS = classes().that().resideInAPackage(PATTERN)
        .should().onlyDependOnClassesThat().resideInAnyPackage(PATTERN, JAVA);

    @ArchTest
    static final ArchRule SCHEDULES_ARE_PURE = classes().that().resideInAPackage(SCHEDULE)
        .should().onlyDependOnClassesThat().resideInAnyPackage(SCHEDULE, PATTERN, JAVA);

    @ArchTest
    static final ArchRule ALGORITHMS_MAKE_SCHEDULES_AND_NOTHING_ELSE = classes().that().resideInAPackage(ALGORITHM)
        .should().onlyDependOnClassesThat().resideInAnyPackage(ALGORITHM, SCHEDULE, PATTERN, JAVA);

    @ArchTest
    static final ArchRule THE_SIMULATOR_READS_SCHEDULES_AND_THE_MODEL = classes().that().resideInAPackage(SIMULATOR)
        .should().onlyDependOnClassesThat()
        .resideInAnyPackage(SIMULATOR, SCHEDULE, PATTERN, MODEL, JAVA, COLLECTIONS);

    private static GivenClassesConjunction module(final String name)
    {
        return noClasses().that().resideInAPackage(name);
    }

    /** The packages of a class's module: those that share the first component below this package. */
    private static String moduleOf(final Class<?> member)
    {
        final String own = ArchitectureTest.class.getPackageName() + '.';
        return own + member.getPackageName().substring(own.length()).split("\\.", 2)[0] + "..";
    }

    private static String packagesFrom(final Class<?> member)
    {
        return member.getPackageName() + "..";
    }

    private static String[] modulesBut(final String... excluded)
    {
        return MODULES.stream().filter(name -> !List.of(excluded).contains(name)).toArray(String[]::new);
    }
}
