/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.tutti.rdma.Errno;
import org.tutti.rdma.os.FileCalls;
import org.tutti.rdma.os.SocketCalls;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The options that the kernel must permit, and those that Java cannot set. Stateless. */
final class KernelOptions
{
    private static final String AVAILABLE = "/proc/sys/net/ipv4/tcp_available_congestion_control";
    private static final String ALLOWED = "/proc/sys/net/ipv4/tcp_allowed_congestion_control";

    private KernelOptions()
    {
    }

    /** Why this process cannot have the options, in one line, or null. */
    static String problem(final TcpOptions options)
    {
        if (!needDescriptor(options) && options.sendBuffer() == 0 && options.receiveBuffer() == 0)
        {
            return null;
        }
        final int fd = SocketCalls.open();
        if (fd < 0)
        {
            return "cannot create a TCP socket (errno " + -fd + ")";
        }
        try
        {
            final String problem = apply(options, fd);
            if (problem != null)
            {
                return problem;
            }
            final String send = bufferProblem(
                fd, SocketCalls.SO_SNDBUF, TcpSetting.SEND_BUFFER, options.sendBuffer(), "net.core.wmem_max");
            return send != null ? send : bufferProblem(
                fd, SocketCalls.SO_RCVBUF, TcpSetting.RECEIVE_BUFFER, options.receiveBuffer(), "net.core.rmem_max");
        }
        finally
        {
            FileCalls.close(fd);
        }
    }

    /** Whether {@link #apply} has something to set. */
    static boolean needDescriptor(final TcpOptions options)
    {
        return !options.congestionControl().isEmpty() || options.busyPollUs() > 0;
    }

    /**
     * Sets the options that Java cannot set.
     *
     * @param options options.
     * @param fd      descriptor of a socket.
     * @return why the kernel refuses one, in one line, or null.
     */
    static String apply(final TcpOptions options, final int fd)
    {
        final String name = options.congestionControl();
        final int named = name.isEmpty() ? 0 : SocketCalls.setCongestionControl(fd, name);
        if (named < 0)
        {
            return congestionControlProblem(name, -named);
        }
        final int polled =
            options.busyPollUs() == 0 ? 0 : SocketCalls.setOption(fd, SocketCalls.SO_BUSY_POLL, options.busyPollUs());
        return polled < 0 ? busyPollProblem(options.busyPollUs(), -polled) : null;
    }

    /**
     * Why the kernel refuses a congestion control.
     *
     * @param name  name of the congestion control.
     * @param errno reason.
     * @return one line.
     */
    static String congestionControlProblem(final String name, final int errno)
    {
        return TcpSetting.CONGESTION_CONTROL + "='" + name + "' is " + (errno == Errno.EPERM ?
            "not permitted to this process: give one of those in " + contentOf(ALLOWED) +
            ", or add it there, or run with CAP_NET_ADMIN" :
            "not available: give one of those in " + available() + ", or load its kernel module, tcp_" + name);
    }

    /**
     * Why the kernel refuses busy polling.
     *
     * @param us    time in microseconds.
     * @param errno reason.
     * @return one line.
     */
    static String busyPollProblem(final int us, final int errno)
    {
        return TcpSetting.BUSY_POLL + "='" + us + "' is " + (errno == Errno.EPERM ?
            "not permitted to this process: run with CAP_NET_ADMIN, or set the sysctl net.core.busy_read" :
            "not possible: the kernel has no busy polling (errno " + errno + "); do not set it");
    }

    private static String bufferProblem(
        final int fd, final int option, final String setting, final int bytes, final String sysctl)
    {
        if (bytes == 0)
        {
            return null;
        }
        final int result = SocketCalls.setOption(fd, option, bytes);
        final int limit = SocketCalls.option(fd, option) / 2;
        return result < 0 || limit < bytes ? setting + "='" + bytes + "' is more than the kernel permits, " + limit +
            ": set it to at most that, or raise the sysctl " + sysctl : null;
    }

    /** The congestion control of new sockets; empty if unknown. */
    static String congestionControl()
    {
        final int fd = SocketCalls.open();
        if (fd < 0)
        {
            return "";
        }
        try
        {
            return SocketCalls.congestionControl(fd);
        }
        finally
        {
            FileCalls.close(fd);
        }
    }

    /** The file that lists the congestion controls, and its content. */
    static String available()
    {
        return contentOf(AVAILABLE);
    }

    private static String contentOf(final String file)
    {
        try (BufferedReader content = Files.newBufferedReader(Path.of(file)))
        {
            return file + " (" + content.readLine() + ")";
        }
        catch (final IOException e)
        {
            return file;
        }
    }
}
