/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.OwnAddress;
import org.tutti.launcher.agent.NodeGroup;
import org.tutti.launcher.host.HostFile;
import org.tutti.launcher.host.HostList;
import org.tutti.launcher.host.HostNames;
import org.tutti.launcher.host.HostSlots;
import org.tutti.launcher.host.NodePlace;
import org.tutti.launcher.host.RankPlacement;
import org.tutti.launcher.host.RemoteOptions;
import org.tutti.launcher.host.RemoteShell;
import org.tutti.launcher.host.SlurmAllocation;
import org.tutti.launcher.host.SpawnPrefix;
import org.tutti.launcher.host.SrunShell;
import org.tutti.launcher.host.SshShell;
import org.tutti.launcher.io.CommandWords;
import org.tutti.launcher.io.UsageException;
import org.tutti.launcher.job.JobSpec;

/** The options of {@code tutti run} that choose the hosts of the ranks and how to reach them. */
final class HostOptions
{
    private static final String HOST = "--host";
    private static final String HOSTFILE = "--hostfile";
    private static final String MAP_BY = "--map-by";
    private static final String WDIR = "--wdir";
    private static final String SSH = "--ssh";
    private static final String REMOTE_PATH = "--remote-path";
    private static final String ADDRESS = "--address";

    private final String list;
    /** The file of the user, or the one that a variable of another launcher names; null if neither is given. */
    private final HostFile file;
    private final String order;
    private final Path directory;
    private final String ssh;
    private final String home;
    private final String address;
    /** The allocation whose nodes are used; null if the user gave hosts, or outside of an allocation. */
    private final SlurmAllocation allocation;

    /** Reads the values of these options. */
    HostOptions(final OptionBuilder options)
    {
        list = options.valueOf(HOST);
        final Path path = options.pathOf(HOSTFILE);
        if (list != null && path != null)
        {
            throw new UsageException("--host and --hostfile are mutually exclusive: give one of them");
        }
        allocation = list == null && path == null ? SlurmAllocation.read(System.getenv()) : null;
        file = path != null ? HostFile.ofOption(path) :
            list == null && allocation == null ? HostFile.ofVariables(System.getenv()) : null;
        order = options.valueOf(MAP_BY);
        directory = options.pathOf(WDIR);
        ssh = options.valueOf(SSH);
        home = options.valueOf(REMOTE_PATH);
        address = options.valueOf(ADDRESS);
    }

    static void addTo(final OptionBuilder options)
    {
        options
            .text("HOST[:SLOTS],...", "Runs ranks on these hosts, at most SLOTS on each (default: 1); " +
                "without hosts, on the nodes of the Slurm allocation, if there is one, else here.",
                "-H", HOST)
            .path("FILE", "Reads hosts from a file with lines 'HOST slots=SLOTS' or 'HOST:SLOTS', as for Open MPI " +
                "and MPICH; without hosts and an allocation, from the file that these and the MPI Operator use.",
                HOSTFILE)
            .textOr("slot", "slot|node", "Fills the slots of each host in turn, or places ranks round-robin by host " +
                "(default: slot).", MAP_BY)
            .path("DIR", "Working directory of the ranks on all hosts (default: the current directory).", WDIR)
            .text("COMMAND", "Remote shell command, such as \"ssh -p 2222\" (default: $TUTTI_SSH, " +
                "else srun for the nodes of a Slurm allocation, else ssh).", SSH)
            .text("DIR", "Tutti's directory on other hosts (default: $TUTTI_REMOTE_PATH, else as on this host).",
                REMOTE_PATH)
            .text("ADDRESS", "Address, interface or network at which other hosts reach this one (default: " +
                "$TUTTI_ADDRESS, else determined automatically).", ADDRESS);
    }

    /**
     * Determines where the ranks run.
     *
     * @param size the number of ranks, or -1 for one in each slot.
     * @return the validated placement of the ranks.
     * @throws UsageException if these options conflict with each other or with the number of ranks.
     */
    JobSpec.Where where(final int size) throws InterruptedException
    {
        final List<HostSlots> given = given(size);
        final int slots = slots(given);
        if (slots > RankPlacement.MAX_RANKS && size < 0)
        {
            throw new UsageException("the hosts have " + slots + " slots, more than the " +
                RankPlacement.MAX_RANKS + " ranks that a job can have: give -np");
        }
        final HostNames names = new HostNames(given);
        final RankPlacement placement = given.isEmpty() ?
            RankPlacement.local(size) : RankPlacement.of(names.distinct(given), size < 0 ? slots : size, order());
        if (directory != null && placement.isLocalUsed() && !Files.isDirectory(directory))
        {
            throw new UsageException("--wdir '" + directory + "' is not a directory: give one that exists");
        }
        return new JobSpec.Where(placement, directory == null ? null : directory.toAbsolutePath(),
            placement.isRemoteUsed() ? remote(names) : null, null);
    }

