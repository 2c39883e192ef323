/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.step;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A client of PMI-2's wire protocol, as MPICH and Slurm define it: a line of PMI-1 that names the version, then
 * commands and responses, each preceded by its length as six characters: <pre>
 *   "    52cmd=kvs-get;jobid=7.0;srcid=-1;key=tutti-secret;"</pre>
 * Semicolons in values are doubled. For one thread at a time.
 */
final class PmiClient
{
    private static final int LENGTH_DIGITS = 6;
    private static final int MAX_LENGTH = 1 << 16;

    private final PmiConnection connection;
    private final String jobId;

    private PmiClient(final PmiConnection connection, final String jobId)
    {
        this.connection = connection;
        this.jobId = jobId;
    }

    /**
     * Opens the connection of a rank.
     *
     * @param connection the connection.
     * @param jobId      the id of the job, {@code PMI_JOBID}.
     * @param rank       the rank.
     * @throws IOException if the server refuses the rank, or does not answer.
     */
    static PmiClient open(final PmiConnection connection, final String jobId, final int rank) throws IOException
    {
        connection.write("cmd=init pmi_version=2 pmi_subversion=0\n".getBytes(StandardCharsets.US_ASCII));
        final StringBuilder line = new StringBuilder();
        final byte[] next = new byte[1];
        while (line.length() < MAX_LENGTH)
        {
            readFully(connection, next);
            if (next[0] == '\n')
            {
                break;
            }
            line.append((char)next[0]);
        }
        if (!line.toString().startsWith("cmd=response_to_init ") || !(line + " ").contains(" rc=0 "))
        {
            throw new IOException("PMI-2 is refused: '" + line + "'");
        }
        final PmiClient client = new PmiClient(connection, jobId);
        client.call("fullinit", "pmijobid", jobId, "pmirank", Integer.toString(rank), "threaded", "FALSE");
        return client;
    }

    /** Puts a value, for which the others must wait by {@link #fence}. */
    void put(final String key, final String value) throws IOException
    {
        call("kvs-put", "key", key, "value", value);
    }

    /** Waits until all ranks have called this. */
    void fence() throws IOException
    {
        call("kvs-fence");
    }

    /** Returns the value that a rank has put before the fence. */
    String get(final String key) throws IOException
    {
        final Map<String, String> response = call("kvs-get", "jobid", jobId, "srcid", "-1", "key", key);
        if (!"TRUE".equals(response.get("found")))
        {
            throw new IOException("rank 0 has put no " + key);
        }
        return response.get("value");
    }

    /** Tells the server that this process may end without another message. */
    void close() throws IOException
    {
        call("finalize");
    }

    private Map<String, String> call(final String name, final String... pairs) throws IOException
    {
        final StringBuilder text = new StringBuilder("cmd=").append(name).append(';');
        for (int i = 0; i < pairs.length; i += 2)
        {
            text.append(pairs[i]).append('=').append(pairs[i + 1].replace(";", ";;")).append(';');
        }
        final String length = Integer.toString(text.length());
        connection.write((" ".repeat(LENGTH_DIGITS - length.length()) + length + text)
            .getBytes(StandardCharsets.UTF_8));
        final Map<String, String> response = read();
        if (!(name + "-response").equals(response.get("cmd")) || !"0".equals(response.get("rc")))
        {
            throw new IOException("PMI-2 refuses " + name + ": " + response);
        }
        return response;
    }

    private Map<String, String> read() throws IOException
    {
        final byte[] digits = new byte[LENGTH_DIGITS];
        readFully(connection, digits);
        final String text = new String(digits, StandardCharsets.US_ASCII).strip();
        final int length = text.matches("[0-9]{1,6}") ? Integer.parseInt(text) : -1;
        if (length < 0 || length > MAX_LENGTH)
        {
            throw new IOException("PMI-2 sends a length of '" + text + "'");
        }
        final byte[] bytes = new byte[length];
        readFully(connection, bytes);
        return parse(new String(bytes, StandardCharsets.UTF_8));
    }

    private static void readFully(final PmiConnection connection, final byte[] bytes) throws IOException
    {
        int done = 0;
        while (done < bytes.length)
        {
            final int count = connection.read(bytes, done, bytes.length - done);
            if (count <= 0)
            {
                throw new EOFException("the server of PMI-2 has closed the connection");
            }
            done += count;
        }
    }

    private static Map<String, String> parse(final String text)
    {
        final Map<String, String> pairs = new LinkedHashMap<>();
        int start = 0;
        while (start < text.length())
        {
            final StringBuilder pair = new StringBuilder();
            int i = start;
            while (i < text.length() && (text.charAt(i) != ';' || text.startsWith(";;", i)))
            {
                i += text.charAt(i) == ';' ? 1 : 0;
                pair.append(text.charAt(i));
                i++;
            }
            start = i + 1;
            final int equals = pair.indexOf("=");
            if (equals > 0)
            {
                pairs.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
        return pairs;
    }
}
