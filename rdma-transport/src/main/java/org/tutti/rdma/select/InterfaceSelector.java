/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Selects the network interface of a rank, and its address: a pure function of the interfaces, the user's request and
 * the location of the peers.
 * <ul>
 * <li>Only interfaces that are up and have an address are considered.</li>
 * <li>Addresses of an interface: IPv4, then IPv6, then link-local IPv4; link-local IPv6 only if it is named.</li>
 * <li>Without a request, for peers on other hosts: interfaces with routable addresses first; adapters whose speed is
 * known, the fastest first, then those of unknown speed, then virtual interfaces. Loopback and bridges within this
 * host are never selected. Ties go to the first in the order of the system.</li>
 * <li>If all peers are on this host: loopback, which no other host reaches.</li>
 * <li>A name, an address or a network selects one interface, the best if it fits several. Several are distributed
 * round-robin over the ranks of a host, in the order named.</li>
 * </ul>
 */
final class InterfaceSelector
{
    private final List<InterfaceDescription> interfaces;
    private final PortRequest request;
    private final PeerLocation peers;
    private final List<InterfaceCandidate> candidates = new ArrayList<>();

    private InterfaceSelector(
        final List<InterfaceDescription> interfaces, final PortRequest request, final PeerLocation peers)
    {
        this.interfaces = interfaces;
        this.request = request;
        this.peers = peers;
    }

    /**
     * Selects an interface.
     *
     * @param interfaces all interfaces of this host, in the order of the system.
     * @param request    request of the user.
     * @param localRank  index of this rank among the ranks of the host, from 0.
     * @param peers      location of the peers.
     * @return the selected interface, or the reason why there is none.
     */
    static InterfaceSelection select(
        final List<InterfaceDescription> interfaces, final PortRequest request, final int localRank,
        final PeerLocation peers)
    {
        final InterfaceSelector selector = new InterfaceSelector(interfaces, request, peers);
        return request.names().isEmpty() ? selector.selectBest() : selector.selectNamed(localRank);
    }

    private InterfaceSelection selectBest()
    {
        for (int i = 0; i < interfaces.size(); i++)
        {
            candidates.add(evaluate(i));
        }
        final String wrong = problemWithNumbers();
        if (wrong != null)
        {
            return problem(wrong, true);
        }
        final int best = best(candidates);
        return best < 0 ? noUsable(peers == PeerLocation.OTHER_HOSTS ?
            "no network interface reaches other hosts" : "no network interface can be used", false) : chosen(best);
    }

    /** Evaluates an interface that is not named. */
    private InterfaceCandidate evaluate(final int index)
    {
        final InterfaceDescription one = interfaces.get(index);
        final InetAddress address = one.address();
        if (!one.isUp() || address == null)
        {
            return unusable(index);
        }
        if (AddressKind.of(address) == AddressKind.IPV6_LINK_LOCAL)
        {
            return rejected(index, "has only a link-local IPv6 address: give it another one, or name it");
        }
        if (one.kind() == InterfaceKind.LOOPBACK && peers == PeerLocation.OTHER_HOSTS)
        {
            return rejected(index, "loopback, which other hosts do not reach");
        }
        if (one.kind() == InterfaceKind.BRIDGE && peers != PeerLocation.THIS_HOST)
        {
            return rejected(index, "a bridge within this host: name it if other hosts are behind it");
        }
        return new InterfaceCandidate(index, address, true, "");
    }

    private InterfaceCandidate unusable(final int index)
    {
        final InterfaceDescription one = interfaces.get(index);
        return rejected(index, one.isUp() ?
            "has no address: give it one, by ip address add ADDRESS/PREFIX dev " + one.name() :
            "is down: bring it up, by ip link set " + one.name() + " up");
    }

    private static InterfaceCandidate rejected(final int index, final String why)
    {
        return new InterfaceCandidate(index, null, false, why);
    }

