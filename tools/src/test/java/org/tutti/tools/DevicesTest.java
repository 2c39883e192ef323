/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.tutti.rdma.AtomicCapability;
import org.tutti.rdma.Context;
import org.tutti.rdma.Device;
import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.GidEntry;
import org.tutti.rdma.GidType;
import org.tutti.rdma.LinkLayer;
import org.tutti.rdma.NodeType;
import org.tutti.rdma.PortAttributes;
import org.tutti.rdma.PortState;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.RdmaProvider;
import org.tutti.rdma.TransportType;
import org.tutti.rdma.select.DeviceDescription;
import org.tutti.rdma.select.PortDescription;
import org.tutti.rdma.select.PortRequest;
import org.tutti.tools.report.Json;
import picocli.CommandLine;

class DevicesTest
{
    private record Adapter(String name) implements Device
    {
        @Override
        public NodeType nodeType()
        {
            return NodeType.CA;
        }

        @Override
        public TransportType transportType()
        {
            return TransportType.INFINIBAND;
        }

        @Override
        public long guid()
        {
            return 0x0002c90300a1b2c3L;
        }

        @Override
        public Context open()
        {
            throw new RdmaException(Errno.EACCES, "ibv_open_device", "denied");
        }
    }

    /** A provider that fails to load, or whose devices cannot be opened. */
    private record Provider(String name, List<Device> list, RuntimeException failure) implements RdmaProvider
    {
        @Override
        public List<Device> devices()
        {
            if (failure != null)
            {
                throw failure;
            }
            return list;
        }
    }

    private static final TransportView HOST = TransportView.of("verbs", List.of(
        adapter("mlx5_0", port("mlx5_0", 1, PortState.ACTIVE, LinkLayer.INFINIBAND, 64), port(
            "mlx5_0", 2, PortState.DOWN, LinkLayer.INFINIBAND, 64)),
        adapter("mlx5_1", port("mlx5_1", 1, PortState.ACTIVE, LinkLayer.ETHERNET, 32))), PortRequest.ANY);
    private static final TransportView MISSING = TransportView.of(new Provider("disni", List.of(),
        new RdmaException(Errno.ENOENT, "dlopen", "no libdisni:\n install gcc")), PortRequest.ANY);
    private static final TransportView CLOSED =
        TransportView.of(new Provider("other", List.of(new Adapter("hfi1_0")), null), PortRequest.ANY);

    @Test
    void shouldShowEachPortAndMarkTheChosenOne()
    {
        assertEquals(
            """
              TRANSPORT  DEVICE  PORT  STATE   LINK        MTU   GBIT/S  GID                 WHY
            * verbs      mlx5_0  1     ACTIVE  InfiniBand  4096  200     0 fe80::2:c903:0:1  \
            the best of 2 active ports; InfiniBand
              verbs      mlx5_0  2     DOWN    InfiniBand  4096  200     -                   state DOWN: no link
              verbs      mlx5_1  1     ACTIVE  Ethernet    4096  100     3 ::ffff:10.0.0.7   \
            slower than mlx5_0:1; RoCE v2, IPv4
              other      hfi1_0  -     -       -           -     -       -                   \
            ibv_open_device: denied (EACCES)

            --transport verbs uses mlx5_0:1 (the best of 2 active ports), GID 0 fe80::2:c903:0:1 (InfiniBand)
            --transport disni is not available: dlopen: no libdisni: install gcc (ENOENT)
            --transport other cannot be used: no port of transport other can be used; \
            hfi1_0: ibv_open_device: denied (EACCES) (tutti devices -v shows all of them)
            """, table(List.of(HOST, MISSING, CLOSED)));
    }

