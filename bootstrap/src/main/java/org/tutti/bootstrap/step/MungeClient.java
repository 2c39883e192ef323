/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.step;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.BootstrapInterruptedException;
import org.tutti.bootstrap.HostPort;
import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.JobEnvironment;
import org.tutti.bootstrap.JobSecret;
import org.tutti.bootstrap.OwnAddress;
import org.tutti.bootstrap.PrivatePath;
import org.tutti.bootstrap.store.DurationFormat;

/** Gets the secret of rank 0, whose MUNGE credential must show the same user and contain this rank's nonce. */
final class MungeClient
{
    private static final int CONNECT_TIMEOUT_MS = 5_000;
    private static final long RETRY_NS = 50_000_000;

    private final JobEnvironment environment;
    private final MungeCommand munge;
    private final HostPort server;
    private final SecretWay way;
    private final long startNs = System.nanoTime();

    private MungeClient(final JobEnvironment environment, final SecretWay way)
    {
        this.environment = environment;
        this.way = way;
        munge = new MungeCommand(environment.step().path(), this::leftNs);
        server = HostPort.parse(environment.coordinator());
    }

    /** Requests the secret until rank 0 answers, or the join timeout expires, which limits all attempts together. */
    static String request(final JobEnvironment environment, final SecretWay way)
    {
        return new MungeClient(environment, way).request();
    }

    private long leftNs()
    {
        return environment.joinTimeoutNs() - (System.nanoTime() - startNs);
    }

    private int limitMs(final int mostMs)
    {
        return Math.clamp(TimeUnit.NANOSECONDS.toMillis(leftNs()), 1, mostMs);
    }

    private String request()
    {
        InetAddress address = null;
        String cause = "";
        do
        {
            try
            {
                address = InetAddress.getByName(server.host());
                return requestFrom(address);
            }
            catch (final UnknownHostException ex)
            {
                cause = "the name service does not know " + server.host();
            }
            catch (final IOException ex)
            {
                // An attempt that has too little time left fails without a reason, unlike those before it.
                cause = ex.getMessage() == null && !cause.isEmpty() ? cause : MungeMessages.explain(ex);
            }
            LockSupport.parkNanos(RETRY_NS);
            if (Thread.currentThread().isInterrupted())
            {
                throw BootstrapInterruptedException.of(
                    "rank " + environment.rank(), "it waited for the secret of its job");
            }
        }
        while (leftNs() > 0);
        final InetAddress own = address == null ? null : OwnAddress.towards(address, "");
        throw new BootstrapException("rank " + environment.rank() + " on " + Hosts.local() +
            (own == null ? "" : " (" + OwnAddress.text(own) + ")") + " cannot get the job's secret from rank 0 at " +
            environment.coordinator() + (address == null ? "" : " (" + OwnAddress.text(address) + ")") + " within " +
            DurationFormat.format(environment.joinTimeoutNs()) + ": " + cause +
            "; open this port for TCP and UDP, or set " + JobEnvironment.MASTER_ADDR +
            " to an address of rank 0's host, the same for all ranks; " + way.advice());
    }

    private String requestFrom(final InetAddress address) throws IOException
    {
        try (Socket socket = new Socket())
        {
            socket.connect(new InetSocketAddress(address, server.port()), limitMs(CONNECT_TIMEOUT_MS));
            final String nonce = HexFormat.of().formatHex(JobSecret.nonce());
            final String credential = encode(nonce);
            MungeMessages.write(socket, MungeMessages.REQUEST + Hosts.local() + " " + environment.rank() + " " +
                credential);
            final String answer = MungeMessages.read(socket, limitMs(MungeMessages.ANSWER_MS));
            if (answer.startsWith(MungeMessages.REFUSED))
            {
                throw new BootstrapException(answer.substring(MungeMessages.REFUSED.length()));
            }
            return decode(answer, nonce);
        }
    }

    private String encode(final String nonce)
    {
        try
        {
            return munge.encode(
                PrivatePath.uid(), MungeMessages.joinText(environment, environment.rank()) + nonce);
        }
        catch (final IOException ex)
        {
            throw unusable(environment, ex);
        }
    }

    private String decode(final String answer, final String nonce)
    {
        try
        {
            final String text = answer.startsWith(MungeMessages.SECRET) ?
                munge.decode(PrivatePath.uid(), answer.substring(MungeMessages.SECRET.length())) : "";
            final String expected = MungeMessages.secretText(environment, nonce);
            if (!text.startsWith(expected))
            {
                throw new IOException("it does not answer the request of this rank");
            }
            return text.substring(expected.length());
        }
        catch (final IOException ex)
        {
            throw new BootstrapException("rank " + environment.rank() + " on " + Hosts.local() +
                " does not accept the credential of rank 0 at " + environment.coordinator() + ": " +
                MungeMessages.explain(ex), ex);
        }
    }

    static BootstrapException unusable(final JobEnvironment environment, final IOException ex)
    {
        return new BootstrapException("rank " + environment.rank() + " on " + Hosts.local() +
            " cannot create a MUNGE credential (" + ex.getMessage() + "): start munged there, or set " +
            JobEnvironment.TUTTI_SECRET_DIR + " to a directory that all hosts share, or " +
            JobEnvironment.TUTTI_SECRET + " on all ranks", ex);
    }
}
