/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The connection by which two sides exchange the addresses that they need to connect their queue pairs. Any connection
 * works; here it is TCP.
 */
final class OutOfBandConnection implements AutoCloseable
{
    private static final String JOB_DIRECTORY = System.getenv("TUTTI_JOB_DIR");

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final Path ownDirectory;
    private final String shmDirectory;

    private OutOfBandConnection(final Socket socket, final Path ownDirectory, final int timeoutMs) throws IOException
    {
        this.socket = socket;
        this.ownDirectory = ownDirectory;
        socket.setSoTimeout(timeoutMs);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
        if (ownDirectory == null)
        {
            shmDirectory = in.readUTF();
        }
        else
        {
            shmDirectory = ownDirectory.toString();
            out.writeUTF(shmDirectory);
            out.flush();
        }
    }

    /**
     * Accepts the connection of the other side.
     *
     * @param server    listening server socket.
     * @param timeoutMs timeout in milliseconds, for the connection and for each answer.
     */
    static OutOfBandConnection accept(final ServerSocket server, final int timeoutMs)
    {
        try
        {
            server.setSoTimeout(timeoutMs);
            final Socket socket = server.accept();
            // Processes can communicate over shm only if they use the same directory. In a job, this directory is
            // created in the job's directory, which is always removed.
            final Path parent = Path.of(JOB_DIRECTORY == null ? "/dev/shm" : JOB_DIRECTORY);
            return new OutOfBandConnection(socket, Files.createTempDirectory(parent, "tutti-example-"), timeoutMs);
        }
        catch (final SocketTimeoutException e)
        {
            throw new ExampleException("no connection to port " + server.getLocalPort() + " within " +
                timeoutMs / 1000 + " s: start the other side with --connect, or increase --timeout", e);
        }
        catch (final IOException e)
        {
            throw new ExampleException("cannot accept on port " + server.getLocalPort() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Wraps the socket of the connecting side.
     *
     * @param socket    socket to the other side; closed with this connection.
     * @param timeoutMs timeout of each answer in milliseconds.
     */
    static OutOfBandConnection over(final Socket socket, final int timeoutMs)
    {
        try
        {
            return new OutOfBandConnection(socket, null, timeoutMs);
        }
        catch (final IOException e)
        {
            closeQuietly(socket);
            throw lost(e);
        }
    }

    /** Directory shared by both sides for shm. */
    String shmDirectory()
    {
        return shmDirectory;
    }

    /** Sends our address and receives the other side's. */
    Address swap(final Address mine)
    {
        try
        {
            mine.write(out);
            out.flush();
            return Address.read(in);
        }
        catch (final IOException e)
        {
            throw lost(e);
        }
    }

    /** Sends a number and receives one. */
    long swap(final long mine)
    {
        try
        {
            out.writeLong(mine);
            out.flush();
            return in.readLong();
        }
        catch (final IOException e)
        {
            throw lost(e);
        }
    }

    /** Returns when the other side has called this method too. */
    void barrier()
    {
        swap(0);
    }

    @Override
    public void close()
    {
        closeQuietly(socket);
        if (ownDirectory != null)
        {
            removeDirectory();
        }
    }

    private void removeDirectory()
    {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(ownDirectory))
        {
            for (final Path file : files)
            {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(ownDirectory);
        }
        catch (final IOException e)
        {
            throw new ExampleException("cannot remove " + ownDirectory + ": " + e.getMessage(), e);
        }
    }

    private static ExampleException lost(final IOException e)
    {
        return new ExampleException(e instanceof SocketTimeoutException ?
            "timeout waiting for the other side: check that it is running, or increase --timeout" :
            "the other side has disconnected" + (e instanceof EOFException ? "" : ": " + e.getMessage()), e);
    }

    private static void closeQuietly(final Socket socket)
    {
        try
        {
            socket.close();
        }
        catch (final IOException ignored)
        {
            // The socket is unusable anyway.
        }
    }
}
