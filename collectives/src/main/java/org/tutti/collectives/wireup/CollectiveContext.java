/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.Hosts;
import org.tutti.collectives.config.EngineConfiguration;
import org.tutti.collectives.device.EventWatch;
import org.tutti.collectives.device.LocalPort;
import org.tutti.collectives.device.LocalPorts;
import org.tutti.collectives.device.NetDevice;
import org.tutti.collectives.util.ResourceScope;
import org.tutti.rdma.memory.RegisteredMemoryPool;
import org.tutti.rdma.os.ProcessorAffinity;
import org.tutti.rdma.select.TransportNames;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * The state that the communicators of one rank share: the job's bootstrap, the open devices, their protection domains
 * and registered memory. The first communicator is the world; the others are derived from it or from each other. They
 * are closed in any order; closing the last one frees the shared state. Thread-safe.
 */
public final class CollectiveContext
{
    private final ResourceScope resources = new ResourceScope();
    private final List<ResourceScope> kept = new ArrayList<>();
    private final Bootstrap job;
    private final EngineConfiguration configuration;
    private final AtomicLong names = new AtomicLong();
    private List<NetDevice> devices = List.of();
    /** By rank of the job: the index of the device that reaches it; null before the first team has connected. */
    private volatile int[] deviceIndexes;
    private RegisteredMemoryPool pool;
    private ResultHashes hashes;
    private int members;

    /**
     * Creates the context of one rank, which has no teams yet.
     *
     * @param job           bootstrap of the job; closed with the last team.
     * @param configuration configuration of all teams.
     */
    CollectiveContext(final Bootstrap job, final EngineConfiguration configuration)
    {
        this.job = resources.add(job);
        this.configuration = configuration;
    }

    /** Opens the devices. Called once, by the first team. */
    void open()
    {
        final int processor = configuration.progress().processor(job.rank());
        if (processor >= 0 && !ProcessorAffinity.mayUse(processor))
        {
            throw configuration.progress().unusable(processor);
        }
        final LocalPorts opened = LocalPorts.open(configuration, job);
        opened.ports().forEach(resources::add);
        for (final LocalPort port : opened.ports())
        {
            devices = Stream.concat(devices.stream(), Stream.of(new NetDevice(devices.size(), port,
                new EventWatch(port.context(), port.port().number(), configuration.path().unreachableTimeoutNs()),
                resources.add(port.context().allocateProtectionDomain())))).toList();
            if (configuration.verbose() && job.rank() == 0 && !port.isShared())
            {
                System.err.println("tutti: transport " + port.transport() + " uses " + port.explanation());
            }
        }
        pool = resources.add(new RegisteredMemoryPool(devices.stream().map(NetDevice::domain).toList()));
        if (!configuration.resultHashes().isEmpty())
        {
            hashes = resources.add(ResultHashes.open(configuration.resultHashes(), job.rank()));
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

    /** Returns the name of this rank's host, for messages. */
    String host()
    {
        return configuration.host().isEmpty() ? Hosts.local() : configuration.host();
    }

    /** Returns the devices that reach other ranks, shared memory first; empty before they are open. */
    public List<NetDevice> devices()
    {
        return devices;
    }

    /**
     * Sets the devices that reach the ranks of the job, once the first team has exchanged endpoints.
     *
     * @param indexes indexes of devices, by rank of the job.
     */
    void met(final int[] indexes)
    {
        deviceIndexes = indexes;
    }

    /** Returns whether a rank of the job is, or may be, reached over a device. */
    boolean mayReach(final int jobRank, final int deviceIndex)
    {
        final int[] known = deviceIndexes;
        return known == null || known[jobRank] == deviceIndex;
    }

    public RegisteredMemoryPool pool()
    {
        return pool;
    }

    /** Returns whether peers can access any memory of this process, because no device is shared memory. */
    boolean reachesAllMemory()
    {
        return devices.stream().noneMatch(device -> device.port().transport().equals(TransportNames.SHARED));
    }

    /** Returns the writer of result hashes for one more communicator, or null if no hashes are written. */
    public ResultHashes.OfCommunicator resultHashesOfOne()
    {
        return hashes == null ? null : hashes.ofOne();
    }

    /**
     * Returns a new name for a communicator or window: unique in the job, if all its ranks use the name that its first
     * rank got here.
     */
    public String newName()
    {
        return Integer.toHexString(job.rank()) + '.' + Long.toHexString(names.getAndIncrement());
    }

    /** Adds a team. */
    synchronized void enter()
    {
        members++;
    }

    /**
     * Keeps memory of a team that was closed before other ranks were done with it: other ranks may still store into
     * this memory, so it must not be reused.
     */
    synchronized void keep(final ResourceScope memory)
    {
        kept.add(memory);
    }

    /** Removes a team; the last one frees everything. */
    synchronized void leave(final List<Exception> problems)
    {
        if (--members == 0)
        {
            kept.forEach((memory) -> memory.close(problems));
            resources.close(problems);
        }
    }
}
