/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.tutti.rdma.Device;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.RdmaProvider;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;

/**
 * Software iWARP over TCP sockets. Its devices are the network interfaces, in the order of their preference for
 * connections to other hosts, loopback last; those that are down or have no address cannot be opened. Only reliable
 * connections are supported, between contexts that know the same secret: that of the constructor, else that of the
 * system property {@value #SECRET_PROP_NAME}, else a random one of this process. Data is neither encrypted nor
 * authenticated after that. Thread-safe.
 */
public final class TcpProvider implements RdmaProvider
{
    /** The system property with the secret, in hexadecimal digits. */
    public static final String SECRET_PROP_NAME = "tutti.tcp.secret";
    /** The system property that switches off the CRC of frames by {@code false}. */
    public static final String CRC_PROP_NAME = "tutti.tcp.crc";

    private static final int SECRET_LENGTH = 32;
    private static final byte[] OWN_SECRET = randomSecret();

    private final byte[] secret;
    private final boolean isCrcUsed = !"false".equals(System.getProperty(CRC_PROP_NAME));

    /** Creates a provider with the secret of the property, else with that of this process. */
    public TcpProvider()
    {
        this(configuredSecret());
    }

    /**
     * Creates a provider with a secret.
     *
     * @param secret the secret, at least 16 bytes, which all peers know.
     */
    public TcpProvider(final byte[] secret)
    {
        if (secret.length < 16)
        {
            throw new IllegalArgumentException("the secret has " + secret.length + " bytes; give at least 16");
        }
        this.secret = secret.clone();
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

    @Override
    public List<Device> devices()
    {
        try
        {
            return NetworkInterfaces.list().stream()
                .<Device>map(each -> new TcpDevice(each, each.address(), secret, isCrcUsed)).toList();
        }
        catch (final IOException e)
        {
            throw new RdmaException(Errno.EIO, "ibv_get_device_list", "cannot list network interfaces: " + e);
        }
    }
}
