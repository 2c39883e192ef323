/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.step;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

import org.tutti.bootstrap.JobEnvironment;

/**
 * The lines by which a rank gets the secret of rank 0, over TCP at the port that the coordinator has for UDP: <pre>
 *   rank:    tutti-munge 1 HOST RANK CREDENTIAL   with "join JOB RANK NONCE"
 *   rank 0:  secret CREDENTIAL                    with "secret JOB NONCE SECRET"
 *      or:   refused REASON                       in clear text, not authenticated</pre>
 */
final class MungeMessages
{
    static final String REQUEST = "tutti-munge 1 ";
    static final String SECRET = "secret ";
    static final String REFUSED = "refused ";
    /** Time limit for an answer, in milliseconds: rank 0 may have to answer other ranks first. */
    static final int ANSWER_MS = 30_000;
    /** Time limit for reading a request, in milliseconds: any process may connect, and then send nothing. */
    static final int REQUEST_MS = 5_000;

    private static final int MAX_LINE = 1 << 14;

    private MungeMessages()
    {
    }

    static String joinText(final JobEnvironment environment, final int rank)
    {
        return "join " + environment.jobId() + " " + rank + " ";
    }

    static String secretText(final JobEnvironment environment, final String nonce)
    {
        return "secret " + environment.jobId() + " " + nonce + " ";
    }

    /** Returns the failure's message, with the fix if the clocks of hosts differ. */
    static String explain(final IOException failure)
    {
        // A connection attempt of a millisecond times out without a message.
        final String text = failure.getMessage() == null ? "no connection in time" : failure.getMessage();
        return text.contains("Expired credential") || text.contains("Rewound credential") ?
            text + ": the clocks of these hosts differ, synchronize them (NTP)" :
            text.contains("Invalid credential") ? text + ": the hosts have different MUNGE keys" : text;
    }

    static void write(final Socket socket, final String line) throws IOException
    {
        socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    private static int next(final Socket socket, final long leftMs, final int limitMs) throws IOException
    {
        try
        {
            if (leftMs > 0)
            {
                socket.setSoTimeout((int)leftMs);
                return socket.getInputStream().read();
            }
        }
        catch (final SocketTimeoutException ex)
        {
            // Reported below, with the limit.
        }
        throw new SocketTimeoutException("no complete line within " + limitMs + " ms");
    }

    /**
     * Reads a line.
     *
     * @param limitMs maximum duration until the line is complete, at least 1.
     */
    static String read(final Socket socket, final int limitMs) throws IOException
    {
        final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMs);
        final ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true)
        {
            final int c = next(socket, TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime()), limitMs);
            if (c == '\n')
            {
                return line.toString(StandardCharsets.US_ASCII);
            }
            if (c < 0)
            {
                throw new EOFException("the connection was closed");
            }
            if (line.size() == MAX_LINE)
            {
                throw new IOException("a line is longer than " + MAX_LINE + " bytes");
            }
            line.write(c);
        }
    }
}
