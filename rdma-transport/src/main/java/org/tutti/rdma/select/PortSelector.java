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
 * Chooses the port that a rank uses: a pure function of what devices say and what the user wishes.
 * <ul>
 * <li>Only active ports count, and only those that have a GID to use.</li>
 * <li>Of a RoCE port's GIDs: RoCE v2 of an IPv4 address, then of a global IPv6 address, then RoCE v1; what is valid on
 * one link or this host only, when there is nothing else or its index is wished for. On InfiniBand, and where there is
 * no link at all, GID 0.</li>
 * <li>Without a wish: ports that reach other links first, then the faster, then in the order of the devices.</li>
 * <li>Several named ports are shared out: the ranks of a host take one after the other, in the order named.</li>
 * </ul>
 */
public final class PortSelector
{
    private static final String RDMA_CM_TRANSPORT = "disni";

    private final String transport;
    private final List<DeviceDescription> devices;
    private final PortWish wish;
    private final List<PortVerdict> verdicts = new ArrayList<>();
    private boolean isGidMissing;

    private PortSelector(final String transport, final List<DeviceDescription> devices, final PortWish wish)
    {
        this.transport = transport;
        this.devices = devices;
        this.wish = wish;
    }

    /**
     * Chooses.
     *
     * @param transport the name of the provider that the devices are of.
     * @param devices   all of them, in the provider's order.
     * @param wish      of the user.
     * @param localRank among the ranks of this host, from 0.
     * @return the choice, or why there is none.
     */
    public static PortSelection select(
        final String transport, final List<DeviceDescription> devices, final PortWish wish, final int localRank)
    {
        final PortSelector selector = new PortSelector(transport, devices, wish);
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
                verdicts.add(judge(port));
            }
        }
    }

    private PortVerdict judge(final PortDescription port)
    {
        if (!isWished(port))
        {
            return PortVerdict.rejected(port, "not what " + (wish.names().isEmpty() ?
                wish.sources().port() : wish.sources().device()) + " names");
        }
        if (!port.isActive())
        {
            return PortVerdict.rejected(port, "its state is " + port.attributes().state +
                (port.attributes().state == PortState.DOWN ? ": no link" : ": not active"));
        }
        if (port.transport() == TransportType.IWARP && !transport.equals(RDMA_CM_TRANSPORT))
        {
            return PortVerdict.rejected(port, "iWARP connects by rdma_cm only: use an InfiniBand or RoCE " +
                "device, or transport " + RDMA_CM_TRANSPORT + ", which has not been tested on iWARP");
        }
        return judgeGids(port);
    }

    private PortVerdict judgeGids(final PortDescription port)
    {
        if (wish.gidIndex() >= 0)
        {
            for (final GidEntry entry : port.gids())
            {
                if (entry.index() == wish.gidIndex())
                {
                    return PortVerdict.usable(port, entry, wish.sources().gidIndex() + ", " + kind(port, entry));
                }
            }
            isGidMissing = true;
            return PortVerdict.rejected(port, "its GID table has nothing at index " + wish.gidIndex() +
                ", but at " + port.gids().stream().map(GidEntry::index).toList());
        }
        if (port.gids().isEmpty())
        {
            return PortVerdict.rejected(port, "it has no GID: give its network interface an address");
        }
        if (port.attributes().linkLayer != LinkLayer.ETHERNET)
        {
            return PortVerdict.usable(port, port.gids().getFirst(), kind(port, port.gids().getFirst()));
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
        return PortVerdict.usable(port, best, kind(port, best) + warning);
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

    private boolean isWished(final PortDescription port)
    {
        return wish.names().isEmpty() ?
            wish.port() == 0 || wish.port() == port.number() :
            wish.ports().stream().anyMatch(name -> name.isOf(port));
    }

    /** What is wrong with the names that are wished for, or null. */
    private String wrongName()
    {
        for (final PortName name : wish.ports())
        {
            final DeviceDescription device = devices.stream()
                .filter(candidate -> candidate.device().name().equals(name.device())).findFirst().orElse(null);
            if (device == null)
            {
                return wish.sources().device() + ": '" + name.device() + "' is no device of transport " + transport +
                    ": choose one of " + devices.stream().map(candidate -> candidate.device().name()).toList();
            }
            if (device.problem() == null && name.port() > device.ports().size())
            {
                final boolean isPortOfDevice = wish.names().contains(name);
                return (isPortOfDevice ? wish.sources().device() : wish.sources().port()) + ": " + name.device() +
                    " has no port " + name.port() + ", its ports are 1 to " + device.ports().size();
            }
        }
        if (wish.names().isEmpty() && wish.port() > 0 && !verdicts.isEmpty() &&
            verdicts.stream().noneMatch(verdict -> verdict.port().number() == wish.port()))
        {
            return wish.sources().port() + ": no device of transport " + transport + " has port " + wish.port() +
                ": choose one of " + verdicts.stream().map(verdict -> verdict.port().name()).toList();
        }
        return null;
    }

    private PortSelection choose(final int localRank)
    {
        final List<Integer> usable = new ArrayList<>();
        for (int i = 0; i < verdicts.size(); i++)
        {
            if (verdicts.get(i).isUsable())
            {
                usable.add(i);
            }
        }
        if (usable.isEmpty())
        {
            return nothing();
        }
        return wish.names().isEmpty() ? chooseBest(usable) : chooseNamed(usable, localRank);
    }

    private PortSelection chooseBest(final List<Integer> usable)
    {
        int best = usable.getFirst();
        for (final int i : usable)
        {
            if (compare(verdicts.get(i), verdicts.get(best)) > 0)
            {
                best = i;
            }
        }
        final PortVerdict chosen = verdicts.get(best);
        for (final int i : usable)
        {
            final PortVerdict other = verdicts.get(i);
            verdicts.set(i, other.passedOver(
                chosen.isFar() && !other.isFar() ? "its GID is " + other.gidWhy() :
                    compare(chosen, other) > 0 ? "slower than " + chosen.port().name() :
                        "after " + chosen.port().name() + ", which is as good"));
        }
        final boolean isTie =
            usable.stream().allMatch(i -> compare(verdicts.get(i), chosen) == 0);
        return chosen(best, usable.size() == 1 ? "the only active port" :
            (isTie ? "the first of " : "the best of ") + usable.size() + " active ports");
    }

    private PortSelection chooseNamed(final List<Integer> usable, final int localRank)
    {
        final List<Integer> inOrder = new ArrayList<>();
        for (final PortName name : wish.ports())
        {
            for (final int i : usable)
            {
                // A name without a port is the first active one of the device.
                if (name.isOf(verdicts.get(i).port()))
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
            verdicts.set(i, verdicts.get(i).passedOver(inOrder.contains(i) ?
                "for other ranks of this host" : "after another port of " + verdicts.get(i).port().device()));
        }
        return chosen(inOrder.get(turn), wish.sources().device() + (inOrder.size() == 1 ? "" :
            ", number " + (turn + 1) + " of the " + inOrder.size() + " usable ports it names, for local rank " +
            localRank));
    }

    /** More than 0 when the first is the better one. */
    private static int compare(final PortVerdict a, final PortVerdict b)
    {
        return a.isFar() != b.isFar() ? Boolean.compare(a.isFar(), b.isFar()) :
            Double.compare(LinkRate.gbit(a.port().attributes()), LinkRate.gbit(b.port().attributes()));
    }

    private PortSelection chosen(final int index, final String why)
    {
        verdicts.set(index, verdicts.get(index).chosen(why));
        return new PortSelection(verdicts, verdicts.get(index), null, false);
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
        for (final PortVerdict verdict : verdicts)
        {
            if (isWished(verdict.port()))
            {
                reasons.append("; ").append(verdict.port().name()).append(": ").append(verdict.why());
            }
        }
        return isGidMissing ?
            problem(wish.sources().gidIndex() + ": no port can be used" + reasons, true) :
            problem("no port of transport " + transport + " can be used" + reasons +
                " (tutti devices -v shows all of them)", false);
    }

    private PortSelection problem(final String text, final boolean isWishWrong)
    {
        return new PortSelection(verdicts, null, text, isWishWrong);
    }
}
