/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.util.List;
import java.util.Map;

import org.tutti.rdma.GidEntry;
import org.tutti.rdma.select.DeviceDescription;
import org.tutti.rdma.select.GidText;
import org.tutti.rdma.select.PortCandidate;
import org.tutti.rdma.select.PortSelection;
import org.tutti.tools.report.Json;

/**
 * Devices as JSON, described in docs/devices.md. Versions are compatible: fields are added, never changed or removed.
 */
final class DevicesJson
{
    private static final int VERSION = 1;

    private DevicesJson()
    {
    }

    static Map<String, Object> of(final List<TransportView> transports)
    {
        return Json.object("version", VERSION, "transports", transports.stream().map(DevicesJson::transport).toList());
    }

    private static Map<String, Object> transport(final TransportView transport)
    {
        final PortSelection selection = transport.selection();
        final PortCandidate chosen = selection == null ? null : selection.chosen();
        return Json.object(
            "name", transport.name(),
            "problem", transport.problem() != null ? transport.problem() : selection.problem(),
            "chosen", chosen == null ? null : Json.object(
                "device", chosen.port().device(),
                "port", chosen.port().number(),
                "gid_index", chosen.gid().index(),
                "why", selection.explanation()),
            "devices", transport.devices().stream().map(device -> device(device, selection)).toList());
    }

    private static Map<String, Object> device(final DeviceDescription device, final PortSelection selection)
    {
        return Json.object(
            "name", device.device().name(),
            "problem", device.problem(),
            "attributes", device.problem() == null ? Attributes.of(device) : Map.of(),
            "ports", selection.candidates().stream()
                .filter(candidate -> device.ports().stream().anyMatch(candidate.port()::equals))
                .map(DevicesJson::port).toList());
    }

    private static Map<String, Object> port(final PortCandidate candidate)
    {
        return Json.object(
            "port", candidate.port().number(),
            "usable", candidate.isUsable(),
            "chosen", candidate.isChosen(),
            "why", candidate.why(),
            "gid_index", candidate.gid() == null ? null : candidate.gid().index(),
            "gid_why", candidate.gidWhy(),
            "attributes", Attributes.of(candidate.port()),
            "gids", candidate.port().gids().stream().map(DevicesJson::gid).toList());
    }

    private static Map<String, Object> gid(final GidEntry entry)
    {
        final String network = Attributes.networkInterface(entry);
        return Json.object(
            "index", entry.index(),
            "gid", GidText.of(entry.gid()),
            "type", entry.type().toString(),
            "interface", network.isEmpty() ? null : network);
    }
}
