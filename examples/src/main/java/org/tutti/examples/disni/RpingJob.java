/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.disni;

import org.tutti.examples.TimeoutOption;
import org.tutti.launcher.JobCommand;
import org.tutti.launcher.OptionRules;
import org.tutti.rdma.disni.DisniProvider;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.util.Map;
import java.util.function.Function;

/**
 * Interoperates with {@code rping} of librdmacm, in either role:
 * <pre>
 *   rping -s -a 10.0.0.1 -C 3                 tutti rping --listen 10.0.0.1
 *   tutti rping --connect 10.0.0.1 --count 3  rping -c -a 10.0.0.1 -C 3 -V
 * </pre>
 */
@Command(name = "rping", mixinStandardHelpOptions = true,
    description = "Exchanges pings with rping of librdmacm, by DiSNI and rdma_cm.")
public final class RpingJob implements JobCommand
{
    private static final String PEER = "org.tutti.examples.disni.cm.Rping";
    /**
     * Room for the text of pings up to number 999 and a final zero. The minimum size of rping itself is a little
     * greater.
     */
    private static final int MIN_SIZE = 16;
    private static final int MAX_SIZE = 1 << 20;
    private static final int MAX_PORT = 0xFFFF;

    @Spec
    private CommandSpec spec;

    @Option(names = "--listen", paramLabel = "ADDRESS", description = "IPv4 address to listen on, as server.")
    private String listen;

    @Option(names = "--connect", paramLabel = "ADDRESS", description = "IPv4 address of the server, as client.")
    private String connect;

    @Option(names = "--port", paramLabel = "N", defaultValue = "7174",
        description = "Port of the server (default: ${DEFAULT-VALUE}, as rping).")
    private int port;

    @Option(names = "--count", paramLabel = "N", defaultValue = "10",
        description = "Number of pings of a client (default: ${DEFAULT-VALUE}).")
    private int count;

    @Option(names = "--size", paramLabel = "BYTES", defaultValue = "100",
        description = "Size of a client's pings (default: ${DEFAULT-VALUE}); maximum size for a server.")
    private int size;

    @Mixin
    private TimeoutOption patience;

    /** Required by {@link java.util.ServiceLoader}. */
    public RpingJob()
    {
    }

    @Override
    public void check(final int ranks)
    {
        require(ranks == 1, "-np " + ranks, "rping runs in one process: give -np 1 or omit -np");
        require((listen == null) != (connect == null), "--listen, --connect", "give exactly one of them");
        require(port > 0 && port <= MAX_PORT, "--port=" + port, "must be from 1 to " + MAX_PORT);
        require(count > 0, "--count=" + count, "must be at least 1");
        require(size >= MIN_SIZE && size <= MAX_SIZE, "--size=" + size, "must be from " + MIN_SIZE + " to " + MAX_SIZE);
        patience.check(spec);
    }

    private void require(final boolean isGood, final String option, final String what)
    {
        OptionRules.require(spec, isGood, option, what);
    }

    @Override
    @SuppressWarnings("unchecked")
    public Integer call()
    {
        check(1);
        final Function<Map<String, String>, String> peer = DisniProvider.newInstance(PEER, Function.class);
        final PrintWriter out = spec.commandLine().getOut();
        try
        {
            out.println(peer.apply(Map.of(
                "role", listen == null ? "client" : "server",
                "address", listen == null ? connect : listen,
                "port", Integer.toString(port),
                "count", Integer.toString(count),
                "size", Integer.toString(size),
                "timeout", Integer.toString(patience.seconds()))));
        }
        catch (final IllegalStateException e)
        {
            throw new RpingException(e.getMessage() + ": check that the address belongs to an RDMA device (tutti " +
                "devices lists them) and that the other side is running", e);
        }
        out.flush();
        return 0;
    }
}
