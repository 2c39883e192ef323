/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.RdmaProvider;
import org.tutti.rdma.select.InterfaceDevice;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests how settings are read, and which are refused. */
class TcpOptionsTest
{
    private static final String AVAILABLE = "/proc/sys/net/ipv4/tcp_available_congestion_control";
    private static final String ALLOWED = "/proc/sys/net/ipv4/tcp_allowed_congestion_control";

    @Test
    void shouldUseDefaultsWhenNothingIsSet()
    {
        assertEquals(new TcpOptions(true, "", 0, 0, 65_504, 0), TcpOptions.DEFAULT);
        assertEquals(TcpOptions.DEFAULT, TcpOptions.of(Map.of("TUTTI_TCP_CRC", " ", "TUTTI_TCP_OTHER", "")));
        TcpOptions.DEFAULT.requirePermitted();
    }

    @Test
    void shouldReadVariablesAndPreferProperties()
    {
        assertEquals(new TcpOptions(false, "cubic", 4 << 20, 65_536, 1024, 50), TcpOptions.of(Map.of(
            "TUTTI_TCP_CRC", "1", "tutti.tcp.crc", "off", "TUTTI_TCP_CONGESTION_CONTROL", "cubic",
            "TUTTI_TCP_SEND_BUFFER", "4M", "tutti.tcp.receive.buffer", "65536", "TUTTI_TCP_MAX_PAYLOAD", "1K",
            "TUTTI_TCP_BUSY_POLL", "50")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "TUTTI_TCP_CRC|maybe|is neither 1 nor 0",
        "TUTTI_TCP_SEND_BUFFER|4095|is not a size from 4K to 512M: give a number and a unit (K, M), such as 4M, or " +
            "0 for a size that the kernel adapts",
        "tutti.tcp.receive.buffer|513M|is not a size from 4K to 512M: give a number and a unit (K, M), such as 4M, " +
            "or 0 for a size that the kernel adapts",
        "TUTTI_TCP_SEND_BUFFER|9999999999999999M|is not a size from 4K to 512M: give a number and a unit (K, M), " +
            "such as 4M, or 0 for a size that the kernel adapts",
        "TUTTI_TCP_MAX_PAYLOAD|496|is not a multiple of 16 from 512 to 65504, in bytes",
        "TUTTI_TCP_MAX_PAYLOAD|1000|is not a multiple of 16 from 512 to 65504, in bytes",
        "TUTTI_TCP_MAX_PAYLOAD|64K|is not a multiple of 16 from 512 to 65504, in bytes",
        "TUTTI_TCP_BUSY_POLL|10001|is not a number of microseconds from 0 to 10000",
        "TUTTI_TCP_BUSY_POLL|50us|is not a number of microseconds from 0 to 10000"})
    void shouldThrowWhenSettingIsInvalid(final String name, final String text, final String problem)
    {
        assertEquals(name + "='" + text + "' " + problem, refused(Map.of(name, text)));
    }

    @Test
    void shouldThrowWhenNameIsNoSetting()
    {
        assertEquals("TUTTI_TCP_BUSYPOLL is not a setting: must be one of [TUTTI_TCP_CRC, " +
            "TUTTI_TCP_CONGESTION_CONTROL, TUTTI_TCP_SEND_BUFFER, TUTTI_TCP_RECEIVE_BUFFER, TUTTI_TCP_MAX_PAYLOAD, " +
            "TUTTI_TCP_BUSY_POLL]", refused(Map.of("TUTTI_TCP_BUSYPOLL", "50")));
        TcpOptions.of(Map.of(TcpProvider.SECRET_PROP_NAME, "00"));
    }

    @Test
    void shouldThrowWhenNameCannotBeThatOfCongestionControl() throws IOException
    {
        assertEquals("TUTTI_TCP_CONGESTION_CONTROL='a name of 16 ch' is not the name of a congestion control: give " +
            "one of those in " + available(), refused(Map.of("TUTTI_TCP_CONGESTION_CONTROL", "a name of 16 ch")));
    }

    @Test
    void shouldNameAvailableOnesWhenCongestionControlIsNotAvailable() throws IOException
    {
        final TcpOptions options = TcpOptions.of(Map.of("TUTTI_TCP_CONGESTION_CONTROL", "nosuch"));
        final String problem = "TUTTI_TCP_CONGESTION_CONTROL='nosuch' is not available: give one of those in " +
            available() + ", or load its kernel module, tcp_nosuch";

        assertEquals(problem,
            assertThrows(IllegalArgumentException.class, options::requirePermitted).getMessage());
        final RdmaException thrown = assertThrows(
            RdmaException.class, () -> new TcpProvider(TcpProvider.randomSecret(), options).devices());
        assertEquals(Errno.EINVAL, thrown.errno());
        assertTrue(thrown.getMessage().contains(problem), thrown::getMessage);
    }

    @Test
    void shouldNameAllowedOnesWhenCongestionControlNeedsPrivileges() throws IOException
    {
        assertEquals("TUTTI_TCP_CONGESTION_CONTROL='bbr' is not permitted to this process: give one of those in " +
            ALLOWED + " (" + line(Path.of(ALLOWED)) + "), or add it there, or run with CAP_NET_ADMIN",
            KernelOptions.congestionControlProblem("bbr", Errno.EPERM));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        Errno.EPERM + "|not permitted to this process: run with CAP_NET_ADMIN, or set the sysctl net.core.busy_read",
        Errno.EINVAL + "|not possible: the kernel has no busy polling (errno 22); do not set it"})
    void shouldNameFixWhenKernelRefusesBusyPolling(final int errno, final String problem)
    {
        assertEquals("TUTTI_TCP_BUSY_POLL='50' is " + problem, KernelOptions.busyPollProblem(50, errno));
    }

