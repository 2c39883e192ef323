/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.tutti.rdma.RdmaProvider;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A process with a node, driven over its standard input and output: each call is sent as method name and arguments, and
 * returns its result or exception. One call at a time. The process exits at the end of its input.
 */
public final class PeerProcess implements AutoCloseable
{
    private final Process process;
    private final ObjectOutputStream out;
    private final ObjectInputStream in;

    /**
     * Starts the process.
     *
     * @param provider   name of the provider.
     * @param properties system properties, as for {@code -D}.
     */
    public PeerProcess(final String provider, final List<String> properties)
    {
        final List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(options());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.add("-Xmx128m");
        properties.forEach((property) -> command.add("-D" + property));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), PeerProcess.class.getName(), provider));
        try
        {
            process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            out = new ObjectOutputStream(process.getOutputStream());
            out.flush();
            in = new ObjectInputStream(process.getInputStream());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static List<String> options()
    {
        try
        {
            return Files.readAllLines(Path.of(System.getProperty("tutti.root"), "jvm.options"));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * The node of that process.
     *
     * @return a node, to be opened before use; can be reopened after close.
     */
    public Node node()
    {
        return (Node)Proxy.newProxyInstance(Node.class.getClassLoader(), new Class<?>[]{Node.class},
            (proxy, method, arguments) -> call(method, arguments));
    }

    private synchronized Object call(final Method method, final Object[] arguments) throws Throwable
    {
        if (method.getDeclaringClass() == Object.class)
        {
            return "node of process " + process.pid();
        }
        out.writeObject(method.getName());
        out.writeObject(arguments);
        out.reset();
        out.flush();
        final Object result = in.readObject();
        if (result instanceof Throwable thrown)
        {
            throw thrown;
        }
        return result;
    }

    /** Kills the process with SIGKILL and waits for its exit. */
    public void kill()
    {
        process.destroyForcibly();
        try
        {
            process.waitFor();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close()
    {
        kill();
    }

    /**
     * Runs the process.
     *
     * @param arguments name of the provider.
     * @throws Exception if it cannot continue.
     */
    public static void main(final String[] arguments) throws Exception
    {
        final OutputStream output = System.out;
        System.setOut(new PrintStream(System.err, true, StandardCharsets.UTF_8));
        final InputStream input = System.in;
        final ObjectOutputStream out = new ObjectOutputStream(output);
        out.flush();
        final ObjectInputStream in = new ObjectInputStream(input);
        final Node node = new LocalNode(() -> RdmaProvider.load(arguments[0]).devices().getFirst().open());
        while (true)
        {
            final String name;
            try
            {
                name = (String)in.readObject();
            }
            catch (final IOException ex)
            {
                System.exit(0);
                return;
            }
            out.writeObject(answer(node, name, (Object[])in.readObject()));
            out.reset();
            out.flush();
        }
    }

    private static Object answer(final Node node, final String name, final Object[] arguments)
        throws IllegalAccessException
    {
        for (final Method method : Node.class.getMethods())
        {
            final int count = arguments == null ? 0 : arguments.length;
            if (method.getName().equals(name) && method.getParameterCount() == count)
            {
                try
                {
                    return method.invoke(node, arguments);
                }
                catch (final InvocationTargetException ex)
                {
                    return ex.getCause();
                }
            }
        }
        return new NoSuchMethodError(name);
    }
}
