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
 * Selects the port of a rank: a pure function of the device reports and the user's request.
 * <ul>
 * <li>Only active ports with a usable GID are considered.</li>
 * <li>GIDs of a RoCE port: RoCE v2 with an IPv4 address, then with a global IPv6 address, then a GID of unreported
 * type, then RoCE v1; a link-local or loopback GID only if there is no other or its index is requested. On InfiniBand
 * and for shared memory: the first GID.</li>
 * <li>By default: ports whose GID is neither link-local nor loopback first, then the fastest; ties go to the first in
 * device order.</li>
 * <li>Several named ports are distributed round-robin over the ranks of a host, in the order named.</li>
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
     * Selects a port.
     *
     * @param transport name of the devices' provider.
     * @param devices   all devices, in the provider's order.
     * @param request   request of the user.
     * @param localRank index of this rank among the ranks of the host, from 0.
     * @return the selected port, or the reason why there is none.
     */
    public static PortSelection select(
        final String transport, final List<DeviceDescription> devices, final PortRequest request, final int localRank)
    {
        final PortSelector selector = new PortSelector(transport, devices, request);
        selector.evaluate();
        final String wrong = devices.isEmpty() ? null : selector.problemWithNames();
        return wrong == null ? selector.choose(localRank) : selector.problem(wrong, true);
    }

    /** Selects no port because of the request. */
    static PortSelection reject(
        final List<DeviceDescription> devices, final PortRequest request, final String problem)
    {
        final List<PortCandidate> rejected = devices.stream().flatMap(device -> device.ports().stream())
            .map(port -> PortCandidate.rejected(port, "not selected by " + request.sources().device())).toList();
        return new PortSelection(rejected, null, problem, true);
    }

    private void evaluate()
    {
        for (final DeviceDescription device : devices)
        {
            for (final PortDescription port : device.ports())
            {
                candidates.add(evaluate(port));
            }
        }
    }

    private PortCandidate evaluate(final PortDescription port)
    {
        if (!isRequested(port))
        {
            return PortCandidate.rejected(port, "not selected by " + (request.names().isEmpty() ?
                request.sources().port() : request.sources().device()));
        }
        if (!port.isActive())
        {
            return PortCandidate.rejected(port, "state " + port.attributes().state +
                (port.attributes().state == PortState.DOWN ? ": no link" : ": not active"));
        }
        if (port.transport() == TransportType.IWARP && !transport.equals(RDMA_CM_TRANSPORT) &&
            !transport.equals(TransportNames.TCP))
        {
            return PortCandidate.rejected(port, "iWARP requires rdma_cm: use an InfiniBand or RoCE " +
                "device, or transport " + RDMA_CM_TRANSPORT + ", which has not been tested on iWARP");
        }
        return evaluateGids(port);
    }

    private PortCandidate evaluateGids(final PortDescription port)
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
            return PortCandidate.rejected(port, "GID table entry " + request.gidIndex() + " is empty" +
                "; used entries: " + port.gids().stream().map(GidEntry::index).toList());
        }
        if (port.gids().isEmpty())
        {
            return PortCandidate.rejected(port, "no GID: give its network interface an address");
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
            "" : "; no routable GID: give the port's network interface an IPv4 address";
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

    /** The problem with the requested names, or null. */
    private String problemWithNames()
    {
        for (final PortName name : request.ports())
        {
            final DeviceDescription device = devices.stream()
                .filter(candidate -> candidate.device().name().equals(name.device())).findFirst().orElse(null);
            if (device == null)
            {
                return request.sources().device() + ": '" + name.device() + "' is not a device of transport " +
                    transport + ": choose one of " +
                    devices.stream().map(candidate -> candidate.device().name()).toList();
            }
            if (device.problem() == null && name.port() > device.ports().size())
            {
                final boolean isPortOfDevice = request.names().contains(name);
                return (isPortOfDevice ? request.sources().device() : request.sources().port()) + ": " + name.device() +
                    " has no port " + name.port() + ": its ports are 1 to " + device.ports().size();
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
            return noUsablePort();
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
            candidates.set(i, other.notChosen(
                chosen.isFar() && !other.isFar() ? "its GID is " + other.gidWhy() :
                    compare(chosen, other) > 0 ? "slower than " + chosen.port().name() :
                        "tie with " + chosen.port().name() + ", which comes first"));
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
                // A name without a port stands for the device's first active port.
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
        final int position = Math.floorMod(localRank, inOrder.size());
        for (final int i : usable)
        {
            candidates.set(i, candidates.get(i).notChosen(inOrder.contains(i) ?
                "for other ranks of this host" : candidates.get(i).port().device() + " has an earlier active port"));
        }
        return chosen(inOrder.get(position), request.sources().device() + (inOrder.size() == 1 ? "" :
            ", usable port " + (position + 1) + " of " + inOrder.size() + ", for local rank " +
            localRank));
    }

    /** Compares by preference: greater than 0 if {@code a} is preferred, 0 on a tie. */
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

    private PortSelection noUsablePort()
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
