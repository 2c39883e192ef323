/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.Bootstraps;
import org.tutti.bootstrap.Coordinator;
import org.tutti.bootstrap.CoordinatorContext;
import org.tutti.bootstrap.FailureNotice;
import org.tutti.bootstrap.JobDirectory;
import org.tutti.bootstrap.JobEnvironment;

/** A launcher without processes: a job directory and a coordinator. */
final class LaunchedJob implements AutoCloseable
{
    private static final AtomicInteger SEQUENCE = new AtomicInteger();

    final String jobId = "test-" + ProcessHandle.current().pid() + "-" + SEQUENCE.getAndIncrement();
    final String secret = "a secret";
    final int size;
    final JobDirectory directory;
    final Coordinator coordinator;

    LaunchedJob(final int size)
    {
        this(size, (context) -> { });
    }

    LaunchedJob(final int size, final Consumer<CoordinatorContext> settings)
    {
        this.size = size;
        directory = JobDirectory.create(jobId);
        final CoordinatorContext context = new CoordinatorContext()
            .jobId(jobId)
            .size(size)
            .aeronDirectory(directory.aeronDirectory())
            .secret(secret.getBytes(StandardCharsets.UTF_8));
        settings.accept(context);
        coordinator = Coordinator.start(context);
    }

    Map<String, String> environment(final int rank)
    {
        final Map<String, String> environment = new HashMap<>();
        environment.put("RANK", Integer.toString(rank));
        environment.put("WORLD_SIZE", Integer.toString(size));
        environment.put("LOCAL_RANK", Integer.toString(rank));
        environment.put("LOCAL_WORLD_SIZE", Integer.toString(size));
        environment.put("TUTTI_JOB_ID", jobId);
        environment.put("TUTTI_JOB_DIR", directory.path().toString());
        environment.put("TUTTI_SECRET", secret);
        return environment;
    }

    Bootstrap join(final int rank)
    {
        return Bootstraps.fromEnvironment(environment(rank));
    }

    /** Joins like a rank on another host, with its media driver in the directory {@code elsewhere}. */
    Bootstrap joinByUdp(final int rank, final String endpoint, final Path elsewhere)
    {
        final JobEnvironment environment = JobEnvironment.read(environment(rank));
        final FailureNotice notice = new FailureNotice();
        final MemberClient client = MemberClient.join(
            LaunchedRank.context(environment, elsewhere.resolve("media"), 1, endpoint), notice);
        return new AeronBootstrap(environment, elsewhere.toString(), "elsewhere", notice, client);
    }

    List<Bootstrap> joinAll()
    {
        final List<Bootstrap> ranks = new ArrayList<>();
        for (int rank = 0; rank < size; rank++)
        {
            ranks.add(join(rank));
        }
        return ranks;
    }

    @Override
    public void close()
    {
        coordinator.close();
        directory.close();
    }
}
