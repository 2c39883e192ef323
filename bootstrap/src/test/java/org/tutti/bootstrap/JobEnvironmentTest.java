/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;

class JobEnvironmentTest
{
    @Test
    void shouldBeJobOfOneRankWithoutVariables()
    {
        assertNull(JobEnvironment.read(Map.of("PATH", "/bin")));
        try (Bootstrap bootstrap = Bootstraps.fromEnvironment(Map.of()))
        {
            assertEquals(0, bootstrap.rank());
            assertEquals(1, bootstrap.size());
            assertEquals(1, bootstrap.localSize());
            bootstrap.barrier("alone", RankThreads.TIMEOUT_NS);
        }
    }

    @Test
    void shouldIgnoreSlurmBatchScript()
    {
        assertNull(JobEnvironment.read(Map.of("SLURM_PROCID", "0", "SLURM_NTASKS", "4", "SLURM_JOB_ID", "7")));
    }

    @Test
    void shouldReadTorchrun()
    {
        final JobEnvironment environment = JobEnvironment.read(Map.of(
            "RANK", "3", "WORLD_SIZE", "4", "LOCAL_RANK", "1", "LOCAL_WORLD_SIZE", "2",
            "MASTER_ADDR", "node1", "MASTER_PORT", "1234", "TORCHELASTIC_RUN_ID", "run/5", "TUTTI_SECRET", "hush"));

        assertEquals(3, environment.rank());
        assertEquals(4, environment.size());
        assertEquals(1, environment.localRank());
        assertEquals(2, environment.localSize());
        assertEquals("node1:1234", environment.coordinator());
        assertEquals("run_5-1234", environment.jobId());
        assertFalse(environment.isLaunched());
    }

    @Test
    void shouldReadOpenMpiSlurmHydraAndPmix()
    {
        assertPlace(1, 2, Map.of("OMPI_COMM_WORLD_RANK", "1", "OMPI_COMM_WORLD_SIZE", "2",
            "OMPI_COMM_WORLD_LOCAL_SIZE", "2", "OMPI_COMM_WORLD_LOCAL_RANK", "1"));
        assertPlace(5, 8, Map.of("SLURM_PROCID", "5", "SLURM_STEP_NUM_TASKS", "8", "MASTER_ADDR", "::1"));
        assertPlace(1, 3, Map.of("PMI_RANK", "1", "PMI_SIZE", "3", "MASTER_ADDR", "localhost"));
        assertPlace(1, 3, Map.of("PMI_RANK", "1", "PMI_SIZE", "3", "MPI_LOCALRANKID", "1", "MPI_LOCALNRANKS", "3",
            "SLURM_PROCID", "0", "SLURM_STEP_NUM_TASKS", "1", "MASTER_ADDR", "localhost"));
        assertPlace(1, 3, Map.of("PMIX_RANK", "1", "WORLD_SIZE", "3", "MASTER_ADDR", "127.0.1.1"));
    }

    @Test
    void shouldReadTuttisLauncher()
    {
        final JobEnvironment environment = JobEnvironment.read(Map.of(
            "RANK", "0", "WORLD_SIZE", "2", "LOCAL_RANK", "0", "LOCAL_WORLD_SIZE", "2",
            "TUTTI_JOB_ID", "j", "TUTTI_JOB_DIR", "/dev/shm/j", "TUTTI_SECRET", "hush"));

        assertTrue(environment.isLaunched());
        assertNull(environment.coordinator());
        assertFalse(environment.toString().contains("hush"));
    }

    @Test
    void shouldReadDurationsWithUnits()
    {
        assertEquals(250_000_000L, joinTimeout("250ms"));
        assertEquals(2_500_000_000L, joinTimeout("2.5"));
        assertEquals(30_000_000_000L, joinTimeout("30s"));
        assertEquals(90_000_000_000L, joinTimeout("1.5m"));
        assertEquals(3_600_000_000_000L, joinTimeout("1h"));
    }

    private static long joinTimeout(final String text)
    {
        return JobEnvironment.read(Map.of("RANK", "0", "WORLD_SIZE", "1", "TUTTI_JOIN_TIMEOUT", text)).joinTimeoutNs();
    }

    @Test
    void shouldBracketIpv6Address()
    {
        final JobEnvironment environment = JobEnvironment.read(Map.of(
            "RANK", "0", "WORLD_SIZE", "2", "MASTER_ADDR", "fe80::1", "TUTTI_INSECURE", "1"));

        assertEquals("[fe80::1]:29500", environment.coordinator());
    }