    /** The problem with settings of ports and GIDs, of which an interface has one each; null if there is none. */
    private String problemWithNumbers()
    {
        return request.port() > 1 ? request.sources().port() + ": a network interface has only port 1" :
            request.gidIndex() > 0 ? request.sources().gidIndex() + ": a network interface has only GID 0; name " +
                "the address instead, such as " + TransportNames.TCP + ":10.1.0.7" : null;
    }

    /** Index of the best usable candidate; -1 if there is none. */
    private int best(final List<InterfaceCandidate> among)
    {
        InterfaceCandidate best = null;
        for (final InterfaceCandidate one : among)
        {
            if (one.isUsable() && (best == null || compare(one, best) < 0))
            {
                best = one;
            }
        }
        return best == null ? -1 : best.index();
    }

    /** Compares by preference: less than 0 if {@code a} is preferred, 0 on a tie. */
    private int compare(final InterfaceCandidate a, final InterfaceCandidate b)
    {
        final InterfaceDescription one = interfaces.get(a.index());
        final InterfaceDescription other = interfaces.get(b.index());
        final boolean isLoopback = one.kind() == InterfaceKind.LOOPBACK;
        if (isLoopback != (other.kind() == InterfaceKind.LOOPBACK))
        {
            return isLoopback == (peers == PeerLocation.THIS_HOST) ? -1 : 1;
        }
        return compare(one, a.address(), other, b.address());
    }

    /**
     * Compares interfaces by preference for connections to other hosts.
     *
     * @return less than 0 if the first one is preferred, 0 on a tie.
     */
    static int compare(
        final InterfaceDescription a, final InetAddress ofA, final InterfaceDescription b, final InetAddress ofB)
    {
        final boolean isRoutable = ofA != null && AddressKind.of(ofA).isRoutable();
        if (isRoutable != (ofB != null && AddressKind.of(ofB).isRoutable()))
        {
            return isRoutable ? -1 : 1;
        }
        return a.kind() != b.kind() ? a.kind().compareTo(b.kind()) : Integer.compare(b.mbit(), a.mbit());
    }

    private InterfaceSelection chosen(final int best)
    {
        final InterfaceCandidate chosen = candidates.get(best);
        final InterfaceDescription one = interfaces.get(best);
        final long usable = candidates.stream().filter(InterfaceCandidate::isUsable).count();
        final boolean isTie = candidates.stream().anyMatch(
            other -> other.isUsable() && other.index() != best && compare(other, chosen) == 0);
        for (final InterfaceCandidate other : List.copyOf(candidates))
        {
            if (other.isUsable())
            {
                candidates.set(other.index(), other.because(other.index() == best ? "" : whyNot(chosen, other)));
            }
        }
        return chosen(best, one.kind() == InterfaceKind.LOOPBACK ? peers == PeerLocation.THIS_HOST ?
            "all ranks are on this host" : "the only interface, which reaches this host only" :
            (usable == 1 ? "the only usable interface" : (isTie ? "the first of the best of " : "the best of ") +
            usable + " interfaces") + ": " + one.text());
    }

    private String whyNot(final InterfaceCandidate chosen, final InterfaceCandidate other)
    {
        final InterfaceDescription one = interfaces.get(chosen.index());
        final InterfaceDescription another = interfaces.get(other.index());
        if (one.kind() == InterfaceKind.LOOPBACK)
        {
            return "not needed, as all ranks are on this host";
        }
        if (another.kind() == InterfaceKind.LOOPBACK)
        {
            return "used if all ranks are on this host";
        }
        if (AddressKind.of(chosen.address()).isRoutable() && !AddressKind.of(other.address()).isRoutable())
        {
            return "its address is link-local";
        }
        return compare(chosen, other) == 0 ? "tie with " + one.name() + ", which comes first" :
            one.kind() == another.kind() && another.mbit() > 0 ?
            "slower than " + one.name() + ": " + another.speed() : "after " + one.name() + ": " + another.text();
    }

