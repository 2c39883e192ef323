/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import org.tutti.launcher.host.Binding;
import org.tutti.launcher.host.RankPlacement;
import org.tutti.launcher.host.SpawnPrefix;
import org.tutti.launcher.io.UsageException;

/** The options of {@code tutti run} that bind ranks to CPUs. */
final class BindOptions
{
    private static final String BIND = "--bind";
    private static final String REPORT = "--report-bindings";

    private BindOptions()
    {
    }

    static void addTo(final OptionBuilder options)
    {
        options
            .textOr("none", "core|socket|numa|none", "Binds each rank to the CPUs of a core, socket or NUMA node, of " +
                "those that are allowed on its host, or leaves it unbound (default: none).", BIND, "--bind-to")
            .flag("Prints the host, CPUs, cores, sockets and NUMA nodes of each rank.", REPORT);
    }

    /**
     * Reads the values of these options.
     *
     * @param options   the options of the command.
     * @param placement the hosts of the ranks.
     * @return how ranks are bound.
     * @throws UsageException if the value is invalid, or this host cannot bind its ranks.
     */
    static Binding read(final OptionBuilder options, final RankPlacement placement)
    {
        final String text = options.valueOf(BIND);
        final Binding.Unit unit = switch (text)
        {
            case "none" -> Binding.Unit.NONE;
            case "core" -> Binding.Unit.CORE;
            case "socket" -> Binding.Unit.SOCKET;
            case "numa" -> Binding.Unit.NUMA;
            default -> throw new UsageException(
                "invalid " + BIND + " '" + text + "': give core, socket, numa or none");
        };
        if (unit != Binding.Unit.NONE && placement.isLocalUsed())
        {
            SpawnPrefix.requireBinding();
        }
        return new Binding(unit, options.has(REPORT));
    }
}
