/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.verbs;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.Bootstraps;
import org.tutti.bootstrap.ConnectionSecret;
import org.tutti.bootstrap.ProcessSettings;
import org.tutti.bootstrap.RankFailure;
import org.tutti.rdma.RdmaProvider;
import org.tutti.rdma.select.PeerLocation;
import org.tutti.rdma.select.PortRequest;
import org.tutti.rdma.select.TransportNames;
import org.tutti.rdma.shm.ShmProvider;
import org.tutti.rdma.tcp.TcpOptions;
import org.tutti.rdma.tcp.TcpProvider;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The two ranks of a job and the connection between them. All data other than the measured messages is exchanged
 * through the bootstrap, outside the timed sections. Used by one thread.
 */
final class RankPair implements AutoCloseable
{
    private static final long TIMEOUT_NS = TimeUnit.MINUTES.toNanos(2);
    private static final int SPINS_PER_CHECK = 1 << 16;

    private final Bootstrap bootstrap;
    private final RcEndpoint endpoint;
    private int exchanges;
    private int spins;
    private long waitingSinceNs;

    /**
     * Connects to the other rank, which must do the same.
     *
     * @param bootstrap bootstrap of two ranks; closed with the pair, or if construction fails.
     * @param open      creates this rank's endpoint.
     */
    RankPair(final Bootstrap bootstrap, final Function<Bootstrap, RcEndpoint> open)
    {
        this.bootstrap = bootstrap;
        RcEndpoint own = null;
        try
        {
            if (bootstrap.size() != 2)
            {
                throw new IllegalStateException(
                    "the job has " + bootstrap.size() + " ranks, but must have 2: use -np 2");
            }
            own = open.apply(bootstrap);
            final List<byte[]> addresses = bootstrap.allgather("endpoint", own.address().encode(), TIMEOUT_NS);
            own.connect(EndpointAddress.decode(addresses.get(1 - bootstrap.rank())));
            bootstrap.barrier("connected", TIMEOUT_NS);
        }
        catch (final RuntimeException | Error e)
        {
            try (bootstrap)
            {
                bootstrap.abort("rank " + bootstrap.rank() + " cannot connect: " + e.getMessage());
                if (own != null)
                {
                    own.close();
                }
            }
            catch (final RuntimeException suppressed)
            {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
        endpoint = own;
    }

    /**
     * Joins the job that the environment variables describe, on the device that they select.
     *
     * @param depth     maximum outstanding requests.
     * @param chain     number of requests that are posted together.
     * @param length    maximum message length in bytes.
     * @param maxInline maximum length of an inline message in bytes.
     * @return the pair, owned by the caller.
     */
    static RankPair join(final int depth, final int chain, final int length, final int maxInline)
    {
        return new RankPair(
            Bootstraps.fromEnvironment(),
            bootstrap -> new RcEndpoint(port(bootstrap), depth, chain, length, maxInline));
    }

    int rank()
    {
        return bootstrap.rank();
    }

    RcEndpoint endpoint()
    {
        return endpoint;
    }

    /**
     * Exchanges a value between both ranks.
     *
     * @param value value of this rank.
     * @return both values, by rank.
     */
    double[] exchange(final double value)
    {
        final byte[] own = ByteBuffer.allocate(Double.BYTES).putDouble(value).array();
        final List<byte[]> all = bootstrap.allgather("exchange-" + exchanges++, own, TIMEOUT_NS);
        return new double[]{ ByteBuffer.wrap(all.get(0)).getDouble(), ByteBuffer.wrap(all.get(1)).getDouble() };
    }

    /**
     * Must be called repeatedly while waiting for the other rank: throws if that rank has failed or the wait takes too
     * long. There is no spin-wait hint here, because perftest has none either, and because the hint takes a microsecond
     * where it is emulated.
     */
    void waiting()
    {
        if (++spins % SPINS_PER_CHECK == 0)
        {
            check();
        }
    }

    /** Must be called when a wait is over. */
    void arrived()
    {
        waitingSinceNs = 0;
    }

    @Override
    public void close()
    {
        try (bootstrap)
        {
            bootstrap.barrier("close", TIMEOUT_NS);
        }
        finally
        {
            endpoint.close();
        }
    }

    private void check()
    {
        final RankFailure failure = bootstrap.failure();
        if (failure != null)
        {
            throw new IllegalStateException(failure.toString());
        }
        final long now = System.nanoTime();
        if (waitingSinceNs == 0)
        {
            waitingSinceNs = now;
        }
        else if (now - waitingSinceNs > TIMEOUT_NS)
        {
            throw new IllegalStateException("no message from rank " + (1 - rank()) + " for " +
                TimeUnit.NANOSECONDS.toSeconds(TIMEOUT_NS) + " s");
        }
    }

    private static MeasuredPort port(final Bootstrap bootstrap)
    {
        final String named = setting("transport", TransportNames.AUTO);
        // If the name selects two transports, the one between hosts is measured.
        final boolean isOneHost = bootstrap.localSize() == bootstrap.size();
        final String transport = !named.equals(TransportNames.AUTO) ? TransportNames.of(named).getLast() :
            PortRequest.of(ProcessSettings.read()).isTcp() ? TransportNames.TCP :
            isOneHost ? TransportNames.SHARED : TransportNames.BETWEEN_HOSTS;
        final RdmaProvider provider = switch (transport)
        {
            case TransportNames.SHARED -> ShmProvider.ofConfiguredDirectoryOr(Path.of(bootstrap.jobDirectory()));
            case TransportNames.TCP ->
                new TcpProvider(ConnectionSecret.of(bootstrap), TcpOptions.of(ProcessSettings.read()));
            default -> RdmaProvider.load(transport);
        };
        return MeasuredPort.choose(provider, bootstrap.localRank(), PeerLocation.of(isOneHost));
    }

    private static String setting(final String name, final String otherwise)
    {
        final String property = System.getProperty("tutti." + name, "").strip();
        final String variable =
            System.getenv().getOrDefault("TUTTI_" + name.toUpperCase(Locale.ROOT), "").strip();
        return !property.isEmpty() ? property : variable.isEmpty() ? otherwise : variable;
    }
}