    private InterfaceSelection selectNamed(final int localRank)
    {
        for (int i = 0; i < interfaces.size(); i++)
        {
            candidates.add(rejected(i, "not selected by " + request.sources().device()));
        }
        final List<InterfaceCandidate> named = new ArrayList<>();
        for (final PortName name : request.ports())
        {
            final InterfacePattern pattern;
            try
            {
                pattern = InterfacePattern.of(name.device());
            }
            catch (final IllegalArgumentException e)
            {
                return problem(request.sources().device() + ": " + e.getMessage(), true);
            }
            if (name.port() > 1)
            {
                return problem((request.port() == name.port() ? request.sources().port() :
                    request.sources().device()) + ": a network interface has only port 1", true);
            }
            final List<InterfaceCandidate> fitting = fitting(pattern);
            if (fitting.isEmpty())
            {
                return problem(request.sources().device() + ": " + pattern.missing() + ": it has " +
                    InterfaceList.text(interfaces) + "; name one of these, or, for several hosts, a network such as " +
                    InterfaceList.network(interfaces), true);
            }
            fitting.forEach(one -> candidates.set(one.index(), one));
            final int best = best(fitting);
            if (best >= 0 && named.stream().noneMatch(one -> one.equals(candidates.get(best))))
            {
                named.add(candidates.get(best));
            }
        }
        final String wrong = problemWithNumbers();
        return wrong != null ? problem(wrong, true) : named.isEmpty() ?
            noUsable(request.sources().device() + ": no such network interface can be used", true) :
            chooseNamed(named, localRank);
    }

    /** The interfaces that a pattern selects, whether usable or not. */
    private List<InterfaceCandidate> fitting(final InterfacePattern pattern)
    {
        final List<InterfaceCandidate> fitting = new ArrayList<>();
        for (int i = 0; i < interfaces.size(); i++)
        {
            final InterfaceDescription one = interfaces.get(i);
            final InetAddress address = InterfaceDescription.best(pattern.addresses(one));
            if (address != null && one.isUp())
            {
                fitting.add(new InterfaceCandidate(i, address, true, ""));
            }
            else if (address != null || (pattern.isName() && pattern.name().equals(one.name())))
            {
                fitting.add(unusable(i));
            }
        }
        return fitting;
    }

    private InterfaceSelection chooseNamed(final List<InterfaceCandidate> named, final int localRank)
    {
        final int position = Math.floorMod(localRank, named.size());
        for (final InterfaceCandidate one : List.copyOf(candidates))
        {
            if (one.isUsable())
            {
                candidates.set(one.index(), one.because(named.stream().anyMatch(other -> other.index() == one.index()) ?
                    "for other ranks of this host" : "another interface that fits is preferred"));
            }
        }
        // An interface may be named by several of its addresses.
        candidates.set(named.get(position).index(), named.get(position));
        return chosen(named.get(position).index(), request.sources().device() + (named.size() == 1 ? "" :
            ", interface " + (position + 1) + " of " + named.size() + ", for local rank " + localRank));
    }

    private InterfaceSelection chosen(final int index, final String why)
    {
        candidates.set(index, candidates.get(index).because(why));
        return new InterfaceSelection(candidates, index, null, false);
    }

    private InterfaceSelection noUsable(final String problem, final boolean isWrong)
    {
        final StringBuilder reasons = new StringBuilder(problem);
        for (final InterfaceCandidate one : candidates)
        {
            final InterfaceDescription description = interfaces.get(one.index());
            // Most interfaces of a host with containers have no address.
            if (isWrong ? !one.why().startsWith("not selected") :
                description.isUp() && description.address() != null)
            {
                reasons.append("; ").append(description.name()).append(": ").append(one.why());
            }
        }
        return problem(reasons.toString(), isWrong);
    }

    private InterfaceSelection problem(final String text, final boolean isWrong)
    {
        return new InterfaceSelection(candidates, -1, text, isWrong);
    }
}
