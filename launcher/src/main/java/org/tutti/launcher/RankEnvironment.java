/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.LinkedHashMap;
import java.util.Map;

/** What ranks find in their environment: who they are as torchrun spells it, and what Tutti adds. */
final class RankEnvironment
{
    /** Where ranks on other hosts than the coordinator's find it: on its own host it must not be there. */
    static final String COORDINATOR = "TUTTI_COORDINATOR";

    private static final String MASTER_ADDRESS = "127.0.0.1";

    private final Map<String, String> common = new LinkedHashMap<>();

    /**
     * The environment of a job on one host.
     *
     * @param spec      of the job.
     * @param jobId     its name.
     * @param directory for its shared memory.
     * @param secret    that ranks join with, in hexadecimal digits.
     * @throws IOException if there is no free port.
     */
    RankEnvironment(final JobSpec spec, final String jobId, final String directory, final String secret)
        throws IOException
    {
        common.putAll(spec.environment());
        common.put("WORLD_SIZE", Integer.toString(spec.size()));
        common.put("LOCAL_WORLD_SIZE", Integer.toString(spec.size()));
        common.put("MASTER_ADDR", MASTER_ADDRESS);
        common.put("MASTER_PORT", Integer.toString(freePort()));
        common.put("TUTTI_JOB_ID", jobId);
        common.put("TUTTI_JOB_DIR", directory);
        common.put("TUTTI_SECRET", secret);
        common.put("TUTTI_OVERSUBSCRIBED", spec.size() > Cores.count() ? "1" : "0");
        if (spec.isVerbose())
        {
            common.put("TUTTI_VERBOSE", "1");
        }
    }

    /** What a rank's environment has beyond that of the launcher. */
    Map<String, String> of(final int rank)
    {
        final Map<String, String> environment = new LinkedHashMap<>(common);
        environment.put("RANK", Integer.toString(rank));
        environment.put("LOCAL_RANK", Integer.toString(rank));
        return environment;
    }

    /** Whether the launcher sets a variable, so that the user may not. */
    static boolean isOwn(final String name)
    {
        return switch (name)
        {
            case "RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT",
                "TUTTI_JOB_ID", "TUTTI_JOB_DIR", "TUTTI_SECRET", "TUTTI_OVERSUBSCRIBED", COORDINATOR -> true;
            default -> false;
        };
    }

    /** A port for the rendezvous of other libraries in the ranks; ours needs none on one host. */
    private static int freePort() throws IOException
    {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            return socket.getLocalPort();
        }
    }
}
