/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.tutti.examples.TimeoutOption;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * An example with a server and a client. By default both run in this process, each with its own context and thread;
 * with {@code --listen} or {@code --connect} the process is one side only, and the other may be on another host.
 */
abstract class TwoSided extends Example
{
    private static final int MAX_PORT = 65_535;
    private static final long RETRY_NS = 100_000_000;

    @Option(names = "--listen", description = "Runs only the server, and waits for a client.")
    private boolean listen;

    @Option(names = "--connect", paramLabel = "HOST", description = "Runs only the client of the server on HOST.")
    private String host;

    @Option(names = "--port", paramLabel = "N", defaultValue = "18515",
        description = "TCP port of the server (default: ${DEFAULT-VALUE}).")
    private int tcpPort;

    @Mixin
    private TimeoutOption patience;

    private final AtomicReference<RuntimeException> cause = new AtomicReference<>();

    /** Runs the server on a listening socket. */
    abstract void serve(ServerSocket socket);

    /** Runs the client on a connected socket. */
    abstract void call(Socket socket);

    @Override
    public void check(final int size)
    {
        super.check(size);
        require(!listen || host == null, "--listen --connect=" + host, "give at most one of them");
        require(tcpPort >= 1 && tcpPort <= MAX_PORT, "--port=" + tcpPort, "must be from 1 to " + MAX_PORT);
        patience.check(spec());
    }

    @Override
    public Integer call()
    {
        check(1);
        if (host != null)
        {
            call(dial(host, tcpPort));
        }
        else if (listen)
        {
            listen();
        }
        else
        {
            both();
        }
        return 0;
    }

    /** Work requests whose completions are awaited up to the timeout. */
    final WorkRequests requests()
    {
        return new WorkRequests(TimeUnit.SECONDS.toNanos(patience.seconds()));
    }

    /** Timeout of each answer in milliseconds. */
    final int timeoutMs()
    {
        return Math.toIntExact(TimeUnit.SECONDS.toMillis(patience.seconds()));
    }

    /**
     * Runs a side while its connection to the other is open. A failure is stored before the connection is closed, so
     * that it is reported instead of the other side's failure, which the closing causes.
     */
    final void run(final Runnable side)
    {
        try
        {
            side.run();
        }
        catch (final RuntimeException e)
        {
            cause.compareAndSet(null, e);
            throw e;
        }
    }

    private void listen()
    {
        try (ServerSocket socket = new ServerSocket(tcpPort))
        {
            say("# waiting for a client on port %d", tcpPort);
            serve(socket);
        }
        catch (final IOException e)
        {
            throw new ExampleException(
                "cannot listen on port " + tcpPort + " (" + e.getMessage() + "): use another --port", e);
        }
    }

    /** Connects to the server, which may start later. */
    private Socket dial(final String server, final int port)
    {
        final long start = System.nanoTime();
        for (int attempts = 0;; attempts++)
        {
            final Socket socket = new Socket();
            try
            {
                socket.connect(new InetSocketAddress(server, port), timeoutMs());
                return socket;
            }
            catch (final IOException e)
            {
                if (!(e instanceof ConnectException) ||
                    System.nanoTime() - start > TimeUnit.SECONDS.toNanos(patience.seconds()))
                {
                    throw new ExampleException("cannot reach " + server + ":" + port + " (" + e.getMessage() +
                        "): start the other side there, with --listen", e);
                }
            }
            if (attempts == 0)
            {
                say("# no server at %s:%d yet; trying for %d s", server, port, patience.seconds());
            }
            LockSupport.parkNanos(RETRY_NS);
        }
    }

    private void both()
    {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            final Thread client = Thread.currentThread();
            final Thread server = Thread.ofPlatform().daemon().name("server").start(
                () -> runBeside(client, () -> serve(socket)));
            runBeside(server, () -> call(dial(socket.getInetAddress().getHostAddress(), socket.getLocalPort())));
            // This thread can only have been interrupted by the other side's failure.
            Thread.interrupted();
            server.join(timeoutMs());
        }
        catch (final IOException | InterruptedException e)
        {
            throw new ExampleException("cannot connect the two sides of this process: " + e.getMessage(), e);
        }
        if (cause.get() != null)
        {
            throw cause.get();
        }
    }

    /** Runs a side; if it fails, interrupts the other side's thread, which would otherwise wait until its timeout. */
    private void runBeside(final Thread other, final Runnable side)
    {
        try
        {
            run(side);
        }
        catch (final RuntimeException e)
        {
            other.interrupt();
        }
    }
}
