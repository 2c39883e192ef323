/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.verbs;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.Bootstraps;
import org.tutti.bootstrap.RankFailure;
import org.tutti.rdma.RdmaProvider;
import org.tutti.rdma.select.TransportNames;
import org.tutti.rdma.shm.ShmProvider;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The two ranks of a job, and the connection between them. What they tell each other beside it goes by the bootstrap,
 * while nothing is timed. Used by one thread.
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
     * Connects to the other rank, which does the same.
     *
     * @param bootstrap bootstrap of two ranks; closed with the pair, or when it cannot be made.
     * @param open      makes this rank's end.
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
                    "the job has " + bootstrap.size() + " ranks, and a connection has two ends: use -np 2");
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
     * Joins the job that the environment tells of, with the device that it names.
     *
     * @param depth     requests that may be outstanding.
     * @param chain     requests that are posted together.
     * @param length    bytes of the longest message.
     * @param maxInline bytes of the longest message that goes inline.
     * @return owned by the caller.
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
     * Tells both ranks what each of them says.
     *
     * @param value value of this rank.
     * @return both, by rank.
     */
    double[] exchange(final double value)
    {
        final byte[] own = ByteBuffer.allocate(Double.BYTES).putDouble(value).array();
        final List<byte[]> all = bootstrap.allgather("exchange-" + exchanges++, own, TIMEOUT_NS);
        return new double[]{ ByteBuffer.wrap(all.get(0)).getDouble(), ByteBuffer.wrap(all.get(1)).getDouble() };
    }

    /**
     * To be called again and again while waiting for the other rank, so that the wait ends when that does. It does not
     * pause the processor: perftest does not either, and where that is emulated it takes a microsecond.
     */
    void waiting()
    {
        if (++spins % SPINS_PER_CHECK == 0)
        {
            check();
        }
    }

    /** To be called when a wait is over. */
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
            throw new IllegalStateException("nothing came from rank " + (1 - rank()) + " for " +
                TimeUnit.NANOSECONDS.toSeconds(TIMEOUT_NS) + " s");
        }
    }

    private static MeasuredPort port(final Bootstrap bootstrap)
    {
        final String named = setting("transport", TransportNames.AUTO);
        // Of two, that between hosts; it is the device that is measured.
        final String transport = named.equals(TransportNames.AUTO) && bootstrap.localSize() == bootstrap.size() ?
            TransportNames.SHARED : TransportNames.of(named).getLast();
        return MeasuredPort.choose(transport.equals(TransportNames.SHARED) ?
            ShmProvider.ofConfiguredDirectoryOr(Path.of(bootstrap.jobDirectory())) : RdmaProvider.load(transport),
            bootstrap.localRank());
    }

    private static String setting(final String name, final String otherwise)
    {
        final String property = System.getProperty("tutti." + name, "").strip();
        final String variable =
            System.getenv().getOrDefault("TUTTI_" + name.toUpperCase(Locale.ROOT), "").strip();
        return !property.isEmpty() ? property : variable.isEmpty() ? otherwise : variable;
    }
}
