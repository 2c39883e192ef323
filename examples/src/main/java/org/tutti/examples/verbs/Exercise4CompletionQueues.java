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
 * Exercise 4: open a device, and create a completion channel and two completion queues: one without the channel, one
 * with it.
 * <p>
 * A completion queue is where the adapter says what is done. It can always be polled, which costs a core and answers at
 * once. With a channel one can also sleep: the queue is armed, and its next completion makes one event on the channel.
 * The order matters, because an armed queue tells only of what comes later: arm, poll once more, and only then sleep.
 */
@Command(name = "verbs-4", mixinStandardHelpOptions = true,
    description = "Completion queues with and without a completion channel.")
final class Exercise4CompletionQueues extends Example
{
    private static final int WANTED = 100;
    private static final long SHORT_NS = 10_000_000;

    @Override
    public Integer call()
    {
        try (Port port = open();
            CompletionChannel channel = port.context().createCompletionChannel();
            CompletionQueue polled = port.context().createCompletionQueue(WANTED, null);
            CompletionQueue armed = port.context().createCompletionQueue(WANTED, channel))
        {
            // More completions than fit would be lost, and the queue with them: size it for all that can be under way.
            say("without channel: asked for %d completions, holds %d", WANTED, polled.capacity());
            say("with channel: asked for %d completions, holds %d", WANTED, armed.capacity());

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