    @Test
    void shouldReportVariableValueAndRange()
    {
        assertRefused("RANK='4' is not an integer from 0 to 3",
            Map.of("RANK", "4", "WORLD_SIZE", "4"));
        assertRefused("RANK='two' is not an integer from 0 to 3",
            Map.of("RANK", "two", "WORLD_SIZE", "4"));
        assertRefused("WORLD_SIZE='0' is not an integer from 1 to 1048576",
            Map.of("RANK", "0", "WORLD_SIZE", "0"));
        assertRefused("WORLD_SIZE is not set: must be an integer from 1 to 1048576", Map.of("RANK", "0"));
        assertRefused("LOCAL_RANK='2' is not an integer from 0 to 1",
            Map.of("RANK", "0", "WORLD_SIZE", "4", "LOCAL_WORLD_SIZE", "2", "LOCAL_RANK", "2"));
        assertRefused("MASTER_PORT='65536' is not an integer from 1 to 65535",
            Map.of("RANK", "0", "WORLD_SIZE", "2", "MASTER_ADDR", "a", "MASTER_PORT", "65536"));
        assertRefused("MASTER_ADDR is not set: it must name the host of rank 0",
            Map.of("RANK", "0", "WORLD_SIZE", "2"));
        assertRefused("WORLD_SIZE=2 is set, but RANK is not", Map.of("WORLD_SIZE", "2"));
        assertRefused("TUTTI_JOIN_TIMEOUT='-1s' is not a duration from 1 ms to 86400 s",
            Map.of("RANK", "0", "WORLD_SIZE", "1", "MASTER_ADDR", "a", "TUTTI_JOIN_TIMEOUT", "-1s"));
        assertRefused("TUTTI_SECRET is not set, but TUTTI_JOB_DIR is",
            Map.of("RANK", "0", "WORLD_SIZE", "1", "TUTTI_JOB_DIR", "/x"));
        assertRefused("LOCAL_WORLD_SIZE is not set",
            Map.of("RANK", "0", "WORLD_SIZE", "2", "TUTTI_JOB_DIR", "/x"));
        assertRefused("invalid job id 'a/b'",
            Map.of("RANK", "0", "WORLD_SIZE", "1", "TUTTI_JOB_ID", "a/b"));
    }

    @Test
    void shouldRejectOtherHostsWithoutSecret()
    {
        final Map<String, String> open = Map.of("RANK", "0", "WORLD_SIZE", "2", "MASTER_ADDR", "127.example.org");

        assertRefused("TUTTI_SECRET is not set, and other hosts can reach the job at 127.example.org:29500: " +
            "before the ranks start, export TUTTI_SECRET=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n') for all of " +
            "them, or TUTTI_INSECURE=1 to admit any process", open);
        final Map<String, String> hostKnown = new HashMap<>(open);
        hostKnown.put("LOCAL_WORLD_SIZE", "2");
        assertEquals("127.0.0.1:29500", JobEnvironment.read(hostKnown).coordinator());
    }

    @Test
    void shouldDeriveJobIdAndPortFromSlurmStep()
    {
        final JobEnvironment first = JobEnvironment.read(slurm("4711", "0", "1"));
        final JobEnvironment second = JobEnvironment.read(slurm("4711", "1", "1"));

        assertEquals("4711.0-25811", first.jobId());
        assertEquals("127.0.0.1:25811", first.coordinator());
        assertEquals(4, first.localSize());
        assertEquals("4711.1-25812", second.jobId());
        assertEquals("127.0.0.1:25812", second.coordinator());
        // All ranks are on one host, where they agree on a secret by a file.
        assertNull(first.secret());
    }

    @Test
    void shouldDeriveDistinctPortsInDocumentedRangeForSlurmSteps()
    {
        final Set<String> coordinators = new HashSet<>();
        for (int step = 0; step < 10_000; step++)
        {
            final String coordinator =
                JobEnvironment.read(slurm("4294967295", Integer.toString(step), "1")).coordinator();
            assertTrue(coordinator.matches("127\\.0\\.0\\.1:2[0-9]{4}"), coordinator);
            coordinators.add(coordinator);
        }
        assertEquals(10_000, coordinators.size());
    }

    @Test
    void shouldPreferUsersPortThenPortReservedBySlurm()
    {
        final Map<String, String> variables = slurm("7", "2", "1");
        variables.put("SLURM_STEP_RESV_PORTS", "12001-12004,12010");
        assertEquals("127.0.0.1:12001", JobEnvironment.read(variables).coordinator());
        variables.put("SLURM_STEP_RESV_PORTS", "12010");
        assertEquals("127.0.0.1:12010", JobEnvironment.read(variables).coordinator());
        variables.put("MASTER_PORT", "4321");
        assertEquals("127.0.0.1:4321", JobEnvironment.read(variables).coordinator());
    }

