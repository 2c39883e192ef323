/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Output of the examples, common to all transports. */
abstract class ExamplesContract
{
    private final String transport;
    private final String device;

    ExamplesContract(final String transport, final String device)
    {
        this.transport = transport;
        this.device = device;
    }

    @Test
    void shouldListDevicesWithNodeTypes()
    {
        assertSays(run("verbs-1"), device + ": node type [A-Z]+, transport [A-Z_]+, GUID [0-9a-f]{16}");
    }

    @Test
    void shouldListGidsOfPorts()
    {
        final String text = run("verbs-2");

        assertSays(text, device + " port 1: GID\\[0] (?:[0-9a-f]{4}:){7}[0-9a-f]{4}");
        assertSays(text, "    ACTIVE, .*");
    }

    @Test
    void shouldRegisterThreeRegionsWithAccessFlags()
    {
        final String text = run("verbs-3");

        assertSays(text, "local read    4096 bytes at .*, access 0, .*");
        assertSays(text, "local write   4096 bytes at .*, access 1, .*");
        assertSays(text, "remote write  4096 bytes at .*, access 3, .*");
        assertSays(text, "remote write without local write: refused, EINVAL");
    }

    @Test
    void shouldCreateCompletionQueuesWithAndWithoutChannel()
    {
        final String text = run("verbs-4");

        assertSays(text, "without channel: asked for 100 completions, holds [1-9]\\d{2,}");
        assertSays(text, "with channel: armed; event in 10 ms: none");
        assertSays(text, "without channel: cannot be armed, EINVAL");
    }

    @Test
    void shouldTransferWithEveryOpcodeOverReliableConnection()
    {
        final String text = run("verbs-5", "--type", "rc");

        assertTransfers("RC", text);
        assertSays(text, "RC requester: read 'written into your memory'");
        assertSays(text, "RC requester: the counter was 37");
        assertSays(text, "RC requester: the counter was 42");
        assertSays(text, "RC responder: the counter is 1000");
    }

    @Test
    void shouldTransferWithEveryOpcodeOverUnreliableConnection()
    {
        assertTransfers("UC", run("verbs-5", "--type", "UC"));
    }

    @Test
    void shouldPrintEventWhenQueueOverflows()
    {
        assertSays(run("verbs-6"), "event CQ_ERR of a completion queue for \\d+");
    }

    @Test
    void shouldReceiveFromTwoConnectionsWithOneQueue()
    {
        final String text = run("verbs-7");

        assertSays(text, "server: connection 1, receive \\d+: 'message 0'");
        assertSays(text, "server: connection 2, receive \\d+: 'message 5'");
        assertSays(text, "server: fewer than 2 receives left: posting 4 more");
    }

    @Test
    void shouldReplyToSenderOfDatagram()
    {
        final String text = run("verbs-8");

        // 40 bytes before the message of 10 bytes.
        assertSays(text, "server: 50 bytes from QP \\d+ at .*: 'who am I\\?'");
        assertSays(text, "client: QP \\d+ answers 'you are QP \\d+'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"read", "write"})
    void shouldReadOrWriteMemoryOfPeer(final String how)
    {
        final String text = run("read-write", how);

        assertSays(text, "server: received MSG_MR, 1024 bytes at .*");
        assertSays(text, "client: received MSG_DONE");
        assertSays(text, "server: greetings from the client, process " + ProcessHandle.current().pid());
        assertSays(text, "client: greetings from the server, process " + ProcessHandle.current().pid());
    }

    @Test
    void shouldLinkAndFreeBlocksOfPeerMemory()
    {
        final String text = run("remote-memory");

        assertSays(text, "client: 6 blocks, \\d+ bytes of the server's memory");
        assertSays(text, "client: freed the one with 'do not'; \\d+ bytes left in use");
        assertSays(text, "server: in my memory: many hands make light work");
    }

    @Test
    void shouldStreamThroughRingWithoutLoss()
    {
        final String text = run("ring-buffer", "--messages", "300", "--seed", "7");

        final String sum = "300 messages, \\d+ bytes, checksum [0-9a-f]{8}";
        assertSays(text, "producer: " + sum + "; waited for room \\d+ times");
        final String produced = find("producer: (" + sum + ")", text);
        assertSays(text, "consumer: " + produced);
    }

    @Test
    void shouldNotifyOfWritesInThreeWays()
    {
        final String text = run("write-notification");

        assertSays(text, "server: notified by immediate 7: 'data'");
        assertSays(text, "server: notified by a message after the write: 'data'");
        assertSays(text, "server: notified by a flag in memory: 'data'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc", "uc", "ud", "srq"})
    void shouldRunPingpongInOneProcess(final String type)
    {
        final String text = run("pingpong", "--type", type, "--iters", "50");

        assertSays(text, type + " server: \\d+ messages of \\d+ bytes sent, \\d+ received in .*");
        assertSays(text, type + " client: \\d+ messages of \\d+ bytes sent, \\d+ received in .*, the bytes intact");
    }

    private static void assertTransfers(final String type, final String text)
    {
        assertSays(text, type + " responder: a SEND: 10 bytes, receive 0");
        assertSays(text, type + " responder: a SEND_WITH_IMM: 24 bytes, receive 1, immediate cafe");
        assertSays(text, type + " responder: an RDMA_WRITE_WITH_IMM: 26 bytes, receive 2, immediate caff");
        assertSays(text,
            type + " responder: in memory 'written into your memory' and 'written with an immediate'");
    }

    private String run(final String name, final String... options)
    {
        final String[] words = new String[options.length + 3];
        words[0] = name;
        words[1] = "--transport";
        words[2] = transport;
        System.arraycopy(options, 0, words, 3, options.length);
        final Run run = Run.of(words);
        assertEquals(0, run.code(), run.text());
        return run.text();
    }

    private static void assertSays(final String text, final String line)
    {
        assertTrue(text.lines().anyMatch((each) -> each.matches(line)), line + " matches no line of:\n" + text);
    }

    private static String find(final String pattern, final String text)
    {
        return Pattern.compile(pattern).matcher(text).results().findFirst().orElseThrow().group(1);
    }
}