    @Test
    void shouldShowAllAttributesWithNamesOfLibibverbs()
    {
        final StringWriter text = new StringWriter();
        new DevicesText(new PrintWriter(text, true)).attributes(List.of(HOST, MISSING, CLOSED));

        for (final String line : List.of("verbs/mlx5_0", "    node_guid                  0002:c903:00a1:b2c3",
            "    device_cap_flags           BAD_PKEY_CNTR XRC BIT_31", "    max_qp_wr                  8192",
            "    atomic_cap                 GLOBAL", "    port 2", "        phys_state       LINK_UP",
            "        active_speed     50.0 Gbps", "        active_width     4X", "        port_lid         17",
            "        GID[3] ::ffff:10.0.0.7, RoCE v2", "other/hfi1_0", "    ibv_open_device: denied (EACCES)"))
        {
            assertTrue(text.toString().lines().anyMatch(line::equals), line + " is not in:\n" + text);
        }
    }

    @Test
    void shouldWriteAllAttributesAsJson()
    {
        final String json = Json.write(DevicesJson.of(List.of(HOST, MISSING, CLOSED)));

        assertTrue(json.startsWith("""
            {
              "version": 1,
              "transports": [
                {
                  "name": "verbs",
                  "problem": null,
                  "chosen": {
                    "device": "mlx5_0",
                    "port": 1,
                    "gid_index": 0,
                    "why": "mlx5_0:1 (the best of 2 active ports), GID 0 fe80::2:c903:0:1 (InfiniBand)"
                  },
                  "devices": [
                    {
                      "name": "mlx5_0",
                      "problem": null,
                      "attributes": {
                        "node_type": "CA",
                        "transport": "INFINIBAND",
            """), json);
        assertTrue(json.contains("""
                          "port": 1,
                          "usable": true,
                          "chosen": false,
                          "why": "slower than mlx5_0:1",
                          "gid_index": 3,
                          "gid_why": "RoCE v2, IPv4",
                          "attributes": {
                            "state": "ACTIVE",
                            "max_mtu": 4096,
            """), json);
        assertTrue(json.endsWith("""
                {
                  "name": "disni",
                  "problem": "dlopen: no libdisni: install gcc (ENOENT)",
                  "chosen": null,
                  "devices": []
                },
                {
                  "name": "other",
                  "problem": "no port of transport other can be used; hfi1_0: ibv_open_device: denied (EACCES) \
            (tutti devices -v shows all of them)",
                  "chosen": null,
                  "devices": [
                    {
                      "name": "hfi1_0",
                      "problem": "ibv_open_device: denied (EACCES)",
                      "attributes": {},
                      "ports": []
                    }
                  ]
                }
              ]
            }
            """), json);
    }

    @Test
    void shouldShowDevicesOfThisHost()
    {
        final String out = run(0, "--transport", "shm");

        assertTrue(out.lines().anyMatch(
            line -> line.matches("\\* shm +shm0 +1 +ACTIVE +SharedMemory .*the only active port; .*")), out);
        assertTrue(out.contains("--transport shm uses shm0:1 (the only active port), GID 0 fe80:"), out);
    }

    @Test
    void shouldShowSettingsInEffectOfTcpDevices()
    {
        final Map<String, String> settings = Map.of("tutti.tcp.max.payload", "1K", "tutti.tcp.crc", "0",
            "tutti.tcp.congestion.control", "reno", "tutti.tcp.receive.buffer", "64K");
        settings.forEach(System::setProperty);
        try
        {
            final String out = run(0, "--transport", "tcp", "-v");
            final String json = run(0, "--transport", "tcp", "--json");

            for (final String line : List.of("tcp_crc 0", "tcp_congestion_control reno", "tcp_send_buffer 0",
                "tcp_receive_buffer 65536", "tcp_max_payload 1024", "tcp_busy_poll 0"))
            {
                assertTrue(out.lines().anyMatch(each -> each.strip().replaceAll(" +", " ").equals(line)),
                    () -> line + " is not in:\n" + out);
                final String field = "\"" + line.replace(" ", "\": ").replace("reno", "\"reno\"");
                assertTrue(json.lines().anyMatch(each -> each.strip().replace(",", "").equals(field)),
                    () -> field + " is not in:\n" + json);
            }
        }
        finally
        {
            settings.keySet().forEach(System::clearProperty);
        }
    }

