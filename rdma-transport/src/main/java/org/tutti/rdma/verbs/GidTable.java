/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.tutti.rdma.Context;
import org.tutti.rdma.Gid;
import org.tutti.rdma.GidEntry;
import org.tutti.rdma.GidType;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the GID tables of a device's ports. Stateless. */
final class GidTable
{
    private GidTable()
    {
    }

    /**
     * Reads the entries that are not empty.
     *
     * @param context    context of the device.
     * @param handle     address of the {@code struct ibv_context}.
     * @param deviceName device name for sysfs.
     * @param ports      number of ports of the device.
     * @return entries of all ports, in the order of the tables.
     */
    static List<GidEntry> read(final Context context, final long handle, final String deviceName, final int ports)
    {
        int length = 0;
        for (int port = 1; port <= ports; port++)
        {
            length += context.queryPort(port).gidTableLength;
        }
        if (Libibverbs.QUERY_GID_TABLE.isPresent())
        {
            return readAtOnce(handle, length);
        }
        return readOneByOne(context, deviceName, ports);
    }

    private static List<GidEntry> readAtOnce(final long context, final int length)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final long entries =
                arena.allocate(Math.max(1L, length) * Layout.GID_ENTRY_SIZE, Long.BYTES).address();
            final long count =
                Libibverbs.QUERY_GID_TABLE.call(context, entries, length, 0, Layout.GID_ENTRY_SIZE);
            if (count < 0)
            {
                throw VerbsErrors.of((int)-count, "ibv_query_gid_table", "cannot read the GIDs of the device");
            }
            final List<GidEntry> table = new ArrayList<>();
            for (int i = 0; i < count; i++)
            {
                table.add(Structs.gidEntry(entries + (long)i * Layout.GID_ENTRY_SIZE));
            }
            return table;
        }
    }

    /** Reads types and interfaces from sysfs, the only source before rdma-core 32. */
    private static List<GidEntry> readOneByOne(final Context context, final String deviceName, final int ports)
    {
        final List<GidEntry> table = new ArrayList<>();
        for (int port = 1; port <= ports; port++)
        {
            final Path directory = Path.of("/sys/class/infiniband", deviceName, "ports", String.valueOf(port));
            final int length = context.queryPort(port).gidTableLength;
            for (int i = 0; i < length; i++)
            {
                final Gid gid = context.queryGid(port, i);
                if (!gid.equals(Gid.ZERO))
                {
                    final String type = text(directory.resolve("gid_attrs/types/" + i));
                    final String network = text(directory.resolve("gid_attrs/ndevs/" + i));
                    final String index = text(Path.of("/sys/class/net", network, "ifindex"));
                    table.add(new GidEntry(gid, i, port, type(type), index.isEmpty() ? 0 : Integer.parseInt(index)));
                }
            }
        }
        return table;
    }

    private static GidType type(final String text)
    {
        return switch (text)
        {
            case "IB/RoCE v1" -> GidType.ROCE_V1;
            case "RoCE v2" -> GidType.ROCE_V2;
            case "IB" -> GidType.INFINIBAND;
            default -> GidType.UNKNOWN;
        };
    }

    private static String text(final Path file)
    {
        try
        {
            return Files.readString(file).strip();
        }
        catch (final IOException ex)
        {
            return "";
        }
    }
}
