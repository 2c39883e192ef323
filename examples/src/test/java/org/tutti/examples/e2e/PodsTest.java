/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The pods of {@code deploy/kubernetes/job.yaml}, imitated by namespaces: with arguments, variables and secret from the
 * manifest, the launcher as process 1, names that become known late, and the default size of {@code /dev/shm}.
 */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PodsTest
{
    /** Guards against a hang: three pods start six JVMs without caches. */
    private static final long LIMIT_MS = 300_000;
    private static final String SECRET = "0123456789abcdef0123456789abcdef";
    /** Mounts a secret as the kubelet does: behind two links, owned by root, readable by the group of the pod. */
    private static final String MOUNT_SECRET = """
        umask 022
        mkdir -p "$1/..2026"
        printf %s "$3" >"$1/..2026/$2"
        chgrp "$5" "$1/..2026/$2"
        chmod "$4" "$1/..2026/$2"
        ln -sfn ..2026 "$1/..data"
        ln -sfn "..data/$2" "$1/$2"
        """;
    /** What an emptyDir looks like to a pod with an fsGroup. */
    private static final String OPEN_SHM = "chgrp $0 /dev/shm && chmod 2777 /dev/shm";

    private PodManifest manifest;
    private NamespaceHosts hosts;

    @BeforeAll
    void start(@TempDir final Path work) throws Exception
    {
        manifest = PodManifest.read();
        final String[] names = IntStream.range(0, manifest.pods()).mapToObj(manifest::host).toArray(String[]::new);
        hosts = NamespaceHosts.start(work, List.of("--shm", "64m"), names);
        for (final String name : names)
        {
            mountSecret(name, manifest.secretMode());
        }
    }

    @AfterAll
    void close() throws Exception
    {
        if (hosts != null)
        {
            hosts.close();
        }
    }

    @Test
    void shouldTrainOnThePodsOfTheManifest() throws Exception
    {
        hosts.run("on", manifest.host(1), "sh", "-c", OPEN_SHM, Integer.toString(manifest.group()));
        final List<TuttiJob> pods = new ArrayList<>();
        try
        {
            for (int index = 0; index < manifest.pods(); index++)
            {
                pods.add(pod(index, manifest.arguments(index)));
            }
            final String service = manifest.host(0) + "." + manifest.service();
            await(pods.getFirst(), "tutti: the name service does not know " + service + ", ");
            hosts.addName(manifest.host(0), service);
            for (final TuttiJob pod : pods)
            {
                assertEquals(0, pod.await(LIMIT_MS), pod.output());
                assertEquals(List.of(), pod.remaining(LIMIT_MS));
            }
            final String output = pods.getFirst().output();
            assertTrue(output.contains("the weights of all ranks are bitwise equal\n"), output);
            for (int index = 1; index < manifest.pods(); index++)
            {
                // The first pod prints the output of all.
                assertEquals("", pods.get(index).output());
            }
            hosts.awaitNothingLeft();
        }
        finally
        {
            for (final TuttiJob pod : pods)
            {
                pod.close();
            }
        }
    }

    /** Never by SIGBUS, which a page that cannot be allocated on access causes. */
    @Test
    void shouldNameTheFixWhenSharedMemoryIsTooSmall() throws Exception
    {
        final boolean isLong = Boolean.getBoolean("tutti.test.torture");
        final List<String> sizes = isLong ?
            List.of("1m", "2m", "4m", "8m", "12m", "16m", "24m", "32m", "48m", "64m", "80m", "96m") : List.of("32m");
        final String host = manifest.host(2);
        int failures = 0;
        try
        {
            for (final String size : sizes)
            {
                hosts.run("on", host, "mount", "-o", "remount,size=" + size, "/dev/shm");
                try (TuttiJob pod = pod(2, List.of("run", "-np", "2", "perf", "allreduce", "-e", "8m", "-n", "2")))
                {
                    final int code = pod.await(LIMIT_MS);
                    final String output = size + ": " + pod.output();
                    assertFalse(output.contains("SIGBUS"), output);
                    if (code != 0)
                    {
                        failures++;
                        assertNotEquals(-1, code, output);
                        assertTrue(output.contains("/dev/shm"), output);
                        assertTrue(output.contains("in Kubernetes an emptyDir with medium: Memory"), output);
                    }
                    assertEquals(List.of(), pod.remaining(LIMIT_MS), output);
                }
                hosts.awaitNothingLeft();
            }
        }
        finally
        {
            hosts.run("on", host, "mount", "-o", "remount,size=64m", "/dev/shm");
        }
        assertTrue(failures > 0, () -> "no size of " + sizes + " is too small");
        assertTrue(!isLong || failures < sizes.size(), () -> "all sizes of " + sizes + " are too small");
    }

    /** As Kubernetes does to evict a pod, after the grace period, or if its memory exceeds the limit. */
    @Test
    @Tag("torture")
    void shouldEndAllPodsWhenOneIsKilled() throws Exception
    {
        hosts.addName(manifest.host(0), manifest.host(0) + "." + manifest.service());
        final List<TuttiJob> pods = new ArrayList<>();
        try
        {
            for (int index = 0; index < manifest.pods(); index++)
            {
                final List<String> arguments = new ArrayList<>(manifest.arguments(index));
                arguments.set(arguments.indexOf("--epochs") + 1, "100000");
                pods.add(pod(index, arguments));
            }
            await(pods.getFirst(), "accuracy");
            final ProcessHandle parent = pods.get(1).processes().stream().flatMap(pid -> ProcessHandle.of(pid).stream())
                .filter(process -> process.info().command().orElse("").endsWith("/unshare")).findFirst().orElseThrow();
            // The kernel kills the processes of a PID namespace with the first of them, and unshare ignores SIGTERM.
            assertTrue(parent.destroyForcibly());

            final TuttiJob first = pods.getFirst();
            assertEquals(1, first.await(LIMIT_MS), first.output());
            assertTrue(first.output().contains(": lost " + manifest.host(1) + " with rank 1: "), first.output());
            for (final TuttiJob pod : pods)
            {
                assertNotEquals(0, pod.await(LIMIT_MS), pod.output());
                assertEquals(List.of(), pod.remaining(LIMIT_MS));
            }
        }
        finally
        {
            for (final TuttiJob pod : pods)
            {
                pod.close();
            }
        }
    }

    @Test
    void shouldSayWhichModeToSetWhenTheSecretHasTheDefaultOne() throws Exception
    {
        final String host = manifest.host(1);
        mountSecret(host, "644");
        try (TuttiJob pod = pod(1, manifest.arguments(1)))
        {
            assertEquals(2, pod.await(LIMIT_MS));
            assertTrue(pod.output().contains("' is not trusted: it is a file of uid 0 with mode 0644, "), pod.output());
            assertTrue(pod.output().contains("(Kubernetes: defaultMode: 0440)"), pod.output());
        }
        finally
        {
            mountSecret(host, manifest.secretMode());
        }
    }

    /** Starts the launcher as the first process of a PID namespace, as container runtimes do. */
    private TuttiJob pod(final int index, final List<String> arguments) throws Exception
    {
        final List<String> words = new ArrayList<>(List.of("unshare", "--pid", "--fork", "--mount-proc",
            "--kill-child", hosts.installation().resolve("tutti").toString()));
        words.addAll(arguments);
        return hosts.jobOn(manifest.environment(index), manifest.host(index), words);
    }

    private void mountSecret(final String host, final String mode) throws Exception
    {
        final Path file = manifest.secretFile();
        hosts.run("on", host, "sh", "-ec", MOUNT_SECRET, "sh", file.getParent().toString(),
            file.getFileName().toString(), SECRET, mode, Integer.toString(manifest.group()));
    }

    private static void await(final TuttiJob job, final String text) throws Exception
    {
        final long startNs = System.nanoTime();
        while (!job.output().contains(text))
        {
            assertTrue(job.launcher().isAlive(), job.output());
            assertTrue(System.nanoTime() - startNs < LIMIT_MS * 1_000_000, job.output());
            Thread.sleep(10);
        }
    }
}
