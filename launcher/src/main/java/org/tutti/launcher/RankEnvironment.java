/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.util.LinkedHashMap;
import java.util.Map;

/** What ranks find in their environment: who they are as torchrun spells it, and what Tutti adds. */
final class RankEnvironment
{
    /** Where ranks on other hosts than the coordinator's find it: on its own host it must not be there. */
    static final String COORDINATOR = "TUTTI_COORDINATOR";
    private static final String OVERSUBSCRIBED = "TUTTI_OVERSUBSCRIBED";

    private static final String OURS = "TUTTI_";

    /**
     * What differs from host to host.
     *
     * @param directory   of the job there.
     * @param cores       that ranks have there.
     * @param coordinator where its ranks find the coordinator by UDP; null on the coordinator's own host.
     */
    record Host(String directory, int cores, String coordinator)
    {
    }

    /**
     * Where ranks of other libraries meet.
     *
     * @param address of the host of rank 0.
     * @param port    that nobody listens at there.
     */
    record Master(String address, int port)
    {
    }

    private final RankPlacement placement;
    private final Map<String, String> common = new LinkedHashMap<>();

    /**
     * The environment of a job.
     *
     * @param spec   of the job.
     * @param jobId  its name.
     * @param secret that ranks join with, in hexadecimal digits.
     * @param master where ranks of other libraries meet.
     */
    RankEnvironment(final JobSpec spec, final String jobId, final String secret, final Master master)
    {
        placement = spec.where().placement();
        common.putAll(spec.environment());
        common.put("WORLD_SIZE", Integer.toString(spec.size()));
        common.put("MASTER_ADDR", master.address());
        common.put("MASTER_PORT", Integer.toString(master.port()));
        common.put("TUTTI_JOB_ID", jobId);
        common.put("TUTTI_SECRET", secret);
        common.put("TUTTI_LAUNCH_DIR", WorkingDirectory.name());
        if (spec.isVerbose())
        {
            common.put("TUTTI_VERBOSE", "1");
        }
    }

    /** What a rank's environment has beyond that of its agent. */
    Map<String, String> of(final int rank, final Host host)
    {
        final Map<String, String> environment = new LinkedHashMap<>();
        if (host.coordinator() != null)
        {
            // A rank here inherits the launcher's environment. One elsewhere gets of it what is meant for Tutti.
            environment.putAll(settings());
            environment.put(COORDINATOR, host.coordinator());
        }
        environment.putAll(common);
        final int localSize = placement.localSize(rank);
        environment.put("RANK", Integer.toString(rank));
        environment.put("LOCAL_RANK", Integer.toString(placement.localRank(rank)));
        environment.put("LOCAL_WORLD_SIZE", Integer.toString(localSize));
        environment.put("TUTTI_JOB_DIR", host.directory());
        environment.put(OVERSUBSCRIBED, localSize > host.cores() ? "1" : "0");
        return environment;
    }

    /** Whether there are more ranks than cores on the host of the rank that gets this environment. */
    static boolean sharesCores(final Map<String, String> environment)
    {
        return "1".equals(environment.get(OVERSUBSCRIBED));
    }

    /** The settings of Tutti's in the launcher's environment, but what says which host this is. */
    static Map<String, String> settings()
    {
        final Map<String, String> settings = new LinkedHashMap<>();
        System.getenv().forEach((name, value) ->
        {
            if (name.startsWith(OURS) && !isOwn(name) && !name.equals("TUTTI_LC_ALL") &&
                !name.equals("TUTTI_HOST"))
            {
                settings.put(name, value);
            }
        });
        return settings;
    }

    /** Whether the launcher sets a variable, so that the user may not. */
    static boolean isOwn(final String name)
    {
        return switch (name)
        {
            case "RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT",
                "TUTTI_JOB_ID", "TUTTI_JOB_DIR", "TUTTI_SECRET", "TUTTI_LAUNCH_DIR", OVERSUBSCRIBED,
                COORDINATOR -> true;
            default -> false;
        };
    }

    /** Whether a variable is for the launcher alone, so that to give it to the ranks would do nothing. */
    static boolean isLaunchers(final String name)
    {
        return switch (name)
        {
            case "TUTTI_HEARTBEAT_TIMEOUT", "TUTTI_STALL_TIMEOUT", "TUTTI_SSH", "TUTTI_REMOTE_PATH", "TUTTI_ADDRESS" ->
                true;
            default -> false;
        };
    }
}
