/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A master and workers of one core each, in processes of their own. */
final class StandaloneCluster implements AutoCloseable
{
    private static final long TIMEOUT_NS = TimeUnit.MINUTES.toNanos(2);

    private final List<Process> processes = new ArrayList<>();
    private final Path directory;
    private final int port;

    /**
     * Starts a cluster.
     *
     * @param directory directory of logs and of the executors.
     * @param javaHomes JDK of each worker and its executor; null for that of the tests.
     */
    StandaloneCluster(final Path directory, final String... javaHomes) throws IOException, InterruptedException
    {
        this.directory = directory;
        Files.createDirectories(Path.of(System.getenv("SPARK_HOME"), "jars"));
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            port = socket.getLocalPort();
        }
        start("master", null, "org.apache.spark.deploy.master.Master",
            "--host", "127.0.0.1", "--port", Integer.toString(port), "--webui-port", "0");
        awaitMaster();
        for (final String javaHome : javaHomes)
        {
            final String name = "worker-" + processes.size();
            start(name, javaHome, "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--webui-port", "0",
                "--cores", "1", "--memory", "1g", "--work-dir", directory.resolve(name).toString(), master());
        }
    }

    String master()
    {
        return "spark://127.0.0.1:" + port;
    }

    private void start(final String name, final String javaHome, final String... arguments) throws IOException
    {
        final String jdk = javaHome == null ? System.getProperty("java.home") : javaHome;
        final List<String> command = new ArrayList<>(List.of(jdk + "/bin/java", "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(arguments));
        final ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(directory.resolve(name + ".log").toFile());
        builder.environment().put("JAVA_HOME", jdk);
        processes.add(builder.start());
    }

    private void awaitMaster() throws InterruptedException
    {
        final long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < TIMEOUT_NS)
        {
            try (Socket socket = new Socket())
            {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                return;
            }
            catch (final IOException ex)
            {
                Thread.sleep(100);
            }
        }
        throw new IllegalStateException("the master did not listen at port " + port);
    }

    @Override
    public void close()
    {
        for (final Process process : processes.reversed())
        {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
