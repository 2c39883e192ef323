/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import org.tutti.rdma.GidEntry;
import org.tutti.rdma.LinkLayer;
import org.tutti.rdma.PortState;
import org.tutti.rdma.TransportType;

import java.util.ArrayList;
import java.util.List;

/**
 * Chooses the port that a rank uses: a pure function of what devices report and the user asks for.
 * <ul>
 * <li>Only active ports count, and only those that have a GID to use.</li>
 * <li>Of a RoCE port's GIDs: RoCE v2 of an IPv4 address, then of a global IPv6 address, then RoCE v1; what is valid on
 * one link or this host only, when there is nothing else or its index is asked for. On InfiniBand, and where there is
 * no link at all, GID 0.</li>
 * <li>By default: ports that reach other links first, then the faster, then in the order of the devices.</li>
 * <li>Several named ports are shared out: the ranks of a host take one after the other, in the order named.</li>
 * </ul>
 */
public final class PortSelector
{
    private static final String RDMA_CM_TRANSPORT = "disni";

    private final String transport;
    private final List<DeviceDescription> devices;
    private final PortRequest request;
    private final List<PortCandidate> candidates = new ArrayList<>();
    private boolean isGidMissing;

    private PortSelector(final String transport, final List<DeviceDescription> devices, final PortRequest request)
    {
        this.transport = transport;
        this.devices = devices;
        this.request = request;
    }

    /**
     * Chooses.
     *
     * @param transport the name of the provider that the devices are of.
     * @param devices   all of them, in the provider's order.
     * @param request   request of the user.
     * @param localRank among the ranks of this host, from 0.
     * @return the choice, or why there is none.
     */
    public static PortSelection select(
        final String transport, final List<DeviceDescription> devices, final PortRequest request, final int localRank)
    {
        final PortSelector selector = new PortSelector(transport, devices, request);
        selector.judge();
        final String wrong = devices.isEmpty() ? null : selector.wrongName();
        return wrong == null ? selector.choose(localRank) : selector.problem(wrong, true);
    }

    private void judge()
    {
        for (final DeviceDescription device : devices)
        {
            for (final PortDescription port : device.ports())
            {
                candidates.add(judge(port));
            }
        }
    }

    private PortCandidate judge(final PortDescription port)
    {
        if (!isRequested(port))
        {
            return PortCandidate.rejected(port, "not what " + (request.names().isEmpty() ?
                request.sources().port() : request.sources().device()) + " names");
        }
        if (!port.isActive())
        {
            return PortCandidate.rejected(port, "its state is " + port.attributes().state +
                (port.attributes().state == PortState.DOWN ? ": no link" : ": not active"));
        }
        if (port.transport() == TransportType.IWARP && !transport.equals(RDMA_CM_TRANSPORT))
        {
            return PortCandidate.rejected(port, "iWARP connects by rdma_cm only: use an InfiniBand or RoCE " +
                "device, or transport " + RDMA_CM_TRANSPORT + ", which has not been tested on iWARP");
        }
        return judgeGids(port);
    }

    private PortCandidate judgeGids(final PortDescription port)
    {
        if (request.gidIndex() >= 0)
        {
            for (final GidEntry entry : port.gids())
            {
                if (entry.index() == request.gidIndex())
                {
                    return PortCandidate.usable(port, entry, request.sources().gidIndex() + ", " + kind(port, entry));
                }
            }
            isGidMissing = true;
            return PortCandidate.rejected(port, "its GID table has nothing at index " + request.gidIndex() +
                ", but at " + port.gids().stream().map(GidEntry::index).toList());
        }
        if (port.gids().isEmpty())
        {
            return PortCandidate.rejected(port, "it has no GID: give its network interface an address");
        }
        if (port.attributes().linkLayer != LinkLayer.ETHERNET)
        {
            return PortCandidate.usable(port, port.gids().getFirst(), kind(port, port.gids().getFirst()));
        }
        GidEntry best = port.gids().getFirst();
        for (final GidEntry entry : port.gids())
        {
            if (GidClass.of(entry).compareTo(GidClass.of(best)) < 0)
            {
                best = entry;
            }
        }
        final String warning = GidClass.of(best).isFar() ?
            "" : "; the port has no better: give its network interface an IPv4 address";
        return PortCandidate.usable(port, best, kind(port, best) + warning);
    }

    private static String kind(final PortDescription port, final GidEntry entry)
    {
        return switch (port.attributes().linkLayer)
        {
            case ETHERNET -> GidClass.of(entry).toString();
            case SHARED_MEMORY -> "this context's";
            case INFINIBAND, UNSPECIFIED -> "InfiniBand";
        };
    }

    private boolean isRequested(final PortDescription port)
    {
        return request.names().isEmpty() ?
            request.port() == 0 || request.port() == port.number() :
            request.ports().stream().anyMatch(name -> name.isOf(port));
    }

