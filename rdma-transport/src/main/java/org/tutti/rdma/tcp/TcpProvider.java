/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.tutti.rdma.Device;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.RdmaProvider;
import org.tutti.rdma.select.InterfaceKind;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * Software iWARP over TCP sockets. Its devices are the network interfaces, in the order of their preference for
 * connections to other hosts, loopback last; those that are down or have no address cannot be opened. Only reliable
 * connections are supported, between contexts that know the same secret: that of the constructor, else that of the
 * system property {@value #SECRET_PROP_NAME}, else a random one of this process. Data is neither encrypted nor
 * authenticated after that. {@link #acceptingStandardPeers} also connects other implementations of iWARP. Thread-safe.
 */
public final class TcpProvider implements RdmaProvider
{
    /** The system property with the secret, in hexadecimal digits. */
    public static final String SECRET_PROP_NAME = "tutti.tcp.secret";

    private static final int SECRET_LENGTH = 32;
    private static final int MAX_PORT = 65_535;
    private static final byte[] OWN_SECRET = randomSecret();

    private final byte[] secret;
    private final Supplier<TcpOptions> options;
    private final OptionalInt standardPort;

    /**
     * Creates a provider with the secret and the options of the system properties, else with the secret of this
     * process. Environment variables have no effect: see {@link #configured}.
     */
    public TcpProvider()
    {
        this(configuredSecret(), TcpOptions::ofProperties, OptionalInt.empty());
    }

    /**
     * Creates a provider with a secret, and options.
     *
     * @param secret  the secret, at least 16 bytes, which all peers know.
     * @param options options of all connections.
     */
    public TcpProvider(final byte[] secret, final TcpOptions options)
    {
        this(secret, () -> options, OptionalInt.empty());
    }

    private TcpProvider(
        final byte[] secret, final Supplier<TcpOptions> options, final OptionalInt standardPort)
    {
        if (secret.length < 16)
        {
            throw new IllegalArgumentException("the secret has " + secret.length + " bytes; give at least 16");
        }
        this.secret = secret.clone();
        this.options = options;
        this.standardPort = standardPort;
    }

    /**
     * Creates a provider with the same secret and options whose queue pairs may also be connected with standard peers:
     * programs that use another implementation of iWARP, such as Linux' siw, without a proof that they know the secret.
     * Any peer that can connect reaches the memory that the queue pair's protection domain and access flags permit.
     * <p>
     * A queue pair moves to RTR with {@code destQpNum} 0 for such a peer. It connects to the address and TCP port that
     * {@code dgid} and {@code dlid} contain; if {@code dlid} is 0, it accepts the next peer that connects, from the
     * address {@code dgid} or, if that is {@link org.tutti.rdma.Gid#ZERO}, from any. The handshake begins at RTS. Only
     * SEND, RDMA_WRITE and RDMA_READ can be posted; sends and writes complete when the socket has taken them. The side
     * that accepts sends nothing before the first message of its peer. When the peer closes the connection, the queue
     * pair moves to ERR.
     *
     * @param port TCP port at which each context listens, from 1 to 65,535; 0 for a free one, which is the port's LID.
     * @return a new provider.
     */
    public TcpProvider acceptingStandardPeers(final int port)
    {
        if (port < 0 || port > MAX_PORT)
        {
            throw new IllegalArgumentException(
                "port is " + port + ": must be from 1 to " + MAX_PORT + ", or 0 for any free one");
        }
        return new TcpProvider(secret, options, OptionalInt.of(port));
    }

    /**
     * Creates a random secret.
     *
     * @return a new array of 32 bytes.
     */
    public static byte[] randomSecret()
    {
        final byte[] random = new byte[SECRET_LENGTH];
        new SecureRandom().nextBytes(random);
        return random;
    }

    private static byte[] configuredSecret()
    {
        final String text = System.getProperty(SECRET_PROP_NAME);
        return text == null || text.isEmpty() ? OWN_SECRET : HexFormat.of().parseHex(text);
    }

    @Override
    public String name()
    {
        return "tcp";
    }

    /** Returns a provider with the same secret and the {@link TcpOptions} of these settings. */
    @Override
    public TcpProvider configured(final Map<String, String> settings)
    {
        final TcpOptions configured = TcpOptions.of(settings);
        return new TcpProvider(secret, () -> configured, standardPort);
    }

    @Override
    public List<Device> devices()
    {
        final TcpOptions checked = checkedOptions();
        final TcpOptions onLoopback = checked.onLoopback();
        try
        {
            return NetworkInterfaces.list().stream().<Device>map(each -> new TcpDevice(each, each.address(), secret,
                each.kind() == InterfaceKind.LOOPBACK ? onLoopback : checked, standardPort)).toList();
        }
        catch (final IOException e)
        {
            throw new RdmaException(Errno.EIO, "ibv_get_device_list", "cannot list network interfaces: " + e);
        }
    }

    private TcpOptions checkedOptions()
    {
        try
        {
            final TcpOptions checked = options.get();
            checked.requirePermitted();
            return checked;
        }
        catch (final IllegalArgumentException e)
        {
            throw new RdmaException(Errno.EINVAL, "ibv_get_device_list", e.getMessage());
        }
    }
}
