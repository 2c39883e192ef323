/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.rdma.Device;
import org.tutti.rdma.GidEntry;
import org.tutti.rdma.GidType;
import org.tutti.rdma.LinkLayer;
import org.tutti.rdma.PortState;
import org.tutti.rdma.TransportType;
import org.tutti.rdma.shm.ShmProvider;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tutti.rdma.PortState.ACTIVE;
import static org.tutti.rdma.PortState.DOWN;
import static org.tutti.rdma.select.FakeDevices.EDR_100G;
import static org.tutti.rdma.select.FakeDevices.HDR_200G;
import static org.tutti.rdma.select.FakeDevices.broken;
import static org.tutti.rdma.select.FakeDevices.device;
import static org.tutti.rdma.select.FakeDevices.gid;
import static org.tutti.rdma.select.FakeDevices.infiniBand;
import static org.tutti.rdma.select.FakeDevices.port;
import static org.tutti.rdma.select.FakeDevices.roce;

class PortSelectorTest
{
    private static final GidEntry LINK_LOCAL_V1 = gid("fe80::1", 0, GidType.ROCE_V1);
    private static final GidEntry LINK_LOCAL_V2 = gid("fe80::1", 1, GidType.ROCE_V2);
    private static final GidEntry IPV4_V1 = gid("10.0.0.1", 2, GidType.ROCE_V1);
    private static final GidEntry IPV4_V2 = gid("10.0.0.1", 3, GidType.ROCE_V2);
    private static final GidEntry IPV6_V1 = gid("2001:db8::1", 4, GidType.ROCE_V1);
    private static final GidEntry IPV6_V2 = gid("2001:db8::1", 5, GidType.ROCE_V2);
    private static final GidEntry SELF_ASSIGNED = gid("169.254.3.4", 6, GidType.ROCE_V2);
    private static final GidEntry LOOPBACK = gid("127.0.0.1", 7, GidType.ROCE_V2);
    private static final GidEntry UNREPORTED = gid("10.0.0.1", 8, GidType.UNKNOWN);
    private static final GidEntry OTHER_IPV4_V2 = gid("10.1.0.1", 9, GidType.ROCE_V2);