    @ParameterizedTest
    @CsvSource({"TUTTI_TCP_SEND_BUFFER, wmem_max", "TUTTI_TCP_RECEIVE_BUFFER, rmem_max"})
    void shouldThrowWhenKernelLimitsBuffers(final String name, final String sysctl) throws IOException
    {
        final Path file = Path.of("/proc/sys/net/core", sysctl);
        final long limit = Files.exists(file) ? Long.parseLong(line(file)) : Long.MAX_VALUE;
        final TcpOptions options = TcpOptions.of(Map.of(name, "512M"));
        if (limit >= 512 << 20)
        {
            // The limit of another network namespace is not visible, or permits all sizes.
            return;
        }

        assertEquals(name + "='" + (512 << 20) + "' is more than the kernel permits, " + limit + ": set it to at " +
            "most that, or raise the sysctl net.core." + sysctl,
            assertThrows(IllegalArgumentException.class, options::requirePermitted).getMessage());
    }

    @Test
    void shouldApplyVariablesWhenProviderIsLoadedWithSettings()
    {
        final Map<String, String> settings =
            Map.of("TUTTI_TCP_MAX_PAYLOAD", "1K", "TUTTI_TCP_CRC", "1", "tutti.tcp.crc", "0", "TUTTI_OTHER", "none");
        final InterfaceDevice device = (InterfaceDevice)RdmaProvider.load("tcp", settings).devices().getLast();

        assertEquals(1024, device.settings().get("tcp_max_payload"));
        assertEquals(0, device.settings().get("tcp_crc"));
    }

    @Test
    void shouldThrowWhenProviderIsLoadedWithInvalidSetting()
    {
        final Map<String, String> settings = Map.of("TUTTI_TCP_CRC", "maybe");

        assertEquals("TUTTI_TCP_CRC='maybe' is neither 1 nor 0",
            assertThrows(IllegalArgumentException.class, () -> RdmaProvider.load("tcp", settings)).getMessage());
        assertEquals("shm", RdmaProvider.load("shm", settings).name());
    }

    @Test
    void shouldThrowWhenPayloadOfFramesIsInvalid()
    {
        assertEquals("maxPayload is 0: must be a multiple of 16 from 512 to 65504",
            assertThrows(IllegalArgumentException.class, () -> new TcpOptions(true, "", 0, 0, 0, 0)).getMessage());
    }

    private static String available() throws IOException
    {
        return AVAILABLE + " (" + line(Path.of(AVAILABLE)) + ")";
    }

    /** Reads a sysctl, in one read: the kernel has no more for a second one. */
    private static String line(final Path file) throws IOException
    {
        try (BufferedReader content = Files.newBufferedReader(file))
        {
            return content.readLine();
        }
    }

    private static String refused(final Map<String, String> settings)
    {
        return assertThrows(IllegalArgumentException.class, () -> TcpOptions.of(settings)).getMessage();
    }
}
