/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.tutti.bootstrap.BootstrapException;

class InProcessAgentLinkTest
{
    /** Records what one end receives: the texts of notices, and the loss of the link. */
    private static final class Received implements AgentHandler
    {
        private final BlockingQueue<String> words = new LinkedBlockingQueue<>();
        private final BlockingQueue<AgentLink> links = new LinkedBlockingQueue<>();

        @Override
        public void onJoined(final AgentLink link)
        {
            words.add("joined " + link.agent());
            links.add(link);
        }

        @Override
        public void onMessage(final AgentLink link, final AgentMessage message)
        {
            words.add(((AgentMessage.Notice)message).text());
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
    void shouldExchangeMessagesInOrder() throws Exception
    {
        final Received atLauncher = new Received();
        final Received atAgent = new Received();
        final AgentLink agent = InProcessAgentLink.connect(7, "here", atLauncher, atAgent);

        exchange(agent, atLauncher, atAgent, 7);

        agent.close();
        assertEquals("lost null", atLauncher.next());
        assertThrows(BootstrapException.class, () -> agent.send(notice("first")));
    }

    @Test
    void shouldSendFromHandlerWithoutDeadlock() throws Exception
    {
        final Received atLauncher = new Received();
        final AgentHandler echo = new AgentHandler()
        {
            @Override
            public void onMessage(final AgentLink link, final AgentMessage message)
            {
                link.send(notice(message + " again"));
            }

            @Override
            public void onLost(final AgentLink link, final String cause)
            {
                // Not tested here.
            }
        };
        InProcessAgentLink.connect(0, "here", atLauncher, echo);
        atLauncher.next();

        atLauncher.links.take().send(notice("word"));

        assertEquals(notice("word") + " again", atLauncher.next());
    }

    @Test
    void shouldDeliverNextMessageWhenHandlerFails() throws Exception
    {
        final AgentHandler failing = new AgentHandler()
        {
            @Override
            public void onMessage(final AgentLink link, final AgentMessage message)
            {
                throw new OutOfMemoryError("unable to create native thread");
            }

            @Override
            public void onLost(final AgentLink link, final String cause)
            {
                // Not tested here.
            }
        };
        final AgentLink agent = InProcessAgentLink.connect(0, "here", failing, failing);

        assertThrows(OutOfMemoryError.class, () -> agent.send(notice("first")));
        assertThrows(OutOfMemoryError.class, () -> agent.send(notice("second")));
    }

    private static void exchange(
        final AgentLink agent, final Received atLauncher, final Received atAgent, final int number)
        throws Exception
    {
        assertEquals("joined " + number, atLauncher.next());
        final AgentLink coordinator = atLauncher.links.poll(60, TimeUnit.SECONDS);
        assertNotNull(coordinator);
        assertEquals(number, coordinator.agent());
        assertEquals(agent.host(), coordinator.host());

        coordinator.send(notice("there"));
        coordinator.send(notice("there again"));
        agent.send(notice("back"));
        agent.send(notice("back again"));

        assertEquals("there", atAgent.next());
        assertEquals("there again", atAgent.next());
        assertEquals("back", atLauncher.next());
        assertEquals("back again", atLauncher.next());
    }

    private static AgentMessage notice(final String text)
    {
        return new AgentMessage.Notice(text);
    }
}
