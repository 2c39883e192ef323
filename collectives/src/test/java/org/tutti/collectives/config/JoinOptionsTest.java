/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.config;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tutti.collectives.JoinOptions;
import org.tutti.rdma.tcp.TcpOptions;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class JoinOptionsTest
{
    private static final Pattern VARIABLE = Pattern.compile("^\\| `TUTTI_([A-Z_]+)` \\|", Pattern.MULTILINE);
    /** Settings that the launcher, the coordinator or the command line reads, not a rank. */
    private static final List<String> OF_OTHERS = List.of("TUTTI_HEARTBEAT_TIMEOUT", "TUTTI_STALL_TIMEOUT", "TUTTI_SSH",
        "TUTTI_REMOTE_PATH", "TUTTI_ADDRESS", "TUTTI_STACK_TRACES");

    @Test
    void shouldHaveSetterForEverySettingOfTheDocumentation() throws Exception
    {
        final String page = Files.readString(Path.of("../docs/configuration.md"));
        final List<String> variables = VARIABLE.matcher(page.substring(0, page.indexOf("## Variables that"))).results()
            .map(MatchResult::group).map(row -> row.substring(3, row.length() - 3)).toList();
        assertTrue(variables.size() > 25, variables::toString);
        final List<String> setters = Arrays.stream(JoinOptions.class.getMethods())
            .filter(method -> method.getReturnType() == JoinOptions.class).map(Method::getName).toList();

        assertEquals(List.of(), variables.stream()
            .filter(variable -> !OF_OTHERS.contains(variable) && !setters.contains(setter(variable))).toList());
    }

    private static String setter(final String variable)
    {
        final String name = Stream.of(variable.substring("TUTTI_".length()).split("_"))
            .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
            .collect(Collectors.joining());
        return Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }

    @Test
    void shouldPreferSetterToPropertyToVariable()
    {
        System.setProperty("tutti.timeout", "7s");
        System.setProperty("tutti.outstanding", "3");
        try
        {
            final EngineConfiguration configuration = EngineConfiguration.of(
                JoinOptions.ofEnvironment().timeout(Duration.ofMillis(1500)).settings());

            assertEquals(TimeUnit.MILLISECONDS.toNanos(1500), configuration.timeoutNs());
            assertEquals(3, configuration.callsInProgress());
        }
        finally
        {
            System.clearProperty("tutti.timeout");
            System.clearProperty("tutti.outstanding");
        }
        assertEquals(5, EngineConfiguration.of(Map.of("TUTTI_OUTSTANDING", "5")).callsInProgress());
    }

    @Test
    void shouldPassEverySetterToTheConfiguration(@TempDir final Path directory)
    {
        final EngineConfiguration configuration = EngineConfiguration.of(JoinOptions.of(0, 1)
            .joinTimeout(Duration.ofSeconds(9)).timeout(Duration.ofDays(400)).algorithm("allreduce:0-:ring")
            .reproducible(true).resultHashes("h").outstanding(4).progress("thread").scratch(1 << 20).fusion(0)
            .direct(false).verbose(true).transport("shm+verbs").host("h1").device("mlx5_0").port(2).gidIndex(3)
            .shmDir(directory).oversubscribed(true).ackTimeout(20).retryCount(6).rnrRetry(5).minRnrTimer(1).mtu(2048)
            .serviceLevel(3).trafficClass(106).tcpCrc(false).tcpCongestionControl("reno").tcpSendBuffer(1 << 20)
            .tcpReceiveBuffer(1 << 21).tcpMaxPayload(1024).tcpBusyPoll(50).settings());

        assertEquals(TimeUnit.SECONDS.toNanos(9), configuration.connectTimeoutNs());
        assertEquals(Duration.ofDays(365).toNanos(), configuration.timeoutNs());
        assertEquals("allreduce:0-:ring", configuration.selector().overrides());
        assertTrue(configuration.reproducible());
        assertEquals("h", configuration.resultHashes());
        assertEquals(4, configuration.callsInProgress());
        assertTrue(configuration.progress().isThread());
        assertEquals(1 << 20, configuration.scratchBytes());
        assertEquals(0, configuration.fusionBytes());
        assertTrue(!configuration.direct() && configuration.verbose());
        assertEquals(List.of("shm", "verbs"), configuration.transport().names());
        assertEquals("h1", configuration.host());
        assertEquals("mlx5_0", configuration.portRequest().names().getFirst().device());
        assertEquals(2, configuration.portRequest().port());
        assertEquals(3, configuration.portRequest().gidIndex());
        assertEquals(directory.toString(), configuration.shmDirectory());
        assertEquals("1", configuration.oversubscribed());
        assertEquals(
            new PathSettings(20, 6, 5, 1, new Setting("tutti.mtu", "2048"), 3, 106), configuration.path());
        assertEquals(new TcpOptions(false, "reno", 1 << 20, 1 << 21, 1024, 50), configuration.tcp());
    }
}
