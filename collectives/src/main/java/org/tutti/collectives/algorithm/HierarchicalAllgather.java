/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.Blocks;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.pattern.Segments;
import org.tutti.collectives.schedule.Location;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;

/**
 * Allgather across hosts with several ranks each: every rank sends its block to the rank with the same index on each
 * other host; then each host runs a ring in which its ranks pass on their own blocks and those that they received. A
 * block enters each host once, and all ranks of a host send at the same time. On {@code h} hosts of {@code n} ranks,
 * one step of {@code h - 1} concurrent messages between hosts is followed by {@code n - 1} steps within them; a ring of
 * all ranks takes {@code h n - 1} steps. If a host has no rank with this index, its rank with the index modulo its
 * number of ranks gets the block. Blocks may differ in length; data goes directly to OUTPUT. No SCRATCH.
 * <p>
 * Träff, <i>Decomposing collectives for exploiting multi-lane communication</i>, 2019, arXiv:1910.13373.
 */
final class HierarchicalAllgather implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        return new Writer(new ScheduleBuilder(request), request).write();
    }

    /**
     * A segment of a block.
     *
     * @param of     rank that the block belongs to.
     * @param offset offset in OUTPUT, in elements.
     * @param length length in elements, at least 1.
     */
    private record Message(int of, long offset, long length)
    {
    }

    private static final class Writer
    {
        private final ScheduleBuilder steps;
        private final ScheduleRequest request;
        private final int rank;
        private final HostMap hosts;
        private final Blocks blocks;
        private final int window;
        private final int host;
        private final int index;
        private final int ranks;
        /** By host: the step after which this rank's peer there has exposed OUTPUT, or -1. */
        private final int[] exposed;
        /**
         * By message that this rank sends in the ring: the WAIT after which it has the data, or -1 for its own block.
         */
        private final List<Integer> bundleReady = new ArrayList<>();
        private final int[][] arrivals;

        Writer(final ScheduleBuilder steps, final ScheduleRequest request)
        {
            this.steps = steps;
            this.request = request;
            rank = request.rank();
            hosts = request.hosts();
            blocks = request.blocks();
            window = request.window();
            host = hosts.host(rank);
            index = hosts.index(rank);
            ranks = hosts.ranks(host);
            exposed = new int[hosts.number()];
            Arrays.fill(exposed, -1);
            arrivals = new int[request.size()][];
        }

        Schedule write()
        {
            OwnBlock.copy(steps, request);
            final List<Integer> senders = senders();
            final List<Message> incoming = ring(1);
            for (final int sender : senders)
            {
                steps.expose(sender, Channels.EXPOSE);
            }
            if (!incoming.isEmpty())
            {
                steps.expose(inHost(index - 1), Channels.EXPOSE);
            }
            exchangeBetweenHosts(senders);
            forwardInHost(incoming);
            return steps.build();
        }

        /** The ranks of other hosts that send this rank a block that is not empty. */
        private List<Integer> senders()
        {
            return bundle(index).stream().filter((of) -> of != rank && blocks.length(of) > 0).toList();
        }

        /** A bundle: the ranks whose blocks a rank of this host has before the ring. */
        private List<Integer> bundle(final int of)
        {
            return HostGroups.served(hosts, host, of);
        }

        private Segments segments(final int of)
        {
            return new Segments(blocks.offset(of), blocks.length(of), request.segment());
        }

        private void exchangeBetweenHosts(final List<Integer> senders)
        {
            int rounds = segments(rank).number();
            for (final int sender : senders)
            {
                arrivals[sender] = new int[segments(sender).number()];
                rounds = Math.max(rounds, arrivals[sender].length);
            }
            // A rank sends a window of rounds before it receives the first, so a link carries a window of segments; or
            // half of one if it needs credits, so that they return before they are needed.
            final int ahead = request.ahead(rounds);
            for (int round = 0; round < rounds + ahead; round++)
            {
                for (final int sender : senders)
                {
                    if (round >= ahead && round - ahead < arrivals[sender].length)
                    {
                        receiveFrom(sender, round - ahead);
                    }
                }
                for (int step = 1; step < hosts.number() && round < segments(rank).number(); step++)
                {
                    sendTo((host + step) % hosts.number(), round);
                }
            }
        }

        private void sendTo(final int other, final int round)
        {
            final int peer = HostGroups.counterpart(hosts, other, index);
            exposed[other] = round == 0 ? steps.await(peer, Channels.EXPOSE) : exposed[other];
            final int credit = round < window ? -1 : steps.await(peer, Channels.CREDIT);
            final Segments own = segments(rank);
            steps.put(
                peer, Channels.DATA, INPUT.at(own.offset(round) - blocks.offset(rank)), OUTPUT.at(own.offset(round)),
                own.length(round), exposed[other], credit);
        }

        private void receiveFrom(final int sender, final int round)
        {
            final int arrived = steps.await(sender, Channels.DATA);
            arrivals[sender][round] = arrived;
            if (round + window < arrivals[sender].length)
            {
                steps.signal(sender, Channels.CREDIT, arrived);
            }
        }

        /**
         * The messages that a rank sends in the ring, in order: first its own bundle, then all that it receives, except
         * in the last step.
         *
         * @param back 0 for this rank, 1 for the previous rank of the ring.
         */
        private List<Message> ring(final int back)
        {
            final List<Message> messages = new ArrayList<>();
            for (int step = 0; step < ranks - 1; step++)
            {
                for (final int of : bundle(Math.floorMod(index - back - step, ranks)))
                {
                    final Segments segments = segments(of);
                    for (int i = 0; i < segments.number(); i++)
                    {
                        messages.add(new Message(of, segments.offset(i), segments.length(i)));
                    }
                }
            }
            return messages;
        }

        private void forwardInHost(final List<Message> incoming)
        {
            final List<Message> outgoing = ring(0);
            for (final int of : ranks == 1 ? List.<Integer>of() : bundle(index))
            {
                for (int i = 0; i < segments(of).number(); i++)
                {
                    bundleReady.add(of == rank ? -1 : arrivals[of][i]);
                }
            }
            final int own = bundleReady.size();
            final int ahead = request.halfWindow();
            int sent = 0;
            for (int received = 0; received < incoming.size(); received++)
            {
                while (sent < Math.min(outgoing.size(), received + ahead) && sent - own < received)
                {
                    send(outgoing.get(sent), sent++);
                }
                receive(received, incoming.size());
            }
            while (sent < outgoing.size())
            {
                send(outgoing.get(sent), sent++);
            }
        }

        private void send(final Message message, final int number)
        {
            final int next = inHost(index + 1);
            if (number == 0)
            {
                exposed[host] = steps.await(next, Channels.EXPOSE);
            }
            final int credit = number < window ? -1 : steps.await(next, Channels.CREDIT);
            final Location destination = OUTPUT.at(message.offset);
            final Location source =
                message.of == rank ? INPUT.at(message.offset - blocks.offset(rank)) : destination;
            steps.put(
                next, Channels.DATA, source, destination, message.length, bundleReady.get(number), exposed[host],
                credit);
        }

        private void receive(final int number, final int all)
        {
            final int previous = inHost(index - 1);
            final int arrived = steps.await(previous, Channels.DATA);
            bundleReady.add(arrived);
            if (number + window < all)
            {
                steps.signal(previous, Channels.CREDIT, arrived);
            }
        }

        private int inHost(final int at)
        {
            return hosts.rank(host, Math.floorMod(at, ranks));
        }
    }
}
