/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/** Starts nodes of jobs by {@code tutti run --nnodes}, as processes of this host. */
final class NodeCommands
{
    static final String SECRET = "0123456789abcdef0123456789abcdef";

    private NodeCommands()
    {
    }

    static int freePort()
    {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            return socket.getLocalPort();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Starts a node whose coordinator has a port of this host. */
    static TuttiProcess start(
        final int port,
        final Map<String, String> variables,
        final int nodes,
        final int node,
        final String... words)
    {
        // On a loaded host, nodes may take long to come.
        final Map<String, String> environment =
            new HashMap<>(Map.of("TUTTI_SECRET", SECRET, "TUTTI_JOIN_TIMEOUT", "300s"));
        environment.putAll(variables);
        return TuttiProcess.startWith(environment, Stream.concat(Stream.of(
            "run", "--nnodes", Integer.toString(nodes), "--node-rank", Integer.toString(node),
            "--coordinator", "127.0.0.1:" + port), Stream.of(words)).toArray(String[]::new));
    }
}
