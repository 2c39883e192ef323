/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.tutti.bootstrap.BootstrapException;

class InProcessAgentLinkTest
{
    /** What one end hears: messages as "type:length", and the end. */
    private static final class Heard implements AgentHandler
    {
        private final BlockingQueue<String> words = new LinkedBlockingQueue<>();
        private final BlockingQueue<AgentLink> links = new LinkedBlockingQueue<>();
        private volatile byte[] last;

        @Override
        public void onJoined(final AgentLink link)
        {
            words.add("joined " + link.agent());
            links.add(link);
        }

        @Override
        public void onMessage(final AgentLink link, final int type, final byte[] payload)
        {
            last = payload;
            words.add(type + ":" + payload.length);
        }

        @Override
        public void onLost(final AgentLink link, final String cause)
        {
            words.add("lost " + cause);
        }

        String next() throws InterruptedException
        {
            return words.poll(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldConverseInOneProcess() throws Exception
    {
        final Heard coordinatorHears = new Heard();
        final Heard agentHears = new Heard();
        final AgentLink agent = InProcessAgentLink.connect(7, "here", coordinatorHears, agentHears);

        converse(agent, coordinatorHears, agentHears, 7);

        agent.close();
        assertEquals("lost null", coordinatorHears.next());
        assertThrows(BootstrapException.class, () -> agent.send(1, new byte[0]));
    }

    @Test
    void shouldAnswerFromWithinTheHandlerWithoutDeadlock() throws Exception
    {
        final Heard coordinatorHears = new Heard();
        final AgentHandler echo = new AgentHandler()
        {
            @Override
            public void onMessage(final AgentLink link, final int type, final byte[] payload)
            {
                link.send(type + 1, payload);
            }

            @Override
            public void onLost(final AgentLink link, final String cause)
            {
                // Not of interest here.
            }
        };
        InProcessAgentLink.connect(0, "here", coordinatorHears, echo);
        coordinatorHears.next();

        coordinatorHears.links.take().send(1, new byte[3]);

        assertEquals("2:3", coordinatorHears.next());
    }

    @Test
    void shouldDeliverWhatFollowsAnError() throws Exception
    {
        final AgentHandler failing = new AgentHandler()
        {
            @Override
            public void onMessage(final AgentLink link, final int type, final byte[] payload)
            {
                throw new OutOfMemoryError("unable to create native thread");
            }

            @Override
            public void onLost(final AgentLink link, final String cause)
            {
                // Not of interest here.
            }
        };
        final AgentLink agent = InProcessAgentLink.connect(0, "here", failing, failing);

        assertThrows(OutOfMemoryError.class, () -> agent.send(1, new byte[0]));
        assertThrows(OutOfMemoryError.class, () -> agent.send(2, new byte[0]));
    }

    private static void converse(
        final AgentLink agent, final Heard coordinatorHears, final Heard agentHears, final int number)
        throws Exception
    {
        final byte[] large = new byte[1 << 20];
        new Random(1).nextBytes(large);
        assertEquals("joined " + number, coordinatorHears.next());
        final AgentLink coordinator = coordinatorHears.links.poll(60, TimeUnit.SECONDS);
        assertNotNull(coordinator);
        assertEquals(number, coordinator.agent());
        assertEquals(agent.host(), coordinator.host());

        coordinator.send(1, new byte[0]);
        coordinator.send(2, large);
        agent.send(-3, new byte[5]);
        agent.send(4, large);

        assertEquals("1:0", agentHears.next());
        assertEquals("2:" + large.length, agentHears.next());
        assertArrayEquals(large, agentHears.last);
        assertEquals("-3:5", coordinatorHears.next());
        assertEquals("4:" + large.length, coordinatorHears.next());
        assertArrayEquals(large, coordinatorHears.last);
    }
}
