/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Starts the coordinator that a program requests: chooses what its options leave open. */
final class RequestedCoordinator
{
    private static final long LEAVE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int MAX_PORT = 65535;

    private RequestedCoordinator()
    {
    }

    static Coordinator start(final CoordinatorOptions options)
    {
        RequiredJvmOptions.check();
        if (options.size() < 1 || options.size() > JobEnvironment.MAX_SIZE)
        {
            throw new BootstrapException("the number of ranks is " + options.size() + ": must be 1 to " +
                JobEnvironment.MAX_SIZE);
        }
        if (options.rank() < -1 || options.rank() >= options.size())
        {
            throw new BootstrapException("the coordinator's rank is " + options.rank() + ": must be 0 to " +
                (options.size() - 1) + ", or -1 if its process is that of no rank or of several");
        }
        final String secret = options.secret() == null ?
            JobSecret.generate() : RequestedJob.checkSecret(options.secret());
        final OwnAddress.Explained choice = choice(options.address());
        final long heartbeatTimeoutNs = options.heartbeatTimeoutNs();
        final JobDirectory directory = JobDirectory.create(JobId.unique("coordinator"));
        try
        {
            return Coordinator.start(
                new CoordinatorContext()
                    .jobId(options.jobName())
                    .size(options.size())
                    .rank(options.rank())
                    .aeronDirectory(directory.aeronDirectory())
                    .secret(secret.getBytes(StandardCharsets.UTF_8))
                    .endpoint(OwnAddress.endpoint(choice.address(), port(options.address())))
                    .endpointReason(choice.reason())
                    .heartbeatTimeoutNs(heartbeatTimeoutNs)
                    .leaveTimeoutNs(LEAVE_TIMEOUT_NS)
                    .owned(directory));
        }
        catch (final RuntimeException | Error ex)
        {
            directory.close();
            throw ex;
        }
    }

    private static OwnAddress.Explained choice(final String address)
    {
        if (address == null)
        {
            return OwnAddress.choose();
        }
        final String host = HostPort.parse(address).host();
        return host.isEmpty() ? OwnAddress.choose() :
            new OwnAddress.Explained(OwnAddress.find(host), "'" + address + "' was requested");
    }

    private static int port(final String address)
    {
        final int port = address == null ? HostPort.NONE : HostPort.parse(address).port();
        if (port == HostPort.INVALID)
        {
            throw new BootstrapException("the coordinator's address is '" + address + "': its port must be 0, for " +
                "one that the kernel chooses, to " + MAX_PORT);
        }
        return Math.max(0, port);
    }
}
