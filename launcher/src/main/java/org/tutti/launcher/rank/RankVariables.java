/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.rank;

import java.util.LinkedHashMap;
import java.util.Map;

/** The environment variables of ranks: which of them the launcher sets, passes on or withholds. Stateless. */
public final class RankVariables
{
    /** The endpoint of the coordinator for ranks on other hosts; not set on the coordinator's own host. */
    public static final String COORDINATOR = "TUTTI_COORDINATOR";
    /** Whether the host has more ranks than cores: 1 or 0. */
    public static final String OVERSUBSCRIBED = "TUTTI_OVERSUBSCRIBED";
    /** The number of restarts of the job so far. */
    public static final String RESTART_COUNT = "TUTTI_RESTART_COUNT";

    private static final String OURS = "TUTTI_";

    private RankVariables()
    {
    }

    /**
     * Returns whether the host of a rank has more ranks than cores.
     *
     * @param environment the environment of the rank.
     * @return true if ranks share cores.
     */
    public static boolean sharesCores(final Map<String, String> environment)
    {
        return "1".equals(environment.get(OVERSUBSCRIBED));
    }

    /**
     * Returns the number of ranks on the host of a rank.
     *
     * @param environment the environment of the rank.
     * @return the number of ranks; 1 if unknown.
     */
    public static int localSize(final Map<String, String> environment)
    {
        return Integer.parseInt(environment.getOrDefault("LOCAL_WORLD_SIZE", "1"));
    }

    /**
     * Returns Tutti's settings in the launcher's environment, except those that differ between hosts.
     *
     * @return the values by name; modifiable.
     */
    public static Map<String, String> settings()
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

    /**
     * Returns whether the launcher sets a variable, so that the user cannot.
     *
     * @param name the name of the variable.
     * @return true if the launcher sets it for each rank.
     */
    public static boolean isOwn(final String name)
    {
        return switch (name)
        {
            case "RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT",
                "TUTTI_JOB_ID", "TUTTI_JOB_DIR", "TUTTI_SECRET", "TUTTI_LAUNCH_DIR", OVERSUBSCRIBED,
                COORDINATOR, RESTART_COUNT -> true;
            default -> false;
        };
    }

    /**
     * Returns whether only the launcher reads a variable, so that setting it for ranks has no effect.
     *
     * @param name the name of the variable.
     * @return true if ranks ignore it.
     */
    public static boolean isLaunchers(final String name)
    {
        return switch (name)
        {
            case "TUTTI_HEARTBEAT_TIMEOUT", "TUTTI_STALL_TIMEOUT", "TUTTI_SSH", "TUTTI_REMOTE_PATH", "TUTTI_ADDRESS" ->
                true;
            default -> false;
        };
    }
}
