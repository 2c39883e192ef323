/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.util.LinkedHashMap;
import java.util.Map;

import org.tutti.launcher.host.RankPlacement;
import org.tutti.launcher.host.WorkingDirectory;
import org.tutti.launcher.rank.RankVariables;

/** Builds the environment of ranks: torchrun's variables for rank and size, and Tutti's own variables. */
final class RankEnvironment
{
    /**
     * Values that differ between hosts.
     *
     * @param directory   the job's directory on the host.
     * @param cores       the number of cores for ranks on the host.
     * @param coordinator the UDP endpoint of the coordinator; null on the coordinator's own host.
     */
    record AtHost(String directory, int cores, String coordinator)
    {
    }

    /**
     * The rendezvous for other libraries in the ranks.
     *
     * @param address the address of rank 0's host.
     * @param port    a free TCP port on that host.
     */
    record Master(String address, int port)
    {
    }

    private final JobSpec spec;
    private final RankPlacement placement;
    private final boolean isSecretKnown;
    private final Map<String, String> common = new LinkedHashMap<>();

    /**
     * Creates the environment of a job.
     *
     * @param spec    the specification of the job.
     * @param jobId   the id of the job.
     * @param secret  the job's secret, in hexadecimal digits.
     * @param master  the rendezvous for other libraries.
     * @param restart the number of the restart, 0 for the first start.
     */
    RankEnvironment(
        final JobSpec spec, final String jobId, final String secret, final Master master, final int restart)
    {
        this.spec = spec;
        placement = spec.where().placement();
        isSecretKnown = spec.where().nodes() != null;
        common.put("WORLD_SIZE", Integer.toString(spec.size()));
        common.put("MASTER_ADDR", master.address());
        common.put("MASTER_PORT", Integer.toString(master.port()));
        common.put("TUTTI_JOB_ID", jobId);
        common.put("TUTTI_SECRET", secret);
        common.put("TUTTI_LAUNCH_DIR", WorkingDirectory.name());
        common.put(RankVariables.RESTART_COUNT, Integer.toString(restart));
        if (spec.isVerbose())
        {
            common.put("TUTTI_VERBOSE", "1");
        }
    }

    /** Returns the variables of a rank, in addition to those of its agent. */
    Map<String, String> of(final int rank, final AtHost host)
    {
        final Map<String, String> environment = new LinkedHashMap<>();
        if (host.coordinator() != null)
        {
            // A local rank inherits the launcher's environment; a remote rank gets only Tutti's settings from it.
            environment.putAll(RankVariables.settings());
            environment.put(RankVariables.COORDINATOR, host.coordinator());
        }
        environment.putAll(spec.section(rank).environment());
        environment.putAll(common);
        if (host.coordinator() != null && isSecretKnown)
        {
            // Nodes have derived it, and messages to them are not encrypted.
            environment.remove("TUTTI_SECRET");
            environment.remove("TUTTI_SECRET_FILE");
        }
        final int localSize = placement.localSize(rank);
        environment.put("RANK", Integer.toString(rank));
        environment.put("LOCAL_RANK", Integer.toString(placement.localRank(rank)));
        environment.put("LOCAL_WORLD_SIZE", Integer.toString(localSize));
        environment.put("TUTTI_JOB_DIR", host.directory());
        environment.put(RankVariables.OVERSUBSCRIBED, localSize > host.cores() ? "1" : "0");
        return environment;
    }
}
