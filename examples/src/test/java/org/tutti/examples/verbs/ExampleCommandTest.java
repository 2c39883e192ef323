/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ParameterException;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ExampleCommandTest
{
    private static final List<String> NAMES = List.of("verbs-1", "verbs-2", "verbs-3", "verbs-4", "verbs-5", "verbs-6",
        "verbs-7", "verbs-8", "read-write", "remote-memory", "ring-buffer", "write-notification", "pingpong");

    @Test
    void shouldListOneExamplePerLine()
    {
        final Run run = Run.of();

        assertEquals(0, run.code());
        assertEquals(NAMES, run.text().lines().map((line) -> line.split(" +", 2)[0]).toList());
        assertTrue(run.text().lines().allMatch((line) -> line.split(" +", 2)[1].length() > 10), run.text());
    }

    @ParameterizedTest
    @CsvSource({"verbs-55, verbs-5", "ring-bufer, ring-buffer", "ping-pong, pingpong"})
    void shouldListNamesWhenUnknown(final String wrong, final String nearest)
    {
        final ParameterException e = assertThrows(ParameterException.class, () -> new Run().check(1, wrong));

        assertTrue(e.getMessage().contains("unknown example '" + wrong + "'"), e.getMessage());
        assertTrue(e.getMessage().contains(String.join(", ", NAMES)), e.getMessage());
        assertTrue(e.getMessage().contains("did you mean '" + nearest + "'?"), e.getMessage());
        assertEquals(2, Run.of(wrong).code());
    }

    @ParameterizedTest
    @ValueSource(strings = {"verbs-1", "verbs-5", "pingpong"})
    void shouldRejectSeveralRanks(final String name)
    {
        final ParameterException e = assertThrows(ParameterException.class, () -> new Run().check(2, name));

        assertTrue(e.getMessage().contains("-np 2"), e.getMessage());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "verbs-5 --type UD                    | must be RC or UC",
        "verbs-6 --seconds -1                 | must be at least 0",
        "verbs-8 --port 0                     | must be from 1 to 65535",
        "verbs-3 --ib-port 0                  | is not a number from 1 to 255",
        "verbs-3 --gid-index first            | is not a number from 0 to 65535",
        "verbs-8 --timeout 0                  | must be from 1 to 86400",
        "verbs-8 --listen --connect localhost | give at most one of them",
        "read-write append                    | must be read or write",
        "ring-buffer --messages 0             | must be from 1",
        "pingpong --type xrc                  | must be rc, uc, ud or srq",
        "pingpong --size 0                    | must be from 1",
        "pingpong --iters 0                   | must be at least 1",
        "pingpong --mtu 1500                  | must be 256, 512, 1024, 2048 or 4096",
        "pingpong --type srq --qps 256        | must be from 1 to 255",
        "pingpong --type srq --rx-depth 3     | must be at least the number of queue pairs, 16"})
    void shouldRejectInvalidOptionsBeforeStart(final String words, final String limit)
    {
        final ParameterException e =
            assertThrows(ParameterException.class, () -> new Run().check(1, words.split(" ", -1)));

        assertTrue(e.getMessage().contains(limit), e.getMessage());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "verbs-3 --transport pigeon               | unknown transport 'pigeon'",
        "verbs-3 --transport shm --device mlx5_9  | 'mlx5_9' is not a device of transport shm: choose one of [shm0]",
        "verbs-3 --transport shm --gid-index 200  | GID table entry 200 is empty; used entries: [0",
        "verbs-3 --transport shm --ib-port 2      | no device of transport shm has port 2: choose one of [shm0:1]",
        "verbs-3 --transport shm --device shm0:3  | shm0 has no port 3: its ports are 1 to 1",
        "pingpong --connect localhost --port 1 --timeout 1 | cannot reach localhost:1",
        "read-write --listen --port FREE --timeout 1 | no connection to port FREE within 1 s"})
    void shouldReportMissingResources(final String words, final String error) throws IOException
    {
        final String port = freePort();
        final Run run = Run.of(words.replace("FREE", port).split(" ", -1));

        assertEquals(1, run.code(), run.text());
        assertTrue(run.text().contains(error.replace("FREE", port)), run.text());
    }

    @Test
    void shouldApplySettingsOfTcp()
    {
        final String property = "tutti.tcp.max.payload";
        System.setProperty(property, "1000");
        try
        {
            final Run run = Run.of("verbs-1", "--transport", "tcp");

            assertEquals(2, run.code(), run.text());
            assertTrue(run.text().contains(property + "='1000' is not a multiple of 16"), run.text());
        }
        finally
        {
            System.clearProperty(property);
        }
    }

    private static String freePort() throws IOException
    {
        try (ServerSocket socket = new ServerSocket(0))
        {
            return Integer.toString(socket.getLocalPort());
        }
    }
}
