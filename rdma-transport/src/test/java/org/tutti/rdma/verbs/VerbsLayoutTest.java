/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tutti.rdma.contract.Headers;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Tests that the constants of {@link Layout} match the header. Their names consist of the structure, then the field or
 * SIZE.
 */
class VerbsLayoutTest
{
    /** Longer names before their prefixes. */
    private static final List<String> STRUCTURES = List.of("DEVICE_ATTR_EX", "DEVICE_ATTR", "DEVICE", "CONTEXT",
        "PORT_ATTR", "GID_ENTRY", "MR", "COMP_CHANNEL", "CQ", "QP_CAP", "QP_INIT_ATTR", "QP_ATTR", "QP", "AH_ATTR",
        "SRQ_INIT_ATTR", "SRQ_ATTR", "ASYNC_EVENT");

    /** Constants that are not fields of their structure. */
    private static final Map<String, String> OTHERS = Map.ofEntries(
        Map.entry("NAME_LENGTH", "IBV_SYSFS_NAME_MAX"),
        Map.entry("CONTEXT_POLL_CQ", "offsetof(struct ibv_context, ops.poll_cq)"),
        Map.entry("CONTEXT_REQ_NOTIFY_CQ", "offsetof(struct ibv_context, ops.req_notify_cq)"),
        Map.entry("CONTEXT_POST_SRQ_RECV", "offsetof(struct ibv_context, ops.post_srq_recv)"),
        Map.entry("CONTEXT_POST_SEND", "offsetof(struct ibv_context, ops.post_send)"),
        Map.entry("CONTEXT_POST_RECV", "offsetof(struct ibv_context, ops.post_recv)"),
        Map.entry("CONTEXT_IS_EXTENDED", "__VERBS_ABI_IS_EXTENDED"),
        Map.entry("BEFORE_CONTEXT_SIZE",
            "offsetof(struct verbs_context, context) - offsetof(struct verbs_context, sz)"),
        Map.entry("BEFORE_CONTEXT_QUERY_DEVICE_EX",
            "offsetof(struct verbs_context, context) - offsetof(struct verbs_context, query_device_ex)"),
        Map.entry("DEVICE_ATTR_EX_ODP_GENERAL_CAPS", "offsetof(struct ibv_device_attr_ex, odp_caps.general_caps)"),
        Map.entry("ODP_SUPPORT", "IBV_ODP_SUPPORT"),
        Map.entry("AH_ATTR_DGID", "offsetof(struct ibv_ah_attr, grh.dgid)"),
        Map.entry("AH_ATTR_FLOW_LABEL", "offsetof(struct ibv_ah_attr, grh.flow_label)"),
        Map.entry("AH_ATTR_SGID_INDEX", "offsetof(struct ibv_ah_attr, grh.sgid_index)"),
        Map.entry("AH_ATTR_HOP_LIMIT", "offsetof(struct ibv_ah_attr, grh.hop_limit)"),
        Map.entry("AH_ATTR_TRAFFIC_CLASS", "offsetof(struct ibv_ah_attr, grh.traffic_class)"),
        Map.entry("SRQ_MAX_WR", "IBV_SRQ_MAX_WR"),
        Map.entry("SRQ_LIMIT", "IBV_SRQ_LIMIT"));

    @Test
    void shouldMatchTheInstalledHeaders(@TempDir final Path directory) throws Exception
    {
        final Map<String, Long> expected = new LinkedHashMap<>();
        for (final Field field : Layout.class.getDeclaredFields())
        {
            if (!Modifier.isPrivate(field.getModifiers()))
            {
                expected.put(expression(field.getName()), ((Number)field.get(null)).longValue());
            }
        }

        final Map<String, Long> actual = Headers.evaluate(directory, expected.keySet());

        assertEquals(expected, actual);
    }

    @Test
    void shouldMatchTheMtusOfTheHeader(@TempDir final Path directory) throws Exception
    {
        final Map<String, Long> expected = new LinkedHashMap<>();
        for (int bytes = 256; bytes <= 4096; bytes *= 2)
        {
            expected.put("IBV_MTU_" + bytes, (long)Layout.mtu(bytes));
            assertEquals(bytes, Layout.mtuBytes(Layout.mtu(bytes)));
        }
        for (final int bytes : new int[]{Integer.MIN_VALUE, -1, 0, 1, 128, 1000, 8192})
        {
            assertEquals(0, Layout.mtu(bytes));
        }

        assertEquals(expected, Headers.evaluate(directory, expected.keySet()));
    }

    private static String expression(final String name)
    {
        final String other = OTHERS.get(name);
        if (other != null)
        {
            return other;
        }
        for (final String structure : STRUCTURES)
        {
            if (name.startsWith(structure + "_"))
            {
                final String type = "struct ibv_" + structure.toLowerCase(Locale.ROOT);
                final String field = name.substring(structure.length() + 1).toLowerCase(Locale.ROOT);
                return "size".equals(field) ? "sizeof(" + type + ")" : "offsetof(" + type + ", " + field + ")";
            }
        }
        throw new AssertionError("no C expression for Layout." + name);
    }
}
