/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Context;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.RdmaException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tests the messages for a process without permission to use a device or to lock memory, or whose resources of the
 * device are exhausted. The tests run as root.
 */
@Tag("soft-roce")
@Tag("torture")
@Timeout(360)
class VerbsRightsTest
{
    private static final int DEADLINE_S = 300;
    private static final int LENGTH = 1 << 20;

    @Test
    void shouldNameLimitWhenLockedMemoryIsExhausted() throws IOException, InterruptedException
    {
        final String output = register("ulimit -l 64; exec setpriv --bounding-set=-ipc_lock \"$@\"");

        assertTrue(output.contains("ibv_reg_mr: cannot register " + LENGTH + " bytes"), output);
        assertTrue(output.contains("whose limit here is 65536 bytes"), output);
        assertTrue(output.contains("ulimit -l unlimited"), output);
    }

    @Test
    void shouldNameFileWhenPermissionIsMissing() throws IOException, InterruptedException
    {
        final Path file = Path.of("/dev/infiniband/uverbs0");
        final Set<PosixFilePermission> before = Files.getPosixFilePermissions(file);
        Files.setPosixFilePermissions(file, Set.of());
        try
        {
            final String output =
                register("exec setpriv --bounding-set=-dac_override,-dac_read_search \"$@\"");

            assertTrue(output.contains("ibv_open_device: cannot open rxe0 by /dev/infiniband/uverbs0"), output);
            assertTrue(output.contains("(EACCES)"), output);
        }
        finally
        {
            Files.setPosixFilePermissions(file, before);
        }
    }

    /** Limits the cgroup, because exhausting the device would take a million queue pairs. */
    @Test
    void shouldReportControlGroupWhenQueuePairsAreExhausted() throws IOException, InterruptedException
    {
        final String output = register("set -e; dir=$(mktemp -d); mount -t cgroup2 none $dir; " +
            "echo +rdma >$dir/cgroup.subtree_control; mkdir $dir/few; " +
            "echo 'rxe0 hca_object=12' >$dir/few/rdma.max; echo $$ >$dir/few/cgroup.procs; exec \"$@\" queue-pairs");

        assertTrue(output.matches("(?s).*\\b[1-9] made; ibv_create_qp: cannot create a queue pair of type RC .*"),
            output);
        assertTrue(output.contains("this process' cgroup (rdma.max) has none left"), output);
        assertTrue(output.contains("(EAGAIN)"), output);
    }

    /** Runs a process that a shell starts with fewer privileges. */
    private static String register(final String script) throws IOException, InterruptedException
    {
        final List<String> command = List.of("sh", "-c", script, "sh",
            ProcessHandle.current().info().command().orElse("java"),
            "@" + System.getProperty("tutti.root") + "/jvm.options", "-XX:TieredStopAtLevel=1",
            "-cp", System.getProperty("java.class.path"), Registrar.class.getName());
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(DEADLINE_S, TimeUnit.SECONDS));
        return output;
    }

    /** Registers memory, or creates queue pairs until it fails, and prints the error. */
    static final class Registrar
    {
        private Registrar()
        {
        }

        public static void main(final String[] args)
        {
            try (Context context = new VerbsFixture().open();
                ProtectionDomain domain = context.allocateProtectionDomain();
                AllocatedMemory memory = context.allocateMemory(LENGTH);
                MemoryRegion region = domain.registerMemory(memory.address(), LENGTH, AccessFlags.ALL))
            {
                System.out.println("registered " + region.length());
                if (args.length > 0)
                {
                    makeQueuePairs(context, domain);
                }
            }
            catch (final RdmaException ex)
            {
                System.out.println(ex.getMessage());
            }
        }

        private static void makeQueuePairs(final Context context, final ProtectionDomain domain)
        {
            final Deque<QueuePair> made = new ArrayDeque<>();
            final CompletionQueue queue = context.createCompletionQueue(1, null);
            try
            {
                while (true)
                {
                    made.push(domain.createQueuePair(QueuePairInitAttributes.reliable(queue, 1, 1, 1, 0)));
                }
            }
            catch (final RdmaException ex)
            {
                System.out.println(made.size() + " made; " + ex.getMessage());
                made.forEach(QueuePair::close);
                queue.close();
            }
        }
    }
}
