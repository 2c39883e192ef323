/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.tutti.rdma.GidEntry;
import org.tutti.rdma.PortAttributes;
import org.tutti.rdma.select.DeviceDescription;
import org.tutti.rdma.select.GidText;
import org.tutti.rdma.select.LinkRate;
import org.tutti.rdma.select.PortCandidate;
import org.tutti.rdma.select.PortDescription;

/** Prints devices as text. */
final class DevicesText
{
    private static final List<String> HEADINGS =
        List.of("", "TRANSPORT", "DEVICE", "PORT", "STATE", "LINK", "MTU", "GBIT/S", "GID", "WHY");
    private static final String INDENT = "    ";

    private final PrintWriter out;

    DevicesText(final PrintWriter out)
    {
        this.out = out;
    }

    /** Prints a line per port, and a line per transport with the port that a run would use. */
    void table(final List<TransportView> transports)
    {
        final List<List<String>> rows = new ArrayList<>();
        rows.add(HEADINGS);
        transports.forEach(transport -> addRows(rows, transport));
        if (rows.size() > 1)
        {
            Columns.print(out, "", rows);
            out.println();
        }
        for (final TransportView transport : transports)
        {
            out.println("--transport " + transport.name() + (transport.problem() != null ?
                " is not available: " + transport.problem() :
                transport.selection().chosen() == null ?
                " cannot be used: " + transport.selection().problem() :
                " uses " + transport.selection().explanation()));
        }
    }

    /** Prints all attributes by their names in libibverbs. */
    void attributes(final List<TransportView> transports)
    {
        for (final TransportView transport : transports)
        {
            for (final DeviceDescription device : transport.devices())
            {
                out.println();
                out.println(transport.name() + "/" + device.device().name());
                if (device.problem() != null)
                {
                    out.println(INDENT + device.problem());
                    continue;
                }
                print(INDENT, Attributes.of(device));
                device.ports().forEach(this::attributes);
            }
        }
    }

    private void attributes(final PortDescription port)
    {
        out.println(INDENT + "port " + port.number());
        print(INDENT + INDENT, Attributes.of(port));
        for (final GidEntry entry : port.gids())
        {
            final String network = Attributes.networkInterface(entry);
            out.println(INDENT + INDENT + "GID[" + entry.index() + "] " + GidText.of(entry.gid()) + ", " +
                entry.type() + (network.isEmpty() ? "" : ", " + network));
        }
    }

    private static void addRows(final List<List<String>> rows, final TransportView transport)
    {
        for (final DeviceDescription device : transport.devices())
        {
            final String name = device.device().name();
            if (device.ports().isEmpty())
            {
                rows.add(List.of("", transport.name(), name, "-", "-", "-", "-", "-", "-",
                    device.problem() == null ? "no ports" : device.problem()));
            }
            for (final PortDescription port : device.ports())
            {
                transport.selection().candidates().stream().filter(candidate -> candidate.port().equals(port))
                    .forEach(candidate -> rows.add(row(transport.name(), candidate)));
            }
        }
    }

    private static List<String> row(final String transport, final PortCandidate candidate)
    {
        final PortDescription port = candidate.port();
        final PortAttributes attributes = port.attributes();
        final double gbit = LinkRate.gbit(attributes);
        final GidEntry gid = candidate.gid();
        return List.of(candidate.isChosen() ? "*" : "", transport, port.device(), Integer.toString(port.number()),
            attributes.state.toString(), attributes.linkLayer.toString(), Integer.toString(attributes.activeMtu),
            gbit == 0 ? "-" : String.format(Locale.ROOT, gbit % 1 == 0 ? "%.0f" : "%.1f", gbit),
            gid == null ? "-" : gid.index() + " " + GidText.of(gid.gid()),
            gid == null ? candidate.why() : candidate.why() + "; " + candidate.gidWhy());
    }

    private void print(final String indent, final Map<String, Object> attributes)
    {
        final int width = attributes.keySet().stream().mapToInt(String::length).max().orElse(0);
        attributes.forEach((name, value) ->
            out.println((indent + name + " ".repeat(width - name.length() + 2) + text(value)).stripTrailing()));
    }

    private static String text(final Object value)
    {
        return value instanceof final List<?> list ?
            String.join(" ", list.stream().map(Object::toString).toList()) : String.valueOf(value);
    }
}
