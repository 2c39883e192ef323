/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.step;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.HostPort;
import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.JobEnvironment;
import org.tutti.bootstrap.PrivatePath;

/** Gives the secret of rank 0 to ranks whose MUNGE credential shows the same user, on threads of its own. */
final class MungeServer implements AutoCloseable
{
    /** Each answer runs two programs. */
    private static final int MAX_ANSWERS = 8;
    private static final int BACKLOG = 1024;
    private static final long RETRY_NS = 10_000_000;

    private final JobEnvironment environment;
    private final String secret;
    private final MungeCommand munge;
    private final ServerSocket server;
    private final Semaphore answers = new Semaphore(MAX_ANSWERS);

    private MungeServer(
        final JobEnvironment environment, final String secret, final MungeCommand munge, final ServerSocket server)
    {
        this.environment = environment;
        this.secret = secret;
        this.munge = munge;
        this.server = server;
    }

    /** Starts to listen at the coordinator's port. */
    static MungeServer start(final JobEnvironment environment, final String secret)
    {
        final MungeCommand munge = new MungeCommand(environment.step().path(), () -> Long.MAX_VALUE);
        final int port = HostPort.parse(environment.coordinator()).port();
        final ServerSocket server;
        try
        {
            // Reports that MUNGE does not run before others wait for this rank.
            munge.encode(PrivatePath.uid(), "test");
        }
        catch (final IOException ex)
        {
            throw MungeClient.unusable(environment, ex);
        }
        try
        {
            server = new ServerSocket();
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(port), BACKLOG);
        }
        catch (final IOException ex)
        {
            throw new BootstrapException("rank 0 on " + Hosts.local() + " cannot listen at TCP port " + port + ": " +
                ex.getMessage() + "; another job may use it: set " + JobEnvironment.MASTER_PORT +
                " to a free port, the same for all ranks", ex);
        }
        final MungeServer result = new MungeServer(environment, secret, munge, server);
        daemon(result::accept);
        return result;
    }

    private static void daemon(final Runnable task)
    {
        final Thread thread = new Thread(task, "tutti-munge");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept()
    {
        while (!server.isClosed())
        {
            try
            {
                final Socket socket = server.accept();
                Thread.ofVirtual().name("tutti-munge-answer").start(() -> answer(socket));
            }
            catch (final IOException ex)
            {
                // Closed, as all ranks have joined; or a lack of descriptors, which requests that end soon give back.
                LockSupport.parkNanos(RETRY_NS);
            }
        }
    }

    private void answer(final Socket socket)
    {
        try (socket)
        {
            final String[] words = MungeMessages.read(socket, MungeMessages.REQUEST_MS).split(" ", -1);
            if (words.length != 5 || !(words[0] + " " + words[1] + " ").equals(MungeMessages.REQUEST))
            {
                return;
            }
            try
            {
                MungeMessages.write(socket, MungeMessages.SECRET + answer(Integer.parseInt(words[3]), words[4]));
            }
            catch (final IOException | NumberFormatException ex)
            {
                MungeMessages.write(socket, MungeMessages.REFUSED + "rank 0 on " + Hosts.local() +
                    " does not accept the credential of rank " + words[3] + " on " + words[2] + ": " +
                    (ex instanceof IOException failure ? MungeMessages.explain(failure) : "invalid rank"));
            }
        }
        catch (final IOException ex)
        {
            // Not a rank, or it has ended.
            return;
        }
    }

    /** Runs MUNGE's programs, for a limited number of requests at once. */
    private String answer(final int rank, final String credential) throws IOException
    {
        answers.acquireUninterruptibly();
        try
        {
            return secret(rank, credential);
        }
        finally
        {
            answers.release();
        }
    }

    private String secret(final int rank, final String credential) throws IOException
    {
        final int uid = PrivatePath.uid();
        final String request = munge.decode(uid, credential);
        final String expected = MungeMessages.joinText(environment, rank);
        if (!request.startsWith(expected))
        {
            throw new IOException("it is for another job: '" + request + "', not '" + expected + "...'");
        }
        return munge.encode(
            uid, MungeMessages.secretText(environment, request.substring(expected.length())) + secret);
    }

    @Override
    public void close()
    {
        try
        {
            server.close();
        }
        catch (final IOException ex)
        {
            // It no longer listens.
            return;
        }
    }
}