    @Test
    void shouldReportInvalidSlurmVariable()
    {
        final Map<String, String> ports = slurm("7", "2", "1");
        ports.put("SLURM_STEP_RESV_PORTS", "some");
        assertRefused("SLURM_STEP_RESV_PORTS='some' does not start with a port from 1 to 65535", ports);
        assertRefused("SLURM_JOB_ID='x' is not an integer from 0 to 4294967295", slurm("x", "0", "1"));
        assertRefused("SLURM_STEP_NUM_NODES='0' is not an integer from 1", slurm("7", "0", "0"));
        final Map<String, String> list = slurm("7", "0", "2");
        list.put("SLURM_STEP_NODELIST", "n[1-");
        assertRefused("SLURM_STEP_NODELIST='n[1-' is not a list of Slurm nodes, such as n[1-4,07],m1: '[' " +
            "without ']' at character 2; set MASTER_ADDR to the host of rank 0", list);
        final Map<String, String> none = slurm("7", "0", "2");
        none.remove("SLURM_STEP_NODELIST");
        assertRefused("MASTER_ADDR is not set: it must name the host of rank 0, the same for all ranks", none);
    }

    @Test
    void shouldFindRankZeroOnFirstHostOfSlurmStep()
    {
        final Map<String, String> variables = slurm("7", "0", "2");
        final JobEnvironment environment = JobEnvironment.read(variables);
        assertEquals("n1:20707", environment.coordinator());
        assertEquals("7.0-20707", environment.jobId());
        // The ranks have to agree on a secret.
        assertNull(environment.secret());
        assertEquals(-1, environment.step().pmiDescriptor());
        variables.put("MASTER_ADDR", "n2");
        assertEquals("n2:20707", JobEnvironment.read(variables).coordinator());
        variables.put("TUTTI_SECRET", "hush");
        assertNull(JobEnvironment.read(variables).step());
    }

    @Test
    void shouldNameRunsOfRequeuedSlurmJobDifferently()
    {
        final Map<String, String> variables = slurm("7", "0", "2");
        assertNull(JobEnvironment.read(variables).step().earlierJobId());
        variables.put("SLURM_RESTART_COUNT", "1");
        assertEquals("7.0-run2-20707", JobEnvironment.read(variables).jobId());
        assertEquals("7.0-20707", JobEnvironment.read(variables).step().earlierJobId());
        variables.put("SLURM_RESTART_COUNT", "2");
        assertEquals("7.0-run3-20707", JobEnvironment.read(variables).jobId());
        assertEquals("7.0-run2-20707", JobEnvironment.read(variables).step().earlierJobId());
        variables.put("TUTTI_JOB_ID", "train");
        assertEquals("train-run3", JobEnvironment.read(variables).jobId());
        variables.put("SLURM_RESTART_COUNT", "x");
        assertRefused("SLURM_RESTART_COUNT='x' is not an integer from 0 to ", variables);
    }

    @Test
    void shouldNotGuessHostOfRankZeroThatUserPlaced()
    {
        final Map<String, String> variables = slurm("7", "0", "2");
        variables.put("SLURM_DISTRIBUTION", "arbitrary");
        assertRefused("SLURM_DISTRIBUTION=arbitrary does not tell which host has rank 0: set MASTER_ADDR to the " +
            "first host in the file of hosts, the same for all ranks", variables);
        variables.put("MASTER_ADDR", "n2");
        assertEquals("n2:20707", JobEnvironment.read(variables).coordinator());
    }

    private static Map<String, String> slurm(final String job, final String step, final String hosts)
    {
        return new HashMap<>(Map.of("SLURM_PROCID", "3", "SLURM_STEP_NUM_TASKS", "4", "SLURM_JOB_ID", job,
            "SLURM_STEP_ID", step, "SLURM_STEP_NUM_NODES", hosts, "SLURM_STEP_NODELIST", "n[1-2]"));
    }

    private static void assertPlace(final int rank, final int size, final Map<String, String> variables)
    {
        final JobEnvironment environment = JobEnvironment.read(variables);
        assertEquals(rank, environment.rank());
        assertEquals(size, environment.size());
    }

    private static void assertRefused(final String message, final Map<String, String> variables)
    {
        final BootstrapException refusal = assertThrows(
            BootstrapException.class, () -> JobEnvironment.read(variables));
        assertTrue(refusal.getMessage().startsWith(message), refusal.getMessage());
    }
}
