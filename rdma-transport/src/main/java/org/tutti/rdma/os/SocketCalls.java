/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.os;

import org.agrona.UnsafeApi;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/**
 * System calls for options of TCP sockets that Java lacks. Functions return their result, or a negative {@code errno}.
 * Thread-safe.
 */
public final class SocketCalls
{
    /** Size of the send buffer in bytes; the kernel doubles it, and reports the double. */
    public static final int SO_SNDBUF = 7;
    /** Size of the receive buffer in bytes; the kernel doubles it, and reports the double. */
    public static final int SO_RCVBUF = 8;
    /** Time for which a call on an empty socket polls the network interface, in microseconds. */
    public static final int SO_BUSY_POLL = 46;
    /** Maximum length of the name of a congestion control, in bytes. */
    public static final int MAX_CONGESTION_CONTROL = 15;

    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int SOCK_STREAM = 1;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_TYPE = 3;
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_CONGESTION = 13;
    /** Offsets in {@code struct sockaddr_in} and {@code sockaddr_in6}. */
    private static final int PORT_OFFSET = 2;
    private static final int ADDRESS_OFFSET = 4;
    private static final int ADDRESS6_OFFSET = 8;
    private static final int ADDRESS_LENGTH = 4;
    private static final int ADDRESS6_LENGTH = 16;
    private static final int SOCKADDR_SIZE = 28;
    /** Offset in the scratch bytes of a length that follows the value it describes. */
    private static final int LENGTH_OFFSET = 32;
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    private static final NativeFunction SOCKET = NativeFunction.intOfLibc("socket");
    private static final NativeFunction SETSOCKOPT = NativeFunction.intOfLibc("setsockopt");
    private static final NativeFunction GETSOCKOPT = NativeFunction.intOfLibc("getsockopt");
    private static final NativeFunction GETSOCKNAME = NativeFunction.intOfLibc("getsockname");

    private SocketCalls()
    {
    }

    /**
     * Creates a TCP socket.
     *
     * @return a descriptor for {@link FileCalls#close}, or a negative errno.
     */
    public static int open()
    {
        final long fd = SOCKET.call(AF_INET, SOCK_STREAM | SOCK_CLOEXEC);
        return (int)NativeFunction.orErrno(fd >= 0 ? fd : SOCKET.call(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC));
    }

    /**
     * Finds the descriptor of a bound TCP socket of this process. Java's channels do not expose it.
     *
     * @param address the socket's own address and port: those of no other socket of the process.
     * @return the descriptor, valid until the socket is closed; negative if there is none.
     * @throws IOException if {@code /proc/self/fd} cannot be read.
     */
    public static int descriptorOf(final InetSocketAddress address) throws IOException
    {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(DESCRIPTORS))
        {
            for (final Path path : descriptors)
            {
                final int fd = Integer.parseInt(path.getFileName().toString());
                if (isBound(fd, address))
                {
                    return fd;
                }
            }
        }
        return -1;
    }

    private static boolean isBound(final int fd, final InetSocketAddress address) throws IOException
    {
        final long name = Scratch.address();
        UnsafeApi.putInt(name + LENGTH_OFFSET, SOCKADDR_SIZE);
        if (GETSOCKNAME.call(fd, name, name + LENGTH_OFFSET) < 0)
        {
            return false;
        }
        final int family = UnsafeApi.getShort(name);
        final int port = (UnsafeApi.getByte(name + PORT_OFFSET) & 0xFF) << Byte.SIZE |
            (UnsafeApi.getByte(name + PORT_OFFSET + 1) & 0xFF);
        if (port != address.getPort() || (family != AF_INET && family != AF_INET6))
        {
            return false;
        }
        final boolean isFour = family == AF_INET;
        // Java converts a mapped IPv4 address, which a socket of both families has.
        final InetAddress own = InetAddress.getByAddress(bytes(
            name + (isFour ? ADDRESS_OFFSET : ADDRESS6_OFFSET), isFour ? ADDRESS_LENGTH : ADDRESS6_LENGTH));
        return own.equals(address.getAddress()) && option(fd, SO_TYPE) == SOCK_STREAM;
    }

    /**
     * Sets an option of a socket.
     *
     * @param fd    descriptor of the socket.
     * @param name  one of the {@code SO_} constants.
     * @param value value.
     * @return 0, or a negative errno.
     */
    public static int setOption(final int fd, final int name, final int value)
    {
        final long address = Scratch.address();
        UnsafeApi.putInt(address, value);
        return (int)NativeFunction.orErrno(SETSOCKOPT.call(fd, SOL_SOCKET, name, address, Integer.BYTES));
    }

    /**
     * Reads an option of a socket.
     *
     * @param fd   descriptor of the socket.
     * @param name one of the {@code SO_} constants.
     * @return the value, or a negative errno.
     */
    public static int option(final int fd, final int name)
    {
        final long address = Scratch.address();
        UnsafeApi.putInt(address + LENGTH_OFFSET, Integer.BYTES);
        return GETSOCKOPT.call(fd, SOL_SOCKET, name, address, address + LENGTH_OFFSET) < 0 ?
            -NativeFunction.errno() : UnsafeApi.getInt(address);
    }

    /**
     * Sets the congestion control of a TCP socket, and of those that it accepts.
     *
     * @param fd   descriptor of the socket.
     * @param name name of at most {@value #MAX_CONGESTION_CONTROL} ASCII letters, digits and signs.
     * @return 0, or a negative errno.
     */
    public static int setCongestionControl(final int fd, final String name)
    {
        final byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
        final long address = Scratch.address();
        for (int i = 0; i < bytes.length; i++)
        {
            UnsafeApi.putByte(address + i, bytes[i]);
        }
        return (int)NativeFunction.orErrno(SETSOCKOPT.call(fd, IPPROTO_TCP, TCP_CONGESTION, address, bytes.length));
    }

    /**
     * Reads the congestion control of a TCP socket.
     *
     * @param fd descriptor of the socket.
     * @return its name; empty if it cannot be read.
     */
    public static String congestionControl(final int fd)
    {
        final long address = Scratch.address();
        UnsafeApi.putInt(address + LENGTH_OFFSET, MAX_CONGESTION_CONTROL + 1);
        if (GETSOCKOPT.call(fd, IPPROTO_TCP, TCP_CONGESTION, address, address + LENGTH_OFFSET) < 0)
        {
            return "";
        }
        // The kernel pads the name by zeros.
        final String padded = new String(
            bytes(address, UnsafeApi.getInt(address + LENGTH_OFFSET)), StandardCharsets.US_ASCII);
        return padded.replace("\0", "");
    }

    private static byte[] bytes(final long address, final int length)
    {
        return MemorySegment.ofAddress(address).reinterpret(length).toArray(JAVA_BYTE);
    }
}
