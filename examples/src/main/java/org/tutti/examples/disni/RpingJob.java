/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.disni;

import org.tutti.examples.Patience;
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
 * Plays with {@code rping} of librdmacm, in either role:
 * <pre>
 *   rping -s -a 10.0.0.1 -C 3                 tutti rping --listen 10.0.0.1
 *   tutti rping --connect 10.0.0.1 --count 3  rping -c -a 10.0.0.1 -C 3 -V
 * </pre>
 */
@Command(name = "rping", mixinStandardHelpOptions = true,
    description = "Plays with rping of librdmacm, by DiSNI and rdma_cm.")
public final class RpingJob implements JobCommand
{
    private static final String PEER = "org.tutti.examples.disni.cm.Rping";
    /** That of rping: the message that is written may not be much shorter. */
    private static final int MIN_SIZE = 16;
    private static final int MAX_SIZE = 1 << 20;
    private static final int MAX_PORT = 0xFFFF;

    @Spec
    private CommandSpec spec;

    @Option(names = "--listen", paramLabel = "ADDRESS", description = "Serves at an IPv4 address of an RDMA device.")
    private String listen;

    @Option(names = "--connect", paramLabel = "ADDRESS", description = "Calls the server at that IPv4 address.")
    private String connect;

    @Option(names = "--port", paramLabel = "N", defaultValue = "7174",
        description = "Of the server (default: ${DEFAULT-VALUE}, that of rping).")
    private int port;

    @Option(names = "--count", paramLabel = "N", defaultValue = "10",
        description = "Pings that a client makes (default: ${DEFAULT-VALUE}).")
    private int count;

    @Option(names = "--size", paramLabel = "BYTES", defaultValue = "100",
        description = "Of a client's ping (default: ${DEFAULT-VALUE}); of a server's, the longest.")
    private int size;

    @Mixin
    private Patience patience;

    /** For the launcher. */
    public RpingJob()
    {
    }

    @Override
    public void check(final int ranks)
    {
        require(ranks == 1, "-np " + ranks, "rping is one process: give -np 1, or leave it out");
        require((listen == null) != (connect == null), "--listen, --connect", "give one of both");
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
            throw new RpingException(e.getMessage() + ": does the address belong to an RDMA device, and does the " +
                "other side run? tutti devices shows what there is here", e);
        }
        out.flush();
        return 0;
    }
}