    /** What is wrong with the names that are asked for, or null. */
    private String wrongName()
    {
        for (final PortName name : request.ports())
        {
            final DeviceDescription device = devices.stream()
                .filter(candidate -> candidate.device().name().equals(name.device())).findFirst().orElse(null);
            if (device == null)
            {
                return request.sources().device() + ": '" + name.device() + "' is no device of transport " + transport +
                    ": choose one of " + devices.stream().map(candidate -> candidate.device().name()).toList();
            }
            if (device.problem() == null && name.port() > device.ports().size())
            {
                final boolean isPortOfDevice = request.names().contains(name);
                return (isPortOfDevice ? request.sources().device() : request.sources().port()) + ": " + name.device() +
                    " has no port " + name.port() + ", its ports are 1 to " + device.ports().size();
            }
        }
        if (request.names().isEmpty() && request.port() > 0 && !candidates.isEmpty() &&
            candidates.stream().noneMatch(candidate -> candidate.port().number() == request.port()))
        {
            return request.sources().port() + ": no device of transport " + transport + " has port " + request.port() +
                ": choose one of " + candidates.stream().map(candidate -> candidate.port().name()).toList();
        }
        return null;
    }

    private PortSelection choose(final int localRank)
    {
        final List<Integer> usable = new ArrayList<>();
        for (int i = 0; i < candidates.size(); i++)
        {
            if (candidates.get(i).isUsable())
            {
                usable.add(i);
            }
        }
        if (usable.isEmpty())
        {
            return nothing();
        }
        return request.names().isEmpty() ? chooseBest(usable) : chooseNamed(usable, localRank);
    }

    private PortSelection chooseBest(final List<Integer> usable)
    {
        int best = usable.getFirst();
        for (final int i : usable)
        {
            if (compare(candidates.get(i), candidates.get(best)) > 0)
            {
                best = i;
            }
        }
        final PortCandidate chosen = candidates.get(best);
        for (final int i : usable)
        {
            final PortCandidate other = candidates.get(i);
            candidates.set(i, other.passedOver(
                chosen.isFar() && !other.isFar() ? "its GID is " + other.gidWhy() :
                    compare(chosen, other) > 0 ? "slower than " + chosen.port().name() :
                        "after " + chosen.port().name() + ", which is as good"));
        }
        final boolean isTie =
            usable.stream().allMatch(i -> compare(candidates.get(i), chosen) == 0);
        return chosen(best, usable.size() == 1 ? "the only active port" :
            (isTie ? "the first of " : "the best of ") + usable.size() + " active ports");
    }

    private PortSelection chooseNamed(final List<Integer> usable, final int localRank)
    {
        final List<Integer> inOrder = new ArrayList<>();
        for (final PortName name : request.ports())
        {
            for (final int i : usable)
            {
                // A name without a port is the first active one of the device.
                if (name.isOf(candidates.get(i).port()))
                {
                    if (!inOrder.contains(i))
                    {
                        inOrder.add(i);
                    }
                    break;
                }
            }
        }
        final int turn = Math.floorMod(localRank, inOrder.size());
        for (final int i : usable)
        {
            candidates.set(i, candidates.get(i).passedOver(inOrder.contains(i) ?
                "for other ranks of this host" : "after another port of " + candidates.get(i).port().device()));
        }
        return chosen(inOrder.get(turn), request.sources().device() + (inOrder.size() == 1 ? "" :
            ", number " + (turn + 1) + " of the " + inOrder.size() + " usable ports it names, for local rank " +
            localRank));
    }

    /** More than 0 when the first is the better one. */
    private static int compare(final PortCandidate a, final PortCandidate b)
    {
        return a.isFar() != b.isFar() ? Boolean.compare(a.isFar(), b.isFar()) :
            Double.compare(LinkRate.gbit(a.port().attributes()), LinkRate.gbit(b.port().attributes()));
    }

    private PortSelection chosen(final int index, final String why)
    {
        candidates.set(index, candidates.get(index).chosen(why));
        return new PortSelection(candidates, candidates.get(index), null, false);
    }

    private PortSelection nothing()
    {
        if (devices.isEmpty())
        {
            return problem("transport " + transport + " has no device on this host: choose another transport", false);
        }
        final StringBuilder reasons = new StringBuilder();
        for (final DeviceDescription device : devices)
        {
            if (device.problem() != null)
            {
                reasons.append("; ").append(device.device().name()).append(": ").append(device.problem());
            }
        }
        for (final PortCandidate candidate : candidates)
        {
            if (isRequested(candidate.port()))
            {
                reasons.append("; ").append(candidate.port().name()).append(": ").append(candidate.why());
            }
        }
        return isGidMissing ?
            problem(request.sources().gidIndex() + ": no port can be used" + reasons, true) :
            problem("no port of transport " + transport + " can be used" + reasons +
                " (tutti devices -v shows all of them)", false);
    }

    private PortSelection problem(final String text, final boolean isRequestWrong)
    {
        return new PortSelection(candidates, null, text, isRequestWrong);
    }
}
