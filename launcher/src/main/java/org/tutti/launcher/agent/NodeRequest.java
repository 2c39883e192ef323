/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

import org.tutti.bootstrap.Hosts;
import org.tutti.launcher.host.NodePlace;

/**
 * The request of a node to take part in a job, and the coordinator's answers. An answer is a text: empty for consent;
 * {@link #PROBE}, which a node that still runs sends back; or the reason of a refusal, which begins with {@link #AGAIN}
 * if the node should try again.
 *
 * @param nodes   the number of nodes that the node was told.
 * @param node    the number of the node.
 * @param ranks   the number of its ranks.
 * @param host    the name of its host.
 * @param pid     its process id.
 * @param hash    a hash of its command.
 * @param command the start of its command, for messages.
 */
record NodeRequest(int nodes, int node, int ranks, String host, long pid, int hash, String command)
{
    /** The start of a refusal that may not last. */
    static final String AGAIN = "again: ";
    /** The text that a running node sends back. */
    static final String PROBE = "?";

    private static final int MAX_COMMAND = 200;

    static NodeRequest of(final NodePlace place)
    {
        final String text = String.join(" ", place.command());
        return new NodeRequest(place.nodes(), place.node(), place.ranks(), Hosts.local(),
            ProcessHandle.current().pid(), place.command().hashCode(),
            text.length() <= MAX_COMMAND ? text : text.substring(0, MAX_COMMAND) + "...");
    }

    static NodeRequest read(final InputStream in) throws IOException
    {
        final DataInputStream data = new DataInputStream(in);
        return new NodeRequest(data.readInt(), data.readInt(), data.readInt(), data.readUTF(), data.readLong(),
            data.readInt(), data.readUTF());
    }

    void write(final OutputStream out) throws IOException
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream data = new DataOutputStream(bytes))
        {
            data.writeInt(nodes);
            data.writeInt(node);
            data.writeInt(ranks);
            data.writeUTF(host);
            data.writeLong(pid);
            data.writeInt(hash);
            data.writeUTF(command);
        }
        out.write(bytes.toByteArray());
    }

    /** Sends an answer: an empty text, {@link #PROBE}, or the reason of the refusal. */
    static void answer(final OutputStream out, final String text) throws IOException
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream data = new DataOutputStream(bytes))
        {
            data.writeUTF(text);
        }
        out.write(bytes.toByteArray());
    }

    /** Reads an answer. */
    static String readAnswer(final InputStream in) throws IOException
    {
        return new DataInputStream(in).readUTF();
    }
}
