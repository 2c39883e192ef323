/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.rdma.LinkLayer;
import org.tutti.rdma.PortAttributes;

import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests parsing of requests and formatting of GIDs and rates. */
class PortRequestTest
{
    @Test
    void shouldRequestNothingWhenNothingIsSet()
    {
        final PortRequest request = PortRequest.of(Map.of("TUTTI_DEVICE", " ", "TUTTI_PORT", ""));

        assertEquals(List.of(), request.names());
        assertEquals(0, request.port());
        assertEquals(-1, request.gidIndex());
    }

    @Test
    void shouldParseListsOfDevicesAndPorts()
    {
        final PortRequest request = PortRequest.of("mlx5_0:1, mlx5_1 ,mlx5_0:1", "2", "3");

        assertEquals(List.of(new PortName("mlx5_0", 1), new PortName("mlx5_1", 0)), request.names());
        assertEquals(List.of(new PortName("mlx5_0", 1), new PortName("mlx5_1", 2)), request.ports());
        assertEquals(3, request.gidIndex());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "tcp:eth0|eth0", "10.1.0.7|10.1.0.7", "tcp:10.1.0.7|10.1.0.7", "10.1.0.0/16|10.1.0.0/16", "fd00::/64|fd00::/64",
        "tcp:fd00::1|fd00::1", "::1|::1", "fe80::1%eth0|fe80::1%eth0", "fe80::%eth0/10|fe80::%eth0/10"})
    void shouldRequestTcpWhenNameCanOnlyBeANetworkInterface(final String device, final String name)
    {
        final PortRequest request = PortRequest.of(device, "", "");

        assertTrue(request.isTcp());
        assertEquals(List.of(new PortName(name, 0)), request.names());
    }

    @Test
    void shouldParseListsOfInterfacesAndNetworks()
    {
        final PortRequest request = PortRequest.of("eth1, tcp:eth0,10.0.0.0/8,eth0", "", "");

        assertTrue(request.isTcp());
        assertEquals(List.of(new PortName("eth1", 0), new PortName("eth0", 0), new PortName("10.0.0.0/8", 0)),
            request.names());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "mlx5_0", "mlx5_0:1", "eth0", "eth0,mlx5_0:1", "cafe:1"})
    void shouldRequestNoTransportWhenNameMayBeAnRdmaDevice(final String device)
    {
        assertFalse(PortRequest.of(device, "", "").isTcp());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "tcp:|'' is not the name of a network interface, an address or a network: give one such as eth0, 10.1.0.7, " +
            "10.1.0.0/16 or fd00::/64",
        "tcp:eth0,mlx5_0:1|'mlx5_0:1' is not the name of a network interface",
        "tcp:eth0:1|'eth0:1' is not the name of a network interface", "tcp:eth0,|'' is not the name of a network",
        "10.1.0.0/33|'10.1.0.0/33' is not a network: the length '33' of the prefix must be a number from 0 to 32",
        "fd00::/129|'fd00::/129' is not a network: the length '129' of the prefix must be a number from 0 to 128",
        "10.1.0.0/|'10.1.0.0/' is not a network: the length '' of the prefix", "10.1/16|'10.1/16' is not an address",
        "10.1.0.0/-1|'10.1.0.0/-1' is not a network: the length '-1'", "256.1.0.0|'256.1.0.0' is not an address",
        "eth0/16|'eth0/16' is not an address or a network: give one such as 10.1.0.7, fd00::7, 10.1.0.0/16",
        "tcp:1::2::3|'1::2::3' is not an address", "fe80::1|'fe80::1' is link-local, so that it may exist at each " +
            "interface: name the interface too, such as fe80::1%eth0 or fe80::%eth0/10"})
    void shouldReportInvalidNamesOfInterfaces(final String device, final String problem)
    {
        final IllegalArgumentException thrown =
            assertThrows(IllegalArgumentException.class, () -> PortRequest.of(device, "", ""));

        final String message = "TUTTI_DEVICE='" + device + "' is not a list of network interfaces: " + problem;
        assertTrue(thrown.getMessage().startsWith(message), thrown.getMessage());
    }

    @Test
    void shouldPreferPropertyToVariable()
    {
        final PortRequest request = PortRequest.of(Map.of("TUTTI_GID_INDEX", "3", "tutti.gid.index", "5"));

        assertEquals(5, request.gidIndex());
        assertEquals("tutti.gid.index='5'", request.sources().gidIndex());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "mlx5_0:1:2|1|1|TUTTI_DEVICE='mlx5_0:1:2' is not a list of devices: give names, such as mlx5_0, with ports, " +
            "such as mlx5_0:1, or several, such as mlx5_0:1,mlx5_1:1",
        "mlx5_0,|1|1|TUTTI_DEVICE='mlx5_0,' is not a list of devices: give names, such as mlx5_0, with ports, " +
            "such as mlx5_0:1, or several, such as mlx5_0:1,mlx5_1:1",
        "mlx5_0:|1|1|TUTTI_DEVICE='mlx5_0:' is not a list of devices: port '' is not a number from 1 to 255; " +
            "list devices with: tutti devices",
        "mlx5_0:x|1|1|TUTTI_DEVICE='mlx5_0:x' is not a list of devices: port 'x' is not a number from 1 to 255; " +
            "list devices with: tutti devices",
        "mlx5_0|0|1|TUTTI_PORT='0' is not a number from 1 to 255; list devices with: tutti devices",
        "mlx5_0|256|1|TUTTI_PORT='256' is not a number from 1 to 255; list devices with: tutti devices",
        "mlx5_0|one|1|TUTTI_PORT='one' is not a number from 1 to 255; list devices with: tutti devices",
        "mlx5_0|1|-1|TUTTI_GID_INDEX='-1' is not a number from 0 to 65535; list devices with: tutti devices",
        "mlx5_0|1|65536|TUTTI_GID_INDEX='65536' is not a number from 0 to 65535; list devices with: tutti devices"})
    void shouldReportInvalidSettings(
        final String device, final String port, final String gidIndex, final String message)
    {
        final IllegalArgumentException thrown =
            assertThrows(IllegalArgumentException.class, () -> PortRequest.of(device, port, gidIndex));

        assertEquals(message, thrown.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"10.77.0.1, ::ffff:10.77.0.1", "fe80::5054:ff:fe12:3456, fe80::5054:ff:fe12:3456", "::1, ::1",
        "2001:db8:0:0:1:0:0:0, 2001:db8:0:0:1::", "1:0:2:3:4:5:6:7, 1:0:2:3:4:5:6:7", "::, ::", "1::, 1::"})
    void shouldFormatGidsLikeIpAddresses(final String address, final String text)
    {
        assertEquals(text, GidText.of(FakeDevices.gid(address)));
    }

    /** The speeds of Ethernet, as rates of RDMA ports where there is an equal one. */
    @ParameterizedTest
    @CsvSource({"0, 0", "10, 0", "1000, 0", "2500, 2.5", "5000, 5", "10000, 10", "20000, 20", "25000, 25", "40000, 40",
        "50000, 50", "56000, 56", "100000, 100", "200000, 200", "400000, 400", "800000, 800", "12345, 0"})
    void shouldEncodeRates(final int mbit, final double gbit)
    {
        final PortAttributes port = new PortAttributes();
        port.activeWidth = LinkRate.width(mbit);
        port.activeSpeed = LinkRate.speed(mbit);

        assertEquals(gbit, LinkRate.gbit(port));
    }

    @ParameterizedTest
    @CsvSource({"2, 32, 100", "2, 64, 200", "1, 1, 2.5", "16, 128, 200", "8, 16, 168", "4, 256, 1600", "0, 1, 0",
        "1, 77, 0"})
    void shouldDecodeRates(final int width, final int speed, final double gbit)
    {
        final PortAttributes port = new PortAttributes();
        port.activeWidth = width;
        port.activeSpeed = speed;

        assertEquals(gbit, LinkRate.gbit(port));
    }

    @ParameterizedTest
    @CsvSource({"ETHERNET, 1, 1, 0", "INFINIBAND, 1, 1, 2500", "ETHERNET, 1, 4, 10000", "ETHERNET, 2, 32, 100000",
        "ETHERNET, 0, 0, 0"})
    void shouldNotTakeTheLowestRateOfEthernetForItsBandwidth(
        final LinkLayer link, final int width, final int speed, final int mbit)
    {
        final PortAttributes port = new PortAttributes();
        port.linkLayer = link;
        port.activeWidth = width;
        port.activeSpeed = speed;

        assertEquals(mbit, LinkRate.mbit(port));
    }
}