    /** Returns the hosts of the user or of Slurm, checked to have enough slots; empty if there are none. */
    private List<HostSlots> given(final int size)
    {
        if (list == null && file == null)
        {
            final List<HostSlots> allocated = allocation == null ? List.of() : allocation.hosts(size);
            if (!allocated.isEmpty())
            {
                return allocated;
            }
            if (size < 0)
            {
                throw new UsageException(
                    "the number of ranks is missing: give -np N, or hosts with slots (--host or --hostfile)");
            }
            return List.of();
        }
        final List<HostSlots> given = list == null ? file.read() : HostList.parse(list);
        final int slots = slots(given);
        if (size > slots)
        {
            throw new UsageException("-np " + size + " exceeds the " + slots +
                (slots == 1 ? " slot" : " slots") + " of " + (list == null ? file : "--host " + list) +
                ": give at most " + slots + ", or more slots (HOST:SLOTS)");
        }
        return given;
    }

    private static int slots(final List<HostSlots> hosts)
    {
        return hosts.stream().mapToInt(HostSlots::slots).sum();
    }

    /**
     * Waits for the nodes of a job whose coordinator is this one, and determines where the ranks run.
     *
     * @param place the place of this node, number 0.
     * @param group the group of nodes.
     * @return the placement of the ranks.
     */
    JobSpec.Where where(final NodePlace place, final NodeGroup group) throws InterruptedException
    {
        return NodeOptions.where(place, group, order(), directory);
    }

    private RankPlacement.Order order()
    {
        return switch (order.toLowerCase(Locale.ROOT))
        {
            case "slot" -> RankPlacement.Order.SLOT;
            case "node" -> RankPlacement.Order.NODE;
            default -> throw new UsageException(
                "invalid --map-by '" + order + "': give slot or node");
        };
    }

    private RemoteOptions remote(final HostNames names)
    {
        final RemoteShell shell = shell();
        final String own = System.getProperty("tutti.home");
        final String path = valueOf(home, "TUTTI_REMOTE_PATH", own);
        if (path == null)
        {
            throw new UsageException("Tutti's directory on other hosts is unknown: give --remote-path");
        }
        final String addressText = valueOf(address, "TUTTI_ADDRESS", null);
        final InetAddress ownAddress = addressText == null ? null : ownAddress(addressText);
        return new RemoteOptions(shell, Path.of(path), ownAddress, names);
    }

    /** Returns the program that reaches other hosts: srun for nodes that Slurm named, unless the user gave another. */
    private RemoteShell shell()
    {
        final String text = valueOf(ssh, "TUTTI_SSH", allocation == null ? "ssh" : null);
        if (text == null)
        {
            final String srun = SpawnPrefix.find("srun");
            if (srun == null)
            {
                throw new UsageException("srun is not on the PATH, but reaches the nodes of Slurm job " +
                    allocation.jobId() + ": add it, or give --ssh ssh");
            }
            return new SrunShell(srun, allocation.jobId());
        }
        final List<String> words = CommandWords.split(ssh == null ? "TUTTI_SSH" : "--ssh", text);
        if (words.getFirst().indexOf('/') < 0 ?
            SpawnPrefix.find(words.getFirst()) == null : !Files.isExecutable(Path.of(words.getFirst())))
        {
            throw new UsageException("the remote shell '" + words.getFirst() + "' " +
                (words.getFirst().indexOf('/') < 0 ? "is not on the PATH" : "cannot be executed") +
                ": install openssh-client, or give --ssh");
        }
        return SshShell.of(words);
    }

    private static InetAddress ownAddress(final String text)
    {
        try
        {
            return OwnAddress.find(text);
        }
        catch (final BootstrapException ex)
        {
            throw new UsageException("--address " + ex.getMessage());
        }
    }

    private static String valueOf(final String option, final String variable, final String otherwise)
    {
        if (option != null)
        {
            return option;
        }
        final String value = System.getenv(variable);
        return value == null || value.isBlank() ? otherwise : value;
    }
}
