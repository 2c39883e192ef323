/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

import org.tutti.bootstrap.Coordinator;
import org.tutti.bootstrap.ProcessSettings;
import org.tutti.bootstrap.RequestedJob;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Options of a rank that joins a job by {@link Communicator#join}. A value that a setter sets takes precedence over the
 * system property, this over the environment variable, and this over the default. The documentation of a setter names
 * the variable; the property has the same name in lower case with dots: {@code tutti.join.timeout} for {@code
 * TUTTI_JOIN_TIMEOUT}. Values are checked when the rank joins. Setters return this. For one thread at a time.
 */
public final class JoinOptions
{
    private final Map<String, String> values = new HashMap<>();

    private JoinOptions()
    {
    }

    /**
     * Creates the options of a rank whose job the environment describes, as for {@link Communicator#world()}.
     *
     * @return new options.
     */
    public static JoinOptions ofEnvironment()
    {
        return new JoinOptions();
    }

    /**
     * Creates the options of a rank of a job that the program itself forms, whatever its environment. With more than
     * one rank, a {@link #coordinator} and its {@link #secret} are needed, too.
     *
     * @param rank rank, from 0.
     * @param size number of ranks, at least 1.
     * @return new options.
     */
    public static JoinOptions of(final int rank, final int size)
    {
        return new JoinOptions().put(RequestedJob.RANK, Integer.toString(rank))
            .put(RequestedJob.SIZE, Integer.toString(size));
    }

    /**
     * Creates the options of a rank of a coordinator's job, in the coordinator's process. Other processes need the
     * address, the secret, the number of ranks, and the name of the job, if it has one.
     *
     * @param coordinator coordinator of the job.
     * @param rank        rank, from 0.
     * @return new options.
     */
    public static JoinOptions of(final Coordinator coordinator, final int rank)
    {
        return of(rank, coordinator.size()).coordinator(coordinator.address()).secret(coordinator.secret())
            .jobName(coordinator.jobName());
    }

    /**
     * Sets the address of the coordinator of a job that the program forms: {@code tutti.coordinator}.
     *
     * @param coordinator address as {@link Coordinator#address()} returns it, such as {@code 10.1.0.7:41234}.
     */
    public JoinOptions coordinator(final String coordinator)
    {
        return put(RequestedJob.COORDINATOR, coordinator);
    }

    /**
     * Sets the secret of the coordinator: {@code tutti.secret}, or {@code TUTTI_SECRET} of a job that the environment
     * describes.
     *
     * @param secret secret as {@link Coordinator#secret()} returns it.
     */
    public JoinOptions secret(final String secret)
    {
        return put(RequestedJob.SECRET, secret);
    }

    /**
     * Sets the name of the job: {@code tutti.job.id}, or {@code TUTTI_JOB_ID} of a job that the environment describes.
     *
     * @param jobName name, the same for the coordinator and all ranks, 1 to 64 letters, digits, '.', '_' and '-'; by
     *                default {@code job}.
     */
    public JoinOptions jobName(final String jobName)
    {
        return put(RequestedJob.JOB_ID, jobName);
    }

    /**
     * Sets the time limit for joining, and then for connecting with the other ranks: {@code TUTTI_JOIN_TIMEOUT}.
     *
     * @param joinTimeout time limit, from 1 ms to 1 day; by default 60 s.
     */
    public JoinOptions joinTimeout(final Duration joinTimeout)
    {
        return set("join.timeout", SettingText.of(joinTimeout));
    }

    /**
     * Sets the file with the secret of a job that the environment describes: {@code TUTTI_SECRET_FILE}.
     *
     * @param file file that only this user can read, the same content on all hosts; by default none.
     */
    public JoinOptions secretFile(final Path file)
    {
        return set("secret.file", SettingText.of(file));
    }

    /**
     * Sets the directory through which ranks of a Slurm step agree on a secret: {@code TUTTI_SECRET_DIR}.
     *
     * @param directory directory that all hosts share; by default none.
     */
    public JoinOptions secretDir(final Path directory)
    {
        return set("secret.dir", SettingText.of(directory));
    }

    /**
     * Sets whether a job that the environment describes, without a secret, admits any process that reaches its address:
     * {@code TUTTI_INSECURE}.
     *
     * @param insecure whether to do without a secret; by default false.
     */
    public JoinOptions insecure(final boolean insecure)
    {
        return set("insecure", SettingText.of(insecure));
    }

    /**
     * Sets the deadline of each call: {@code TUTTI_TIMEOUT}.
     *
     * @param timeout deadline, greater than 0, capped at 365 days; by default 5 minutes.
     */
    public JoinOptions timeout(final Duration timeout)
    {
        return set("timeout", SettingText.of(timeout));
    }

    /**
     * Sets the algorithms by collective and size: {@code TUTTI_ALGORITHM}.
     *
     * @param algorithm algorithms, such as {@code allreduce:0-4k:recursive_doubling,4k-:ring}; by default by size.
     */
    public JoinOptions algorithm(final String algorithm)
    {
        return set("algorithm", algorithm);
    }

    /**
     * Sets the table of the fastest algorithms by size: {@code TUTTI_TUNING}.
     *
     * @param tuning file that {@code tutti run tune} has written; by default none.
     */
    public JoinOptions tuning(final Path tuning)
    {
        return set("tuning", SettingText.of(tuning));
    }

    /**
     * Sets the parameters of the cost model, which chooses algorithms where nothing was measured: {@code TUTTI_MODEL}.
     *
     * @param model file that {@code tutti calibrate} has written; by default the shipped parameters.
     */
    public JoinOptions model(final Path model)
    {
        return set("model", SettingText.of(model));
    }

    /**
     * Sets whether rounding reductions give the same bits with all algorithms: {@code TUTTI_REPRODUCIBLE}.
     *
     * @param reproducible whether they do; by default false.
     */
    public JoinOptions reproducible(final boolean reproducible)
    {
        return set("reproducible", SettingText.of(reproducible));
    }

    /**
     * Sets the files to which each rank writes a line per call: {@code TUTTI_RESULT_HASHES}.
     *
     * @param resultHashes prefix of the files; by default none are written.
     */
    public JoinOptions resultHashes(final String resultHashes)
    {
        return set("result.hashes", resultHashes);
    }

    /**
     * Sets the maximum number of calls of a communicator in progress at once: {@code TUTTI_OUTSTANDING}.
     *
     * @param outstanding number of calls, from 1 to 16; by default 8.
     */
    public JoinOptions outstanding(final int outstanding)
    {
        return set("outstanding", Integer.toString(outstanding));
    }

    /**
     * Sets whether a thread progresses requests while no other thread is in a call: {@code TUTTI_PROGRESS}.
     *
     * @param progress {@code caller}, the default, or {@code thread}, or {@code thread:} and processors.
     */
    public JoinOptions progress(final String progress)
    {
        return set("progress", progress);
    }

    /**
     * Sets the memory that peers write into during a long call; twice as much is registered: {@code TUTTI_SCRATCH}.
     *
     * @param scratch length in bytes, from 64 KiB to 1 TiB; by default 4 MiB.
     */
    public JoinOptions scratch(final long scratch)
    {
        return set("scratch", Long.toString(scratch));
    }

    /**
     * Sets the maximum total length of calls of a group that are merged into one: {@code TUTTI_FUSION}.
     *
     * @param fusion length in bytes, from 0, for none, to 1 GiB; by default 64 KiB.
     */
    public JoinOptions fusion(final long fusion)
    {
        return set("fusion", Long.toString(fusion));
    }

    /**
     * Sets whether ranks on one host access each other's memory: {@code TUTTI_DIRECT}.
     *
     * @param direct whether they do; by default true.
     */
    public JoinOptions direct(final boolean direct)
    {
        return set("direct", SettingText.of(direct));
    }

    /**
     * Sets whether rank 0 prints what it chooses: {@code TUTTI_VERBOSE}.
     *
     * @param verbose whether it prints; by default false.
     */
    public JoinOptions verbose(final boolean verbose)
    {
        return set("verbose", SettingText.of(verbose));
    }

    /**
     * Sets the transports within and between hosts: {@code TUTTI_TRANSPORT}.
     *
     * @param transport {@code auto}, the default, or {@code shm}, {@code verbs}, {@code tcp}, {@code disni}, {@code
     *                  shm+verbs}, {@code shm+tcp} or {@code shm+disni}.
     */
    public JoinOptions transport(final String transport)
    {
        return set("transport", transport);
    }

    /**
     * Sets the name of this rank's host: ranks with the same name count as being on one host: {@code TUTTI_HOST}.
     *
     * @param host name; by default ranks that share memory are on one host.
     */
    public JoinOptions host(final String host)
    {
        return set("host", host);
    }

    /**
     * Sets the device and port, or a list that is assigned round-robin to the ranks of a host: {@code TUTTI_DEVICE}.
     *
     * @param device such as {@code mlx5_0} or {@code mlx5_0:1,mlx5_1:1}; by default the best.
     */
    public JoinOptions device(final String device)
    {
        return set("device", device);
    }

    /**
     * Sets the port of devices that are given without one: {@code TUTTI_PORT}.
     *
     * @param port number of the port, from 1; by default the best.
     */
    public JoinOptions port(final int port)
    {
        return set("port", Integer.toString(port));
    }

    /**
     * Sets the index in the port's GID table: {@code TUTTI_GID_INDEX}.
     *
     * @param gidIndex index, from 0; by default the best.
     */
    public JoinOptions gidIndex(final int gidIndex)
    {
        return set("gid.index", Integer.toString(gidIndex));
    }

    /**
     * Sets the directory for the files of shared memory: {@code TUTTI_SHM_DIR}.
     *
     * @param shmDir directory on a tmpfs, owned by the user, mode 700; by default the job's.
     */
    public JoinOptions shmDir(final Path shmDir)
    {
        return set("shm.dir", SettingText.of(shmDir));
    }

    /**
     * Sets whether waiting ranks yield at once, as they share cores: {@code TUTTI_OVERSUBSCRIBED}.
     *
     * @param oversubscribed whether they do; by default if the host has more ranks than cores.
     */
    public JoinOptions oversubscribed(final boolean oversubscribed)
    {
        return set("oversubscribed", SettingText.of(oversubscribed));
    }

    /**
     * Sets the time to wait for an acknowledgement before a packet is sent again: {@code TUTTI_ACK_TIMEOUT}.
     *
     * @param ackTimeout exponent <i>n</i> of 4.096 µs × 2<sup>n</sup>, from 1 to 31; by default 14.
     */
    public JoinOptions ackTimeout(final int ackTimeout)
    {
        return set("ack.timeout", Integer.toString(ackTimeout));
    }

    /**
     * Sets the retries before a peer counts as unreachable: {@code TUTTI_RETRY_COUNT}.
     *
     * @param retryCount number of retries, from 0 to 7, the default.
     */
    public JoinOptions retryCount(final int retryCount)
    {
        return set("retry.count", Integer.toString(retryCount));
    }

    /**
     * Sets the retries while a peer has posted no receive: {@code TUTTI_RNR_RETRY}.
     *
     * @param rnrRetry number of retries, from 0 to 7, the default, which is unlimited.
     */
    public JoinOptions rnrRetry(final int rnrRetry)
    {
        return set("rnr.retry", Integer.toString(rnrRetry));
    }

    /**
     * Sets the delay before such a retry: {@code TUTTI_MIN_RNR_TIMER}.
     *
     * @param minRnrTimer delay as encoded by verbs, from 0 to 31; by default 12, which is 0.64 ms.
     */
    public JoinOptions minRnrTimer(final int minRnrTimer)
    {
        return set("min.rnr.timer", Integer.toString(minRnrTimer));
    }

    /**
     * Sets the path MTU: {@code TUTTI_MTU}.
     *
     * @param mtu MTU in bytes: 256, 512, 1024, 2048 or 4096; by default the port's active MTU.
     */
    public JoinOptions mtu(final int mtu)
    {
        return set("mtu", Integer.toString(mtu));
    }

    /**
     * Sets the service level, on Ethernet the priority: {@code TUTTI_SERVICE_LEVEL}.
     *
     * @param serviceLevel level, from 0, the default, to 15.
     */
    public JoinOptions serviceLevel(final int serviceLevel)
    {
        return set("service.level", Integer.toString(serviceLevel));
    }

    /**
     * Sets the DSCP and ECN bits: {@code TUTTI_TRAFFIC_CLASS}.
     *
     * @param trafficClass traffic class, from 0, the default, to 255.
     */
    public JoinOptions trafficClass(final int trafficClass)
    {
        return set("traffic.class", Integer.toString(trafficClass));
    }

    /**
     * Sets whether this rank wants a CRC in each frame of the transport {@code tcp}: {@code TUTTI_TCP_CRC}.
     *
     * @param tcpCrc whether it does, by default true; frames between two ranks have a CRC if either wants it.
     */
    public JoinOptions tcpCrc(final boolean tcpCrc)
    {
        return set("tcp.crc", SettingText.of(tcpCrc));
    }

    /**
     * Sets the congestion control of what this rank sends by {@code tcp}: {@code TUTTI_TCP_CONGESTION_CONTROL}.
     *
     * @param tcpCongestionControl name such as {@code cubic} or {@code bbr}; by default the kernel's.
     */
    public JoinOptions tcpCongestionControl(final String tcpCongestionControl)
    {
        return set("tcp.congestion.control", tcpCongestionControl);
    }

    /**
     * Sets the size of the send buffer of each socket of {@code tcp}: {@code TUTTI_TCP_SEND_BUFFER}.
     *
     * @param tcpSendBuffer length in bytes, from 4 KiB to 512 MiB, or 0, the default, if the kernel adapts it.
     */
    public JoinOptions tcpSendBuffer(final long tcpSendBuffer)
    {
        return set("tcp.send.buffer", Long.toString(tcpSendBuffer));
    }

    /**
     * Sets the size of the receive buffer of each socket of {@code tcp}: {@code TUTTI_TCP_RECEIVE_BUFFER}.
     *
     * @param tcpReceiveBuffer length in bytes, from 4 KiB to 512 MiB, or 0, the default, if the kernel adapts it.
     */
    public JoinOptions tcpReceiveBuffer(final long tcpReceiveBuffer)
    {
        return set("tcp.receive.buffer", Long.toString(tcpReceiveBuffer));
    }

    /**
     * Sets the maximum payload of the frames that this rank sends by {@code tcp}: {@code TUTTI_TCP_MAX_PAYLOAD}.
     *
     * @param tcpMaxPayload length in bytes, a multiple of 16 from 512 to 65,504, the default.
     */
    public JoinOptions tcpMaxPayload(final int tcpMaxPayload)
    {
        return set("tcp.max.payload", Integer.toString(tcpMaxPayload));
    }

    /**
     * Sets the time for which a call on an empty socket of {@code tcp} polls the network interface: {@code
     * TUTTI_TCP_BUSY_POLL}.
     *
     * @param tcpBusyPoll time in microseconds, from 0, the default, to 10,000.
     */
    public JoinOptions tcpBusyPoll(final int tcpBusyPoll)
    {
        return set("tcp.busy.poll", Integer.toString(tcpBusyPoll));
    }

    /**
     * Returns the settings of this process with those that were set here.
     *
     * @return a new map, with variables and properties by their names.
     */
    public Map<String, String> settings()
    {
        final Map<String, String> settings = ProcessSettings.read();
        settings.putAll(values);
        return settings;
    }

    private JoinOptions set(final String name, final String value)
    {
        return put("tutti." + name, value);
    }

    private JoinOptions put(final String property, final String value)
    {
        if (value == null || value.isBlank())
        {
            throw new IllegalArgumentException(property + " must not be " + (value == null ? "null" : "blank") +
                ": do not set it, to use the default");
        }
        values.put(property, value);
        return this;
    }
}
