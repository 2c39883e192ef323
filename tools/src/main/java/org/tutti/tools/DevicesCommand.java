/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.tutti.collectives.JoinOptions;
import org.tutti.launcher.ToolCommand;
import org.tutti.rdma.select.PortRequest;
import org.tutti.rdma.select.TransportNames;
import org.tutti.rdma.tcp.TcpOptions;
import org.tutti.tools.report.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tutti devices}: prints the devices of all transports, and which port a run would use and why. */
@Command(
    name = "devices",
    mixinStandardHelpOptions = true,
    description = "Shows the RDMA devices and network interfaces of this host, and which port a run would use and why.",
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
        "  tutti devices                       one line per port and transport",
        "  tutti devices -v --transport verbs  all attributes of the devices",
        "  TUTTI_GID_INDEX=3 tutti devices     the effect of a setting",
        "  TUTTI_DEVICE=tcp:10.1.0.0/16 tutti devices",
        "                                      the network interface in this network",
        "",
        "docs/devices.md describes the format of --json."})
public final class DevicesCommand implements ToolCommand
{
    @Option(names = "--transport", paramLabel = "NAME",
        description = "Shows only these transports, such as verbs, shm+verbs or auto.")
    private String transport;

    @Option(names = "--json", description = "Prints JSON with all attributes.")
    private boolean isJson;

    @Option(names = {"-v", "--verbose"}, description = "Shows all attributes, by libibverbs' names, and all GIDs.")
    private boolean isVerbose;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call()
    {
        final Map<String, String> settings = JoinOptions.ofEnvironment().settings();
        final PortRequest request = read(PortRequest::of, settings);
        final List<TransportView> transports = transports(request, read(TcpOptions::of, settings));
        final PrintWriter out = spec.commandLine().getOut();
        if (isJson)
        {
            out.print(Json.write(DevicesJson.of(transports)));
        }
        else
        {
            final DevicesText text = new DevicesText(out);
            text.table(transports);
            if (transport == null)
            {
                out.println("without --transport, runs use " + (request.isTcp() ? "tcp on one host, and shm+tcp" :
                    "shm on one host, and shm+verbs or else shm+tcp") + " on several");
            }
            if (isVerbose)
            {
                text.attributes(transports);
            }
        }
        out.flush();
        return 0;
    }

    private <T> T read(final Function<Map<String, String>, T> reader, final Map<String, String> settings)
    {
        try
        {
            return reader.apply(settings);
        }
        catch (final IllegalArgumentException e)
        {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private List<TransportView> transports(final PortRequest request, final TcpOptions tcp)
    {
        final List<TransportView> all = TransportView.all(request, tcp);
        if (transport == null)
        {
            return all;
        }
        final List<String> names = TransportNames.of(transport);
        final List<TransportView> named = all.stream().filter(view -> names.contains(view.name())).toList();
        if (named.size() < names.size())
        {
            throw new ParameterException(spec.commandLine(), "--transport '" + transport +
                "': unknown transport: must be one of " + all.stream().map(TransportView::name).toList());
        }
        return named;
    }
}
