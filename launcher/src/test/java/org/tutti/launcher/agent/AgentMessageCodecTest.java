/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.tutti.bootstrap.ProcessState;
import org.tutti.launcher.host.Binding;
import org.tutti.launcher.rank.ProgramSpec;

class AgentMessageCodecTest
{
    @Property
    void shouldDecodeEncodedMessages(
        @ForAll final int number,
        @ForAll final long pid,
        @ForAll final boolean flag,
        @ForAll final List<String> texts,
        @ForAll final Map<String, String> map)
    {
        for (final AgentMessage message : List.of(
            new AgentMessage.Start(number, number, new Binding(Binding.Unit.SOCKET, flag), !flag,
                new ProgramSpec(ProgramSpec.Kind.JVM, texts.toString(), texts, texts), map),
            new AgentMessage.Hello(texts.toString(), number, number, texts.toString(), pid, flag),
            new AgentMessage.Ready(
                texts.toString(), "/x", number, -number, number, "", "10.0.0.1", texts.toString()),
            new AgentMessage.Refused(texts.toString()),
            new AgentMessage.OutputPassed(number),
            new AgentMessage.InputPassed(number),
            new AgentMessage.Finish(number, flag),
            new AgentMessage.Finished(),
            new AgentMessage.Notice(texts.toString()),
            new AgentMessage.Signal(number, "TERM"),
            new AgentMessage.Started(number, pid),
            new AgentMessage.Bound(number, texts.toString()),
            new AgentMessage.NotStarted(number, texts.toString()),
            new AgentMessage.Watch(number, pid),
            new AgentMessage.State(number, pid, ProcessState.STOPPED),
            new AgentMessage.Ended(number, pid, number),
            new AgentMessage.LastOutput(number, texts),
            new AgentMessage.OutputLost(number, texts.toString())))
        {
            // An unpaired surrogate is not valid text, and is encoded as '?'.
            if (message.toString().chars().noneMatch(c -> Character.isSurrogate((char)c)))
            {
                assertEquals(message,
                    AgentMessageCodec.decode(AgentMessageCodec.type(message), AgentMessageCodec.encode(message)));
            }
        }
    }

    @Test
    void shouldRejectInvalidMessages()
    {
        final byte[] start = AgentMessageCodec.encode(new AgentMessage.Start(1, 2,
            new Binding(Binding.Unit.CORE, true), false,
            new ProgramSpec(ProgramSpec.Kind.EXECUTABLE, "", List.of(), List.of("a")), Map.of("b", "c")));

        assertThrows(IllegalArgumentException.class, () -> AgentMessageCodec.decode(99, start));
        for (int length = 0; length < start.length; length++)
        {
            final byte[] cut = Arrays.copyOf(start, length);
            assertThrows(IllegalArgumentException.class, () -> AgentMessageCodec.decode(1, cut));
        }
    }
}
