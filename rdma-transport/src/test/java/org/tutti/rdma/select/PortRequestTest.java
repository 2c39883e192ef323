/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.rdma.PortAttributes;

import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
}
