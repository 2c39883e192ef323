/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tutti.rdma.select.InterfaceKind.BRIDGE;
import static org.tutti.rdma.select.InterfaceKind.LOOPBACK;
import static org.tutti.rdma.select.InterfaceKind.PHYSICAL;
import static org.tutti.rdma.select.InterfaceKind.VIRTUAL;
import static org.tutti.rdma.select.PeerLocation.OTHER_HOSTS;
import static org.tutti.rdma.select.PeerLocation.THIS_HOST;
import static org.tutti.rdma.select.PeerLocation.UNKNOWN;

class InterfaceSelectorTest
{
    private static final InterfaceDescription LO = up("lo", LOOPBACK, 0, "127.0.0.1", "::1");
    private static final InterfaceDescription ETH0 = up("eth0", PHYSICAL, 1000, "192.0.2.1", "fd00::1", "fe80::1%1");
    private static final InterfaceDescription ETH1 = up("eth1", PHYSICAL, 100_000, "10.1.0.7", "10.2.0.7");
    private static final InterfaceDescription VM = up("ens5", PHYSICAL, 0, "10.3.0.7");
    private static final InterfaceDescription VETH = up("eth2", VIRTUAL, 10_000, "10.4.0.7");
    private static final InterfaceDescription DOCKER = up("docker0", BRIDGE, 0, "172.17.0.1");
    private static final InterfaceDescription LINK_LOCAL = up("eth3", PHYSICAL, 400_000, "fe80::3%1");
    private static final InterfaceDescription SELF_ASSIGNED = up("eth4", PHYSICAL, 400_000, "169.254.1.1");
    private static final InterfaceDescription DOWN = new InterfaceDescription("eth5", PHYSICAL, 0, false, 0,
        List.of(InetAddress.ofLiteral("10.5.0.7")));
    private static final InterfaceDescription BARE = new InterfaceDescription("eth6", PHYSICAL, 0, true, 0, List.of());
    private static final InterfaceDescription VIP = up("lo", LOOPBACK, 0, "127.0.0.1", "10.6.0.7");
    private static final List<InterfaceDescription> ALL = List.of(
        LO, DOCKER, LINK_LOCAL, SELF_ASSIGNED, VETH, VM, ETH0, ETH1, DOWN, BARE);

    @Test
    void shouldPreferInterfacesInThisOrderForOtherHosts()
    {
        final List<InterfaceDescription> order = List.of(ETH1, ETH0, VM, VETH, SELF_ASSIGNED);

        for (int i = 0; i < order.size(); i++)
        {
            assertEquals(order.get(i).name(), chosen(PortRequest.ANY, OTHER_HOSTS,
                Stream.concat(ALL.stream().filter(one -> !order.contains(one)),
                order.subList(i, order.size()).reversed().stream()).toList()));
        }
    }

    @Test
    void shouldNameReasonOfEachInterface()
    {
        final InterfaceSelection selection = InterfaceSelector.select(ALL, PortRequest.ANY, 0, UNKNOWN);

        assertEquals(List.of(
            "used if all ranks are on this host",
            "a bridge within this host: name it if other hosts are behind it",
            "has only a link-local IPv6 address: give it another one, or name it",
            "its address is link-local",
            "after eth1: virtual, 10 Gbit/s",
            "after eth1: physical, speed unknown",
            "slower than eth1: 1 Gbit/s",
            "the best of 6 interfaces: physical, 100 Gbit/s",
            "is down: bring it up, by ip link set eth5 up",
            "has no address: give it one, by ip address add ADDRESS/PREFIX dev eth6"),
            selection.candidates().stream().map(InterfaceCandidate::why).toList());
    }

