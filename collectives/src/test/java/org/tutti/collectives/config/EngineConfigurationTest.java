/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.config;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.collectives.ConfigurationException;
import org.tutti.collectives.endpoint.ControlBlock;
import org.tutti.collectives.schedule.Collective;
import org.tutti.rdma.select.PortName;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class EngineConfigurationTest
{
    private static final long YEAR_NS = TimeUnit.DAYS.toNanos(365);

    @Test
    void shouldUseDefaultsWhenSettingsAreMissingOrBlank()
    {
        final EngineConfiguration configuration = EngineConfiguration.of(Map.of(
            "TUTTI_TRANSPORT", " ", "TUTTI_TIMEOUT", "", "TUTTI_SCRATCH", "", "TUTTI_VERBOSE", ""));

        assertEquals(List.of(), configuration.transport().names());
        assertEquals(List.of(), configuration.portRequest().names());
        assertEquals(new PathSettings(14, 7, 7, 12, new Setting("TUTTI_MTU", "0"), 0, 0), configuration.path());
        assertEquals("direct", chosen(configuration));
        assertEquals(TimeUnit.MINUTES.toNanos(5), configuration.timeoutNs());
        assertEquals(TimeUnit.MINUTES.toNanos(1), configuration.connectTimeoutNs());
        assertEquals(4L << 20, configuration.scratchBytes());
        assertEquals(64L << 10, configuration.fusionBytes());
        assertFalse(configuration.verbose());
    }

    @Test
    void shouldUseSettingsOfTheEnvironment()
    {
        final EngineConfiguration configuration = EngineConfiguration.of(environment(
            "TUTTI_TRANSPORT", "verbs", "TUTTI_DEVICE", "mlx5_0:2",
            "TUTTI_ALGORITHM", "allreduce:0-:double_binary_tree", "TUTTI_JOIN_TIMEOUT", "3s",
            "TUTTI_ACK_TIMEOUT", "20", "TUTTI_RETRY_COUNT", "6", "TUTTI_RNR_RETRY", "5", "TUTTI_MTU", "2048",
            "TUTTI_MIN_RNR_TIMER", "1", "TUTTI_SERVICE_LEVEL", "3", "TUTTI_TRAFFIC_CLASS", "106"));

        assertEquals(List.of("verbs"), configuration.transport().names());
        assertEquals(List.of(new PortName("mlx5_0", 2)), configuration.portRequest().names());
        assertEquals(new PathSettings(20, 6, 5, 1, new Setting("TUTTI_MTU", "2048"), 3, 106), configuration.path());
        assertEquals("double_binary_tree", chosen(configuration));
        assertEquals(TimeUnit.SECONDS.toNanos(3), configuration.connectTimeoutNs());
    }

    @Test
    void shouldPreferThePropertyAndNameItInErrors()
    {
        final Map<String, String> settings = Map.of("TUTTI_TIMEOUT", "abc", "tutti.timeout", "7s");

        assertEquals(TimeUnit.SECONDS.toNanos(7), EngineConfiguration.of(settings).timeoutNs());
        assertRefused(Map.of("TUTTI_TIMEOUT", "1s", "tutti.timeout", "soon"), "tutti.timeout='soon' is not a " +
            "duration: give a number above 0 and a unit (ms, s, m, h), such as 30s or 1.5m");
    }

    @ParameterizedTest
    @CsvSource({"500ms, 500", "30s, 30000", "2, 2000", "1.5m, 90000", "1H, 3600000"})
    void shouldParseDeadlines(final String text, final long ms)
    {
        assertEquals(
            TimeUnit.MILLISECONDS.toNanos(ms), EngineConfiguration.of(Map.of("TUTTI_TIMEOUT", text)).timeoutNs());
    }

    @ParameterizedTest
    @CsvSource({"8760h", "9999999h", "99999999999999999999h"})
    void shouldCapDeadlinesAtAYear(final String text)
    {
        assertEquals(YEAR_NS, EngineConfiguration.of(Map.of("TUTTI_TIMEOUT", text)).timeoutNs());
    }

    @Test
    void shouldCapDurationsAtAYear()
    {
        assertEquals(YEAR_NS, EngineConfiguration.timeoutNs(ChronoUnit.FOREVER.getDuration()));
        assertEquals(YEAR_NS - 1, EngineConfiguration.timeoutNs(Duration.ofDays(365).minusNanos(1)));
        assertEquals(1, EngineConfiguration.timeoutNs(Duration.ofNanos(1)));
    }

    @ParameterizedTest
    @CsvSource({"64K, 65536", "65536, 65536", "70001, 70016", "4M, 4194304", "1g, 1073741824"})
    void shouldParseAndAlignSizes(final String text, final long bytes)
    {
        assertEquals(bytes, EngineConfiguration.of(Map.of("TUTTI_SCRATCH", text)).scratchBytes());
    }

    @Test
    void shouldPermitAsManyCallsInProgressAsPeersCanRead()
    {
        assertEquals(ControlBlock.CALLS, EngineConfiguration.MAX_CALLS_IN_PROGRESS);
    }

    @Test
    void shouldAssignProcessorsToRanksInTurn()
    {
        final ProgressSetting pinned = EngineConfiguration.of(Map.of("TUTTI_PROGRESS", "thread:1,3")).progress();

        assertTrue(pinned.isThread());
        assertEquals(List.of(1, 3, 1), List.of(pinned.processor(0), pinned.processor(1), pinned.processor(2)));
        assertEquals(-1, EngineConfiguration.of(Map.of("TUTTI_PROGRESS", "thread")).progress().processor(0));
        assertFalse(EngineConfiguration.of(Map.of()).progress().isThread());
    }

    @ParameterizedTest
    @CsvSource({"1, true", "true, true", "YES, true", "on, true", "0, false", "False, false", "no, false"})
    void shouldParseFlags(final String text, final boolean isSet)
    {
        assertEquals(isSet, EngineConfiguration.of(Map.of("TUTTI_VERBOSE", text)).verbose());
    }

    @ParameterizedTest
    @ValueSource(strings = {"verbs", "shm", "disni", "shm+verbs"})
    void shouldRejectTransportThatCannotUseTheNamedNetworkInterface(final String transport)
    {
        final ConfigurationException thrown = assertThrows(ConfigurationException.class, () -> EngineConfiguration.of(
            Map.of("TUTTI_TRANSPORT", transport, "TUTTI_DEVICE", "tcp:eth0")));

        assertEquals("TUTTI_DEVICE='tcp:eth0' names a network interface for transport tcp, but TUTTI_TRANSPORT='" +
            transport + "': use transport tcp or shm+tcp, or name an RDMA device; tutti devices lists them",
            thrown.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "auto", "tcp", "shm+tcp"})
    void shouldAcceptNamedNetworkInterfaceForTransportsWithTcp(final String transport)
    {
        assertTrue(EngineConfiguration.of(Map.of("TUTTI_TRANSPORT", transport, "TUTTI_DEVICE", "10.1.0.0/16"))
            .portRequest().isTcp());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "TIMEOUT|abc|is not a duration: give a number above 0 and a unit (ms, s, m, h), such as 30s or 1.5m",
        "TIMEOUT|0s|is not a duration: give a number above 0 and a unit (ms, s, m, h), such as 30s or 1.5m",
        "TIMEOUT|-1s|is not a duration: give a number above 0 and a unit (ms, s, m, h), such as 30s or 1.5m",
        "SCRATCH|abc|is not a size from 64K to 1T: give a number and a unit (K, M, G), such as 4M",
        "SCRATCH|63K|is not a size from 64K to 1T: give a number and a unit (K, M, G), such as 4M",
        "SCRATCH|-4M|is not a size from 64K to 1T: give a number and a unit (K, M, G), such as 4M",
        "SCRATCH|M|is not a size from 64K to 1T: give a number and a unit (K, M, G), such as 4M",
        "SCRATCH|4T|is not a size from 64K to 1T: give a number and a unit (K, M, G), such as 4M",
        "OUTSTANDING|0|is not a number from 1 to 16",
        "OUTSTANDING|17|is not a number from 1 to 16",
        "PROGRESS|threads|is not a way to progress requests: give caller, thread, or thread with processors, from 0 " +
            "to 8191, such as thread:1,3",
        "PROGRESS|thread:|is not a way to progress requests: give caller, thread, or thread with processors, from 0 " +
            "to 8191, such as thread:1,3",
        "PROGRESS|thread:1,8192|is not a way to progress requests: give caller, thread, or thread with processors, " +
            "from 0 to 8191, such as thread:1,3",
        "TRANSPORT|verbs+shm|is not a transport: give auto, one provider such as shm or verbs, or shm and one for " +
            "other hosts, such as shm+verbs",
        "TRANSPORT|shm+|is not a transport: give auto, one provider such as shm or verbs, or shm and one for " +
            "other hosts, such as shm+verbs",
        "TRANSPORT|shm+shm|is not a transport: give auto, one provider such as shm or verbs, or shm and one for " +
            "other hosts, such as shm+verbs",
        "TRANSPORT|shm+verbs+disni|is not a transport: give auto, one provider such as shm or verbs, or shm and one " +
            "for other hosts, such as shm+verbs",
        "FUSION|abc|is not a size from 0 to 1G: give a number and a unit (K, M, G), such as 64K",
        "FUSION|2G|is not a size from 0 to 1G: give a number and a unit (K, M, G), such as 64K",
        "ACK_TIMEOUT|0|is not a number from 1 to 31",
        "ACK_TIMEOUT|32|is not a number from 1 to 31",
        "RETRY_COUNT|8|is not a number from 0 to 7",
        "RNR_RETRY|-1|is not a number from 0 to 7",
        "MIN_RNR_TIMER|32|is not a number from 0 to 31",
        "SERVICE_LEVEL|16|is not a number from 0 to 15",
        "TRAFFIC_CLASS|256|is not a number from 0 to 255",
        "MTU|1500|is not an MTU: give 256, 512, 1024, 2048 or 4096, or 0 for the port's",
        "MTU|128|is not an MTU: give 256, 512, 1024, 2048 or 4096, or 0 for the port's",
        "MTU|8192|is not an MTU: give 256, 512, 1024, 2048 or 4096, or 0 for the port's",
        "TCP_MAX_PAYLOAD|1000|is not a multiple of 16 from 512 to 65504, in bytes",
        "PORT|0|is not a number from 1 to 255; list devices with: tutti devices",
        "VERBOSE|maybe|is neither 1 nor 0"})
    void shouldThrowWhenASettingIsInvalid(final String name, final String text, final String problem)
    {
        assertRefused(Map.of("TUTTI_" + name, text), "TUTTI_" + name + "='" + text + "' " + problem);
    }

    @Test
    void shouldReportWhetherRanksOfAHostAccessEachOthersMemory()
    {
        assertTrue(EngineConfiguration.isDirect(Map.of()));
        assertTrue(EngineConfiguration.isDirect(Map.of("TUTTI_TRANSPORT", "shm", "TUTTI_DIRECT", "1")));
        assertFalse(EngineConfiguration.isDirect(Map.of("TUTTI_DIRECT", "0")));
        assertFalse(EngineConfiguration.isDirect(Map.of("TUTTI_TRANSPORT", "verbs")));
    }

    @Test
    void shouldThrowWhenAlgorithmOrJoinTimeoutIsInvalid()
    {
        assertRefused(Map.of("TUTTI_ALGORITHM", "x"),
            "TUTTI_ALGORITHM=\"x\": \"x\" must be collective:range:algorithm, " +
            "such as allreduce:0-4k:recursive_doubling,4k-:ring");
        assertThrows(
            BootstrapException.class, () -> EngineConfiguration.of(Map.of("TUTTI_JOIN_TIMEOUT", "never")));
    }

    @Test
    void shouldUseTheMtuOfThePortOrASmallerOne()
    {
        assertEquals(1024, PathSettings.of(Map.of()).mtu("rxe0:1", 1024));
        assertEquals(512, PathSettings.of(Map.of("TUTTI_MTU", "512")).mtu("rxe0:1", 1024));

        final PathSettings path = PathSettings.of(Map.of("TUTTI_MTU", "4096"));
        assertEquals("TUTTI_MTU='4096' is more than the active MTU of rxe0:1, 1024: set it to at most that, or raise " +
            "the MTU of its network interface or subnet",
            assertThrows(ConfigurationException.class, () -> path.mtu("rxe0:1", 1024)).getMessage());
    }

    @Test
    void shouldComputeTheTimeUntilAPeerCountsAsUnreachable()
    {
        assertEquals(8 * 4096L * (1 << 14), PathSettings.of(Map.of()).unreachableTimeoutNs());
        assertEquals(4096L << 31, PathSettings.of(
            Map.of("TUTTI_ACK_TIMEOUT", "31", "TUTTI_RETRY_COUNT", "0")).unreachableTimeoutNs());
    }

    private static Map<String, String> environment(final String... namesAndValues)
    {
        final Map<String, String> environment = new HashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2)
        {
            environment.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return environment;
    }

    private static String chosen(final EngineConfiguration configuration)
    {
        return configuration.selector().choose(Collective.ALLREDUCE, 2, 1 << 26).algorithm().name();
    }

    private static void assertRefused(final Map<String, String> environment, final String message)
    {
        final ConfigurationException thrown =
            assertThrows(ConfigurationException.class, () -> EngineConfiguration.of(environment));
        assertEquals(message, thrown.getMessage());
    }
}