    private static final List<GidEntry> ALL = List.of(LINK_LOCAL_V1, LINK_LOCAL_V2, IPV4_V1, IPV4_V2, IPV6_V1,
        IPV6_V2, SELF_ASSIGNED, LOOPBACK, UNREPORTED, OTHER_IPV4_V2);

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "0 1 2 3 4 5 6 7 8 9|3|RoCE v2, IPv4",
        "0 1 2 4 5 6 7 8|5|RoCE v2, IPv6",
        "0 1 2 4 6 7 8|8|type not reported",
        "0 1 2 4 6 7|2|RoCE v1, not routable",
        "0 1 6 7|1|link-local; no routable GID: give the port's network interface an IPv4 address",
        "0 6 7|6|link-local; no routable GID: give the port's network interface an IPv4 address",
        "0 7|0|RoCE v1, link-local; no routable GID: give the port's network interface an IPv4 address",
        "7|7|loopback, reachable from this host only; no routable GID: " +
            "give the port's network interface an IPv4 address"})
    void shouldPreferGidWithTheLargestReach(final String indices, final int chosen, final String why)
    {
        final GidEntry[] gids = List.of(indices.split(" ", -1)).stream()
            .map(index -> ALL.get(Integer.parseInt(index))).toArray(GidEntry[]::new);

        final PortSelection selection = select(PortRequest.ANY, device("mlx5_0", roce(ACTIVE, EDR_100G, gids)));

        assertEquals(chosen, selection.chosen().gid().index());
        assertEquals(why, selection.chosen().gidWhy());
    }

    @Test
    void shouldSelectLinkLocalGidWhenRequested()
    {
        final PortSelection selection = select(
            PortRequest.of("", "", "1"), device("mlx5_0", roce(ACTIVE, EDR_100G, LINK_LOCAL_V2, IPV4_V2)));

        assertEquals("mlx5_0:1 (the only active port), GID 1 fe80::1 (TUTTI_GID_INDEX='1', link-local)",
            selection.explanation());
    }

    @Test
    void shouldSelectGidZeroOnInfiniBandWhenLinkLocal()
    {
        final PortSelection selection = select(PortRequest.ANY, device("mlx5_0", infiniBand(ACTIVE, EDR_100G)));

        assertEquals("mlx5_0:1 (the only active port), GID 0 fe80::506b:4b03:c1:9a2c (InfiniBand)",
            selection.explanation());
    }

    @Test
    void shouldRejectPortsWhenNotActive()
    {
        final PortSelection selection = select(PortRequest.ANY,
            device("mlx5_0", infiniBand(DOWN, HDR_200G), infiniBand(PortState.INIT, HDR_200G)),
            device("mlx5_1", infiniBand(DOWN, HDR_200G), infiniBand(ACTIVE, EDR_100G)));

        assertEquals("mlx5_1:2", selection.chosen().port().name());
        assertEquals(List.of("state DOWN: no link", "state INIT: not active",
            "state DOWN: no link", "the only active port"),
            selection.candidates().stream().map(PortCandidate::why).toList());
    }

    @Test
    void shouldPreferTheFasterPort()
    {
        final PortSelection selection = select(PortRequest.ANY,
            device("mlx5_0", roce(ACTIVE, EDR_100G, IPV4_V2)), device("mlx5_1", infiniBand(ACTIVE, HDR_200G)));

        assertEquals("mlx5_1:1", selection.chosen().port().name());
        assertEquals("the best of 2 active ports", selection.chosen().why());
        assertEquals("slower than mlx5_1:1", selection.candidates().getFirst().why());
    }

    @Test
    void shouldPreferRoutablePortToAFasterOne()
    {
        final PortSelection selection = select(PortRequest.ANY,
            device("mlx5_0", roce(ACTIVE, HDR_200G, LINK_LOCAL_V2)), device("mlx5_1", roce(ACTIVE, EDR_100G, IPV4_V2)));

        assertEquals("mlx5_1:1", selection.chosen().port().name());
        assertTrue(selection.candidates().getFirst().why().startsWith("its GID is link-local"));
    }

    @Test
    void shouldSelectFirstPortWhenTied()
    {
        final PortSelection selection = select(PortRequest.ANY,
            device("mlx5_3", infiniBand(ACTIVE, EDR_100G)), device("mlx5_0", infiniBand(ACTIVE, EDR_100G)));

        assertEquals("mlx5_3:1", selection.chosen().port().name());
        assertEquals("the first of 2 active ports", selection.chosen().why());
        assertEquals("tie with mlx5_3:1, which comes first", selection.candidates().get(1).why());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "mlx5_1|||mlx5_1:2", "mlx5_1:2|||mlx5_1:2", "mlx5_0|2||mlx5_0:2", "mlx5_0:1|2||mlx5_0:1", "|2||mlx5_0:2",
        "mlx5_1,mlx5_0|||mlx5_1:2"})
    void shouldSelectPortWhenNamed(
        final String device, final String port, final String gidIndex, final String chosen)
    {
        final PortSelection selection = select(PortRequest.of(text(device), text(port), text(gidIndex)),
            device("mlx5_0", infiniBand(ACTIVE, HDR_200G), infiniBand(ACTIVE, EDR_100G)),
            device("mlx5_1", infiniBand(DOWN, EDR_100G), infiniBand(ACTIVE, EDR_100G)));

        assertEquals(chosen, selection.chosen().port().name());
    }

    @ParameterizedTest
    @CsvSource({"0, mlx5_2:1, 1", "1, mlx5_0:1, 2", "2, mlx5_2:1, 1", "7, mlx5_0:1, 2"})
    void shouldDistributeNamedPortsOverTheRanksOfAHost(final int localRank, final String chosen, final int number)
    {
        final List<DeviceDescription> devices = List.of(
            device("mlx5_0", infiniBand(ACTIVE, EDR_100G)), device("mlx5_1", infiniBand(DOWN, EDR_100G)),
            device("mlx5_2", infiniBand(ACTIVE, EDR_100G)), device("mlx5_3", infiniBand(ACTIVE, EDR_100G)));

        final PortSelection selection = PortSelector.select(
            "verbs", devices, PortRequest.of("mlx5_2,mlx5_1,mlx5_0", "", ""), localRank);

        assertEquals(chosen, selection.chosen().port().name());
        assertEquals("TUTTI_DEVICE='mlx5_2,mlx5_1,mlx5_0', usable port " + number +
            " of 2, for local rank " + localRank, selection.chosen().why());
    }

    @Test
    void shouldSelectSamePortForAllRanksWhenNoneIsNamed()
    {
        final List<DeviceDescription> devices = List.of(
            device("mlx5_0", infiniBand(ACTIVE, EDR_100G)), device("mlx5_1", infiniBand(ACTIVE, EDR_100G)));

        assertEquals(PortSelector.select("verbs", devices, PortRequest.ANY, 0),
            PortSelector.select("verbs", devices, PortRequest.ANY, 1));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "mlx5_9|||TUTTI_DEVICE='mlx5_9': 'mlx5_9' is not a device of transport verbs: choose one of [mlx5_0, mlx4_0]",
        "mlx5_0,mlx|||TUTTI_DEVICE='mlx5_0,mlx': 'mlx' is not a device of transport verbs: " +
            "choose one of [mlx5_0, mlx4_0]",
        "mlx5_0:2|||TUTTI_DEVICE='mlx5_0:2': mlx5_0 has no port 2: its ports are 1 to 1",
        "mlx5_0|2||TUTTI_PORT='2': mlx5_0 has no port 2: its ports are 1 to 1",
        "|3||TUTTI_PORT='3': no device of transport verbs has port 3: choose one of [mlx5_0:1, mlx4_0:1, mlx4_0:2]",
        "mlx5_0||4|TUTTI_GID_INDEX='4': no port can be used; " +
            "mlx5_0:1: GID table entry 4 is empty; used entries: [0, 3]"})
    void shouldNameTheSettingWhenInvalid(
        final String device, final String port, final String gidIndex, final String problem)
    {
        final PortSelection selection = select(PortRequest.of(text(device), text(port), text(gidIndex)),
            device("mlx5_0", roce(ACTIVE, EDR_100G, LINK_LOCAL_V1, IPV4_V2)),
            device("mlx4_0", infiniBand(DOWN, EDR_100G), infiniBand(DOWN, EDR_100G)));

        assertNull(selection.chosen());
        assertEquals(problem, selection.problem());
        assertTrue(selection.isRequestWrong());
    }

    @Test
    void shouldReportReasonsWhenNoPortIsUsable()
    {
        final PortSelection selection = select(PortRequest.ANY,
            device("mlx5_0", infiniBand(DOWN, EDR_100G), roce(ACTIVE, EDR_100G)),
            broken("mlx5_1", "ibv_open_device: no right (EACCES)"),
            device("siw0", port(TransportType.IWARP, LinkLayer.ETHERNET, ACTIVE, EDR_100G, 0, IPV4_V2)));

        assertEquals("no port of transport verbs can be used; mlx5_1: ibv_open_device: no right (EACCES); " +
            "mlx5_0:1: state DOWN: no link; " +
            "mlx5_0:2: no GID: give its network interface an address; " +
            "siw0:1: iWARP requires rdma_cm: use an InfiniBand or RoCE device, or transport disni, " +
            "which has not been tested on iWARP (tutti devices -v shows all of them)",
            selection.problem());
        assertFalse(selection.isRequestWrong());
    }

    @Test
    void shouldAcceptRequestWhenTheNamedPortIsDown()
    {
        final PortSelection selection = select(PortRequest.of("mlx5_0", "", ""),
            device("mlx5_0", infiniBand(DOWN, EDR_100G)), device("mlx5_1", infiniBand(ACTIVE, EDR_100G)));

        assertEquals("no port of transport verbs can be used; mlx5_0:1: state DOWN: no link " +
            "(tutti devices -v shows all of them)", selection.problem());
        assertFalse(selection.isRequestWrong());
    }

    @Test
    void shouldReportWhenThereIsNoDevice()
    {
        assertEquals("transport verbs has no device on this host: choose another transport",
            select(PortRequest.ANY).problem());
        assertEquals("transport verbs has no device on this host: choose another transport",
            select(PortRequest.of("mlx5_0", "1", "3")).problem());
    }

    @Test
    void shouldSelectIwarpPortWhenRdmaCmConnects()
    {
        final PortSelection selection = PortSelector.select("disni",
            List.of(device("siw0", port(TransportType.IWARP, LinkLayer.ETHERNET, ACTIVE, EDR_100G, 0, IPV4_V2))),
            PortRequest.ANY, 0);

        assertEquals("siw0:1", selection.chosen().port().name());
    }

    @Test
    void shouldSelectTheDeviceOfSharedMemory()
    {
        final List<DeviceDescription> devices =
            new ShmProvider().devices().stream().map((final Device device) -> DeviceDescription.of(device)).toList();

        final PortSelection selection = PortSelector.select("shm", devices, PortRequest.ANY, 0);

        assertEquals("shm0:1", selection.chosen().port().name());
        assertEquals(0, selection.chosen().gid().index());
        assertEquals("this context's", selection.chosen().gidWhy());
    }

    private static PortSelection select(final PortRequest request, final DeviceDescription... devices)
    {
        return PortSelector.select("verbs", List.of(devices), request, 0);
    }

    private static String text(final String cell)
    {
        return cell == null ? "" : cell;
    }
}
