/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.collectives.config.EngineConfiguration;
import org.tutti.collectives.device.EventWatch;
import org.tutti.collectives.device.LocalPort;
import org.tutti.collectives.device.LocalPorts;
import org.tutti.collectives.device.NetDevice;
import org.tutti.collectives.util.ResourceScope;
import org.tutti.rdma.memory.RegisteredMemoryPool;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * What the communicators of one rank share: the job's bootstrap, the open devices, their protection domains and
 * registered memory. The first communicator is the world; the others were split off it, or off each other. They are
 * closed in any order, and the last frees what is shared. Thread-safe.
 */
public final class CollectiveContext
{
    private final ResourceScope parts = new ResourceScope();
    private final List<ResourceScope> kept = new ArrayList<>();
    private final Bootstrap job;
    private final EngineConfiguration configuration;
    private final AtomicLong names = new AtomicLong();
    private List<NetDevice> devices = List.of();
    private String otherHostsProblem;
    /** By rank of the job: the index of the device to it; null before the first member has met all. */
    private volatile int[] deviceIndexes;
    private RegisteredMemoryPool pool;
    private ResultHashes hashes;
    private int members;

    /**
     * For one rank, with no member yet.
     *
     * @param job           job of the rank; closed with the last member.
     * @param configuration configuration of all members.
     */
    CollectiveContext(final Bootstrap job, final EngineConfiguration configuration)
    {
        this.job = parts.add(job);
        this.configuration = configuration;
    }

    /** Opens the devices; once, by the first member. */
    void open()
    {
        final LocalPorts opened = LocalPorts.open(configuration.transport(), job, configuration.portRequest());
        otherHostsProblem = opened.problem();
        opened.ports().forEach(parts::add);
        for (final LocalPort port : opened.ports())
        {
            devices = Stream.concat(devices.stream(), Stream.of(new NetDevice(devices.size(), port,
                new EventWatch(port.context(), port.port().number(), configuration.path().givingUpNs()),
                parts.add(port.context().allocateProtectionDomain())))).toList();
        }
        pool = parts.add(new RegisteredMemoryPool(devices.stream().map(NetDevice::domain).toList()));
        if (!configuration.resultHashes().isEmpty())
        {
            hashes = parts.add(ResultHashes.open(configuration.resultHashes(), job.rank()));
        }
    }

    public Bootstrap job()
    {
        return job;
    }

    public EngineConfiguration configuration()
    {
        return configuration;
    }

    /** The ways to other ranks, that of shared memory first; none before they are open. */
    public List<NetDevice> devices()
    {
        return devices;
    }

    /**
     * Over which device the ranks of the job are reached, once the first member has met them.
     *
     * @param indexes indexes of devices, by rank of the job.
     */
    void met(final int[] indexes)
    {
        deviceIndexes = indexes;
    }

    /** Whether a rank of the job is, or may be, reached over a device. */
    boolean mayReach(final int jobRank, final int deviceIndex)
    {
        final int[] known = deviceIndexes;
        return known == null || known[jobRank] == deviceIndex;
    }

    /** Why there is none to other hosts, or null if there is, or none was asked for. */
    String otherHostsProblem()
    {
        return otherHostsProblem;
    }

    public RegisteredMemoryPool pool()
    {
        return pool;
    }

    /** Where one more communicator writes the hashes of its results, or null if they are not written. */
    public ResultHashes.OfCommunicator resultHashesOfOne()
    {
        return hashes == null ? null : hashes.ofOne();
    }

    /** A name that no other communicator of the job has, if this rank is the first of its ranks. */
    public String newName()
    {
        return Integer.toHexString(job.rank()) + '.' + Long.toHexString(names.getAndIncrement());
    }

    /** A member more. */
    synchronized void enter()
    {
        members++;
    }

    /**
     * Keeps memory of a member that could not wait until the others were done with it: they may store into it yet, so
     * it must not be allocated again.
     */
    synchronized void keep(final ResourceScope memory)
    {
        kept.add(memory);
    }

    /** A member less; after the last, nothing is left. */
    synchronized void leave(final List<Exception> problems)
    {
        if (--members == 0)
        {
            kept.forEach((memory) -> memory.close(problems));
            parts.close(problems);
        }
    }
}
