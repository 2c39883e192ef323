/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

import com.sun.management.OperatingSystemMXBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Control groups of several kinds of hosts, as files, on a host with 16 GiB of memory. */
class MemoryLimitTest
{
    @TempDir
    private Path root;

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        // Version 2: on a host, in a container, in a service whose slice has a limit, and in a step of Slurm.
        "0::/user.slice/session-1.scope; user.slice/memory.max=max; false",
        "0::/; memory.max=1073741824; true",
        "0::/; memory.max=max; false",
        "0::/; memory.max=17179869184; false",
        "0::/; memory.max=17179869183; true",
        "0::/; memory.high=1073741824; false",
        "0::/a.slice/b.service; a.slice/memory.max=1073741824; true",
        "0::/a.slice/b.service; a.slice/c.service/memory.max=1073741824; false",
        "0::/system.slice/slurmstepd.scope/job_7/step_0/user/task_0; " +
            "system.slice/slurmstepd.scope/job_7/memory.max=1073741824; true",
        // A path above the namespace's own.
        "0::/../../x; memory.max=1073741824; false",
        // Version 1: on a host, in a container that sees only its own group, and in a job of Slurm.
        "5:cpu,cpuacct:/|4:memory:/; memory/memory.limit_in_bytes=9223372036854771712; false",
        "4:memory:/docker/0123; memory/memory.limit_in_bytes=1073741824; true",
        "4:memory:/slurm/uid_0/job_7/step_0; memory/slurm/uid_0/job_7/memory.limit_in_bytes=1073741824; true",
        "4:cpuset:/x; memory/x/memory.limit_in_bytes=1073741824; false",
        // Not of these formats.
        "0::/; memory.max=much; false",
        "nothing; memory.max=1073741824; false"})
    void shouldFindLowestLimitOfControlGroups(final String groups, final String limit, final boolean isSet)
        throws IOException
    {
        write("proc/meminfo", "MemFree:        100 kB\nMemTotal:       16777216 kB\n");
        write("proc/self/cgroup", groups.replace('|', '\n') + "\n");
        final int equals = limit.indexOf('=');
        write("sys/fs/cgroup/" + limit.substring(0, equals), limit.substring(equals + 1) + "\n");

        assertEquals(isSet, MemoryLimit.isSet(root));
    }

    @Test
    void shouldFindNoLimitWhenTheKernelShowsNone()
    {
        assertFalse(MemoryLimit.isSet(root));
    }

    /** The heap is a share of what the JVM takes for the memory. */
    @Test
    void shouldAgreeWithTheJvm() throws IOException
    {
        final OperatingSystemMXBean system = (OperatingSystemMXBean)ManagementFactory.getOperatingSystemMXBean();
        final long memory = Files.readAllLines(Path.of("/proc/meminfo")).stream()
            .filter(line -> line.startsWith("MemTotal:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10).findFirst().orElseThrow();

        assertEquals(system.getTotalMemorySize() < memory, MemoryLimit.isSet());
    }

    private void write(final String name, final String text) throws IOException
    {
        final Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