    @Test
    void shouldReportWrongSettingOfTcp()
    {
        assertEquals("tutti.tcp.busypoll is not a setting: must be one of [tutti.tcp.crc, " +
            "tutti.tcp.congestion.control, tutti.tcp.send.buffer, tutti.tcp.receive.buffer, tutti.tcp.max.payload, " +
            "tutti.tcp.busy.poll]", withProperty("tutti.tcp.busypoll", "50", CommandLine.ExitCode.USAGE).lines()
            .findFirst().orElseThrow());

        final String out = withProperty("tutti.tcp.congestion.control", "nosuch", 0);
        assertTrue(out.startsWith("--transport tcp is not available: ibv_get_device_list: " +
            "TUTTI_TCP_CONGESTION_CONTROL='nosuch' is not available: give one of those in " +
            "/proc/sys/net/ipv4/tcp_available_congestion_control ("), out);
    }

    /** Lists devices of tcp with a setting. */
    private static String withProperty(final String property, final String value, final int code)
    {
        System.setProperty(property, value);
        try
        {
            return run(code, "--transport", "tcp");
        }
        finally
        {
            System.clearProperty(property);
        }
    }

    @Test
    void shouldShowAllTransportsWhenSomeAreUnavailable()
    {
        final String out = run(0, "--json");

        assertTrue(out.contains("\"name\": \"shm\""), out);
        assertTrue(out.contains("\"name\": \"verbs\""), out);
    }

    @Test
    void shouldListTransportsWhenUnknown()
    {
        final String err = run(CommandLine.ExitCode.USAGE, "--transport", "x");

        assertTrue(err.startsWith("--transport 'x': unknown transport: must be one of [shm"), err);
    }

    @Test
    void shouldReportExceptionTypeWhenMessageIsMissing()
    {
        final TransportView view =
            TransportView.of(new Provider("other", List.of(), new IllegalStateException()), PortRequest.ANY);

        assertEquals("java.lang.IllegalStateException", view.problem());
        assertFalse(table(List.of(view)).contains("TRANSPORT"));
    }

    private static String table(final List<TransportView> transports)
    {
        final StringWriter text = new StringWriter();
        new DevicesText(new PrintWriter(text, true)).table(transports);
        return text.toString();
    }

    private static String run(final int code, final String... words)
    {
        final StringWriter text = new StringWriter();
        final CommandLine command = new CommandLine(new DevicesCommand())
            .setOut(new PrintWriter(text, true)).setErr(new PrintWriter(text, true));
        assertEquals(code, command.execute(words), text::toString);
        return text.toString();
    }

    private static DeviceDescription adapter(final String name, final PortDescription... ports)
    {
        final DeviceAttributes attributes = new DeviceAttributes();
        attributes.physicalPorts = ports.length;
        attributes.nodeGuid = 0x0002c90300a1b2c3L;
        attributes.capabilityFlags = 1 << 1 | 1 << 20 | 1 << 31;
        attributes.maxWorkRequests = 8192;
        attributes.atomicCapability = AtomicCapability.GLOBAL;
        return new DeviceDescription(new Adapter(name), attributes, 8, List.of(ports), null);
    }

    private static PortDescription port(
        final String device, final int number, final PortState state, final LinkLayer layer, final int speed)
    {
        final PortAttributes attributes = new PortAttributes();
        attributes.state = state;
        attributes.linkLayer = layer;
        attributes.maxMtu = 4096;
        attributes.activeMtu = 4096;
        attributes.lid = 17;
        attributes.activeWidth = 2;
        attributes.activeSpeed = speed;
        attributes.physicalState = 5;
        final boolean isEthernet = layer == LinkLayer.ETHERNET;
        return new PortDescription(device, TransportType.INFINIBAND, number, attributes, List.of(isEthernet ?
            new GidEntry(new Gid(0, 0xFFFF_0A00_0007L), 3, number, GidType.ROCE_V2, 0) :
            new GidEntry(new Gid(0xfe80L << 48, 0x0002_c903_0000_0001L), 0, number, GidType.INFINIBAND, 0)));
    }
}
