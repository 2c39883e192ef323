/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.tutti.bootstrap.Arguments;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapRequest;
import org.tutti.bootstrap.FailureNotice;
import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.JobEnvironment;
import org.tutti.bootstrap.RankFailure;
import org.tutti.bootstrap.store.ValueList;

/**
 * The bootstrap of a rank that communicates with the job's coordinator over Aeron. It has one daemon thread, which is
 * idle most of the time.
 */
public final class AeronBootstrap implements Bootstrap
{
    private static final byte[] NOTHING = new byte[0];
    private static final long SHORT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);

    private final JobEnvironment environment;
    private final String jobDirectory;
    private final String hostId;
    private final FailureNotice notice;
    private final MemberClient client;
    private final Deque<AutoCloseable> owned = new ArrayDeque<>();
    private boolean isClosed;

    AeronBootstrap(
        final JobEnvironment environment,
        final String jobDirectory,
        final String hostId,
        final FailureNotice notice,
        final MemberClient client)
    {
        this.environment = environment;
        this.jobDirectory = jobDirectory;
        this.hostId = hostId;
        this.notice = notice;
        this.client = client;
        client.listener(new Listener());
    }

    /** Takes ownership of resources: closing this bootstrap closes them. Returns this bootstrap. */
    AeronBootstrap own(final Deque<AutoCloseable> resources)
    {
        owned.addAll(resources);
        return this;
    }

    /** Returns whether the transport has taken all messages of this rank. */
    boolean isSent()
    {
        return client.isSent();
    }

    @Override
    public int rank()
    {
        return environment.rank();
    }

    @Override
    public int size()
    {
        return environment.size();
    }

    @Override
    public int localRank()
    {
        return environment.localRank();
    }

    @Override
    public int localSize()
    {
        return environment.localSize();
    }

    @Override
    public String jobId()
    {
        return environment.jobId();
    }

    @Override
    public String hostId()
    {
        return hostId;
    }

    @Override
    public String jobDirectory()
    {
        return jobDirectory;
    }

    @Override
    public void put(final String key, final byte[] value)
    {
        final byte[] copy = Arguments.value(Arguments.key(key), value).clone();
        client.requestFromCoordinator((writer, id) -> writer.putHead(id, key, copy.length), copy, SHORT_TIMEOUT_NS);
    }

    @Override
    public byte[] get(final String key)
    {
        Arguments.key(key);
        return client.requestFromCoordinator((writer, id) -> writer.get(id, key, false), NOTHING, SHORT_TIMEOUT_NS);
    }

    @Override
    public byte[] take(final String key)
    {
        Arguments.key(key);
        return client.requestFromCoordinator((writer, id) -> writer.get(id, key, true), NOTHING, SHORT_TIMEOUT_NS);
    }

    @Override
    public BootstrapRequest putAsync(final String key, final byte[] value)
    {
        final byte[] copy = Arguments.value(Arguments.key(key), value).clone();
        return client.begin((writer, id) -> writer.putHead(id, key, copy.length), copy);
    }

    @Override
    public BootstrapRequest getAsync(final String key)
    {
        Arguments.key(key);
        return client.begin((writer, id) -> writer.get(id, key, false));
    }

    @Override
    public BootstrapRequest takeAsync(final String key)
    {
        Arguments.key(key);
        return client.begin((writer, id) -> writer.get(id, key, true));
    }

    @Override
    public String coordinatorProblem()
    {
        return client.coordinator().problem();
    }

    @Override
    public byte[] await(final String key, final long timeoutNs)
    {
        Arguments.key(key);
        final long boundedNs = Arguments.timeout(timeoutNs);
        return client.ask((writer, id) -> writer.await(id, key, boundedNs), boundedNs);
    }

    @Override
    public List<byte[]> allgather(
        final String name, final int[] members, final byte[] value, final long timeoutNs)
    {
        final int[] checked = Arguments.members(members, rank(), size());
        final byte[] copy = Arguments.value(Arguments.key(name), value).clone();
        final long boundedNs = Arguments.timeout(timeoutNs);
        return ValueList.decode(client.ask(
            (writer, id) -> writer.allgatherHead(id, name, checked, boundedNs, copy.length), copy, boundedNs));
    }

    @Override
    public void barrier(final String name, final int[] members, final long timeoutNs)
    {
        final int[] checked = Arguments.members(members, rank(), size());
        Arguments.key(name);
        final long boundedNs = Arguments.timeout(timeoutNs);
        client.ask((writer, id) -> writer.barrier(id, name, checked, boundedNs), boundedNs);
    }

    @Override
    public void abort(final String reason)
    {
        if (notice.failure() == null)
        {
            client.abort(reason);
            notice.raise(new RankFailure(
                rank(), Hosts.local(), ProcessHandle.current().pid(), RankFailure.aborted(reason)));
        }
    }

    @Override
    public void abort(final int lateRank, final String reason)
    {
        if (notice.failure() == null)
        {
            client.abort(lateRank, reason);
            notice.raise(RankFailure.late(lateRank, "", 0, rank(), reason));
        }
    }

    @Override
    public void reportWait(final int peer, final String call, final long waitedNs)
    {
        client.reportWait(peer, call, waitedNs);
    }

    @Override
    public RankFailure failure()
    {
        return notice.failure();
    }

    @Override
    public void onFailure(final Consumer<RankFailure> listener)
    {
        notice.listener(listener);
        notice.tell();
    }

    @Override
    public void close()
    {
        synchronized (owned)
        {
            if (isClosed)
            {
                return;
            }
            isClosed = true;
        }
        client.close();
        OwnedResources.close(owned);
    }

    /** Passes the first failure to the caller's listener. */
    private final class Listener implements MemberListener
    {
        @Override
        public void onTick()
        {
            notice.tell();
        }
    }
}
