/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.AsyncEvent;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Context;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.SendOpcode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Exercise 6: open a device, wait for asynchronous events in a loop, and print them.
 * <p>
 * Such events report what no completion can: that a port lost its link, that a queue overflowed, that a peer accessed
 * memory without permission. They are rare and occur at any time, so a separate thread waits for them.
 * <p>
 * To generate an event, the example overflows a completion queue: it posts one request more than the queue holds, and
 * does not poll. With {@code --seconds} it keeps listening; pull a cable, or set the interface down.
 */
@Command(name = "verbs-6", mixinStandardHelpOptions = true, description = "Asynchronous events.")
final class Exercise6AsyncEvents extends Example
{
    private static final int LENGTH = 4096;
    private static final long LOOK_NS = 100_000_000;
    private static final int PATIENCE_S = 30;

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "0",
        description = "How long to keep listening (default: ${DEFAULT-VALUE}).")
    private int seconds;

    private final CountDownLatch overrun = new CountDownLatch(1);
    private volatile boolean done;

    @Override
    public void check(final int size)
    {
        super.check(size);
        require(seconds >= 0, "--seconds=" + seconds, "must be at least 0");
    }

    @Override
    public Integer call()
    {
        check(1);
        try (Port port = open())
        {
            final Thread listener = Thread.ofPlatform().name("events").start(() -> listen(port.context()));
            try
            {
                overrun(port);
                TimeUnit.SECONDS.sleep(seconds);
            }
            finally
            {
                done = true;
                listener.join();
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        return 0;
    }

    private void listen(final Context context)
    {
        while (!done)
        {
            final AsyncEvent event = context.awaitAsyncEvent(LOOK_NS);
            if (event == null)
            {
                continue;
            }
            // The source of the event: a queue pair, a queue, a port by its number, or null for the device.
            final String what = switch (event.element())
            {
                case null -> "the device";
                case final Integer portNum -> "port " + portNum;
                case final QueuePair qp -> "QP " + qp.qpNum();
                case final CompletionQueue cq -> "a completion queue for " + cq.capacity();
                default -> "a shared receive queue";
            };
            say("event %s of %s", event.type(), what);
            if (event.type() == AsyncEventType.CQ_ERR)
            {
                overrun.countDown();
            }
        }
    }

    /** Connects two queue pairs of this process, and generates more completions than fit into the queue. */
    private void overrun(final Port port) throws InterruptedException
    {
        try (ProtectionDomain pd = port.context().allocateProtectionDomain();
            AllocatedMemory memory = port.context().allocateMemory(LENGTH);
            MemoryRegion region = pd.registerMemory(memory.address(), LENGTH, AccessFlags.ALL);
            CompletionQueue cq = port.context().createCompletionQueue(4, null);
            QueuePair sender = pd.createQueuePair(QueuePairInitAttributes.reliable(cq, cq.capacity() + 1, 1, 1, 0));
            QueuePair receiver = pd.createQueuePair(QueuePairInitAttributes.reliable(cq, 1, 1, 1, 0)))
        {
            final Address from = Address.of(port, sender);
            final Address to = Address.of(port, receiver);
            States.init(sender, QueuePairType.RC, port);
            States.init(receiver, QueuePairType.RC, port);
            States.connect(receiver, QueuePairType.RC, port, to, from, to.mtu());
            States.connect(sender, QueuePairType.RC, port, from, to, to.mtu());

            final WorkRequests requests = new WorkRequests(TimeUnit.SECONDS.toNanos(PATIENCE_S));
            for (int i = 0; i <= cq.capacity(); i++)
            {
                requests.send(SendOpcode.RDMA_WRITE, region, 0, Long.BYTES).rdma(region.address() + 64, region.rkey());
                requests.post(sender);
            }
            say("posted %d writes without polling a queue for %d completions", cq.capacity() + 1,
                cq.capacity());
            if (!overrun.await(PATIENCE_S, TimeUnit.SECONDS))
            {
                throw new ExampleException("no event reported the overflow within " + PATIENCE_S + " s");
            }
        }
    }
}
