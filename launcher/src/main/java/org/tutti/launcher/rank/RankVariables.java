/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.rank;

import java.util.LinkedHashMap;
import java.util.Map;

/** The environment variables of ranks, by name: which of them the launcher sets, hands on or keeps. Stateless. */
public final class RankVariables
{
    /** Where ranks on other hosts than the coordinator's find it; not set on its own host. */
    public static final String COORDINATOR = "TUTTI_COORDINATOR";
    /** Whether the host has more ranks than cores: 1 or 0. */
    public static final String OVERSUBSCRIBED = "TUTTI_OVERSUBSCRIBED";

    private static final String OURS = "TUTTI_";

    private RankVariables()
    {
    }

    /**
     * Whether the host of a rank has more ranks than cores.
     *
     * @param environment the environment of the rank.
     * @return true if ranks take turns.
     */
    public static boolean sharesCores(final Map<String, String> environment)
    {
        return "1".equals(environment.get(OVERSUBSCRIBED));
    }

    /**
     * The settings of Tutti in the launcher's environment, without those that differ from host to host.
     *
     * @return the values by name, modifiable.
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
     * Whether the launcher sets a variable, so that the user may not.
     *
     * @param name the name of the variable.
     * @return true if each rank gets a value of the launcher's.
     */
    public static boolean isOwn(final String name)
    {
        return switch (name)
        {
            case "RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT",
                "TUTTI_JOB_ID", "TUTTI_JOB_DIR", "TUTTI_SECRET", "TUTTI_LAUNCH_DIR", OVERSUBSCRIBED,
                COORDINATOR -> true;
            default -> false;
        };
    }

    /**
     * Whether only the launcher reads a variable, so that setting it for ranks has no effect.
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
