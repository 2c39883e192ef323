/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tutti.launcher.TuttiProcess;
import org.tutti.launcher.host.Binding;
import org.tutti.launcher.io.FileSink;
import org.tutti.launcher.io.OutputSink;
import org.tutti.launcher.rank.ProgramSpec;
import org.tutti.launcher.rank.Reaper;

class NodeAgentTest implements AgentHandler, Reaper.Listener
{
    private final BlockingQueue<AgentMessage> received = new LinkedBlockingQueue<>();
    private AgentLink toAgent;

    @TempDir
    private Path directory;

    @Test
    void shouldReportRankThatCannotBeStartedAndContinue() throws IOException, InterruptedException
    {
        try (Reaper reaper = new Reaper("no-job-of-this-name", directory.resolve("job"), this);
            OutputSink sink = new FileSink(directory, 2))
        {
            InProcessAgentLink.connect(0, "here", this, new NodeAgent(reaper, sink, null, true));
            start(0, Map.of("no=name", "of a variable"), "true");
            start(1, Map.of(), "sleep", "600");

            final AgentMessage.NotStarted unchecked = assertInstanceOf(AgentMessage.NotStarted.class, next());
            assertEquals(0, unchecked.rank());
            assertTrue(unchecked.cause().contains("no=name"), unchecked.cause());
            assertEquals(1, assertInstanceOf(AgentMessage.Started.class, next()).rank());
        }
    }

    @Test
    void shouldStartNoRanksAfterStopStarting() throws IOException, InterruptedException
    {
        final Path job = directory.resolve("job-" + UUID.randomUUID());
        try (OutputSink sink = new FileSink(directory, 100))
        {
            try (Reaper reaper = new Reaper("no-job-of-this-name", job, this))
            {
                final NodeAgent agent = new NodeAgent(reaper, sink, null, true);
                InProcessAgentLink.connect(0, "here", this, agent);
                for (int rank = 0; rank < 100; rank++)
                {
                    start(rank, Map.of("TUTTI_JOB_DIR", job.toString()), "sleep", "600");
                }
                assertInstanceOf(AgentMessage.Started.class, next());

                agent.stopStarting();
                received.clear();
                assertNull(received.poll(1, TimeUnit.SECONDS), "a rank was started later");
            }
            TuttiProcess.await("no process left", () -> TuttiProcess.processesWith("TUTTI_JOB_DIR=" + job).isEmpty());
        }
    }

    @Override
    public void onJoined(final AgentLink link)
    {
        toAgent = link;
    }

    @Override
    public void onMessage(final AgentLink link, final AgentMessage message)
    {
        received.add(message);
    }

    @Override
    public void onLost(final AgentLink link, final String cause)
    {
        throw new IllegalStateException("lost " + link.agent() + ": " + cause);
    }

    @Override
    public void onKilled(final String cause)
    {
        throw new IllegalStateException(cause);
    }

    @Override
    public void onReplaced(final String notice)
    {
        throw new IllegalStateException(notice);
    }

    private void start(final int rank, final Map<String, String> environment, final String... words)
    {
        toAgent.send(new AgentMessage.Start(rank, rank, new Binding(Binding.Unit.NONE, false), false,
            new ProgramSpec(ProgramSpec.Kind.EXECUTABLE, "", List.of(), List.of(words)), environment));
    }

    private AgentMessage next() throws InterruptedException
    {
        return received.poll(30, TimeUnit.SECONDS);
    }
}
