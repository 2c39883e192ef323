/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.tutti.rdma.CompletionChannel;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;
import picocli.CommandLine.Command;

/**
 * Exercise 4: open a device, and create a completion channel and two completion queues, without and with the channel.
 * <p>
 * An adapter reports completed work requests in a completion queue. Polling works always; it occupies a core and has
 * the lowest latency. With a channel a thread can also sleep: the queue is armed, and its next completion generates one
 * event on the channel. The order matters, because an armed queue only reports later completions: arm, poll once more,
 * and only then sleep.
 */
@Command(name = "verbs-4", mixinStandardHelpOptions = true,
    description = "Completion queues with and without a completion channel.")
final class Exercise4CompletionQueues extends Example
{
    private static final int REQUESTED = 100;
    private static final long SHORT_NS = 10_000_000;

    @Override
    public Integer call()
    {
        try (Port port = open();
            CompletionChannel channel = port.context().createCompletionChannel();
            CompletionQueue polled = port.context().createCompletionQueue(REQUESTED, null);
            CompletionQueue armed = port.context().createCompletionQueue(REQUESTED, channel))
        {
            // A queue that overflows is lost: its capacity must cover all outstanding requests.
            say("without channel: asked for %d completions, holds %d", REQUESTED, polled.capacity());
            say("with channel: asked for %d completions, holds %d", REQUESTED, armed.capacity());

            armed.requestNotify(false);
            say("with channel: armed; event in 10 ms: %s", channel.awaitEvent(SHORT_NS) == null ? "none" : "one");
            try
            {
                polled.requestNotify(false);
            }
            catch (final RdmaException e)
            {
                say("without channel: cannot be armed, %s", Errno.name(e.errno()));
            }
        }
        return 0;
    }
}