    @Test
    void shouldSelectLoopbackWhenAllRanksAreOnThisHost()
    {
        assertEquals("lo", chosen(PortRequest.ANY, THIS_HOST, ALL));
        assertEquals("lo", chosen(PortRequest.ANY, UNKNOWN, List.of(DOCKER, LO)));
        assertEquals("docker0", chosen(PortRequest.ANY, THIS_HOST, List.of(DOCKER)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "lo|lo|127.0.0.1", "tcp:lo|lo|127.0.0.1", "::1|lo|::1", "tcp:docker0|docker0|172.17.0.1",
        "eth0|eth0|192.0.2.1", "10.2.0.7|eth1|10.2.0.7", "10.2.0.0/16|eth1|10.2.0.7", "tcp:10.2.3.4/16|eth1|10.2.0.7",
        "fd00::/64|eth0|fd00::1", "tcp:fd00::1|eth0|fd00::1", "eth3|eth3|fe80::3%1", "fe80::%eth3/10|eth3|fe80::3%1",
        "fe80::1%eth0|eth0|fe80::1%1", "10.0.0.0/8|eth1|10.1.0.7", "0.0.0.0/0|eth1|10.1.0.7", "::/0|eth0|fd00::1",
        "172.0.0.0/8|docker0|172.17.0.1", "169.254.0.0/16|eth4|169.254.1.1"})
    void shouldSelectInterfaceAndAddressWhenNamed(final String named, final String name, final String address)
    {
        final InterfaceSelection selection = InterfaceSelector.select(ALL, request(named), 0, OTHER_HOSTS);

        assertEquals(name, ALL.get(selection.chosen()).name(), selection.problem());
        assertEquals(InetAddress.ofLiteral(address), selection.candidates().get(selection.chosen()).address());
        assertEquals("TUTTI_DEVICE='" + named + "'", selection.candidates().get(selection.chosen()).why());
    }

    @ParameterizedTest
    @CsvSource({"0, eth0", "1, eth1", "2, eth0"})
    void shouldDistributeNamedInterfacesOverRanksOfHost(final int localRank, final String name)
    {
        final InterfaceSelection selection =
            InterfaceSelector.select(ALL, request("tcp:eth0,192.0.2.0/24,tcp:10.1.0.0/16"), localRank, OTHER_HOSTS);

        assertEquals(name, ALL.get(selection.chosen()).name());
        assertEquals("TUTTI_DEVICE='tcp:eth0,192.0.2.0/24,tcp:10.1.0.0/16', interface " + (localRank % 2 + 1) +
            " of 2, for local rank " + localRank, selection.candidates().get(selection.chosen()).why());
    }

    @Test
    void shouldNotTakeNetworksForLoopbackUnlessNamed()
    {
        assertEquals("eth1", chosen(request("0.0.0.0/0"), OTHER_HOSTS, List.of(VIP, ETH1)));
        assertEquals("lo", chosen(request("10.6.0.0/16"), OTHER_HOSTS, List.of(VIP, ETH1)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "tcp:eth9|TUTTI_DEVICE='tcp:eth9': this host has no network interface eth9: it has lo (127.0.0.1, ::1), " +
            "eth0 (192.0.2.1, fd00::1, fe80::1%1), eth5 (down, 10.5.0.7); name one of these, or, for several hosts, " +
            "a network such as tcp:192.0.2.0/24",
        "10.9.0.7|TUTTI_DEVICE='10.9.0.7': this host has no network interface with address 10.9.0.7: it has lo",
        "10.9.0.0/16|TUTTI_DEVICE='10.9.0.0/16': this host has no network interface with an address in 10.9.0.0/16: " +
            "it has lo (",
        "tcp:eth5|TUTTI_DEVICE='tcp:eth5': no such network interface can be used; eth5: is down: bring it up, by ip " +
            "link set eth5 up",
        "10.5.0.0/16|TUTTI_DEVICE='10.5.0.0/16': no such network interface can be used; eth5: is down: bring it up",
        "tcp:eth6|TUTTI_DEVICE='tcp:eth6': no such network interface can be used; eth6: has no address: give it one"})
    void shouldNameValueAndWhatThereIsWhenNothingFits(final String named, final String problem)
    {
        final InterfaceSelection selection =
            InterfaceSelector.select(List.of(LO, ETH0, DOWN, BARE), request(named), 0, OTHER_HOSTS);

        assertTrue(selection.problem().startsWith(problem), selection.problem());
        assertTrue(selection.isWrong());
        assertEquals(-1, selection.chosen());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "|2||TUTTI_PORT='2': a network interface has only port 1", "eth0:2|||TUTTI_DEVICE='eth0:2': a network",
        "eth0|2||TUTTI_PORT='2': a network interface has only port 1",
        "||1|TUTTI_GID_INDEX='1': a network interface has only GID 0; name the address instead, such as tcp:10.1.0.7"})
    void shouldRejectPortsAndGidsThatInterfacesLack(
        final String device, final String port, final String gid, final String problem)
    {
        final InterfaceSelection selection = InterfaceSelector.select(ALL, PortRequest.of(
            device == null ? "" : device, port == null ? "" : port, gid == null ? "" : gid), 0, OTHER_HOSTS);

        assertTrue(selection.problem().startsWith(problem), selection.problem());
    }

    @Test
    void shouldNameReasonsWhenNoInterfaceReachesOtherHosts()
    {
        final InterfaceSelection selection =
            InterfaceSelector.select(List.of(LO, DOCKER, DOWN, BARE), PortRequest.ANY, 0, OTHER_HOSTS);

        assertEquals("no network interface reaches other hosts; lo: loopback, which other hosts do not reach; " +
            "docker0: a bridge within this host: name it if other hosts are behind it", selection.problem());
    }

    static InterfaceDescription up(
        final String name, final InterfaceKind kind, final int mbit, final String... addresses)
    {
        return new InterfaceDescription(
            name, kind, mbit, true, 0, Stream.of(addresses).map(InetAddress::ofLiteral).toList());
    }

    private static PortRequest request(final String device)
    {
        return PortRequest.of(device, "", "");
    }

    private static String chosen(
        final PortRequest request, final PeerLocation peers, final List<InterfaceDescription> interfaces)
    {
        final InterfaceSelection selection = InterfaceSelector.select(interfaces, request, 0, peers);
        assertEquals(null, selection.problem());
        return interfaces.get(selection.chosen()).name();
    }
}
