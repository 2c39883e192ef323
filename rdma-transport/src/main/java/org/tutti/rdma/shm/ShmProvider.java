/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.tutti.rdma.Device;
import org.tutti.rdma.RdmaProvider;
import org.tutti.rdma.shm.peer.Fabric;

import java.nio.file.Path;
import java.util.List;

/**
 * Software verbs between the processes of one host, and within one process, over mapped shared memory. It has one
 * device, {@code shm0}. Contexts reach each other when they share a directory: the system property
 * {@value #DIRECTORY_PROP_NAME}, the environment variable {@value #DIRECTORY_ENV_NAME}, or else one of the process's
 * own, made by the first open and removed after the last close.
 * <p>
 * A request is executed by the thread that posts it: it checks what the adapters of both sides would check, copies once
 * into the peer's mapped memory and adds the completions to rings that both map. Thread-safe.
 */
public final class ShmProvider implements RdmaProvider
{
    /** The system property that names the directory. */
    public static final String DIRECTORY_PROP_NAME = Fabric.DIRECTORY_PROP_NAME;
    /** The environment variable that names the directory; the property goes before it. */
    public static final String DIRECTORY_ENV_NAME = Fabric.DIRECTORY_ENV_NAME;

    private final Device device;

    /** For the directory that property or environment name. */
    public ShmProvider()
    {
        this(configuredDirectory(null));
    }

    /**
     * For a directory.
     *
     * @param directory existing directory on a tmpfs; null for a directory of this process.
     */
    public ShmProvider(final Path directory)
    {
        device = new ShmDevice(directory);
    }

    /**
     * For the directory that property or environment name, or another where they name none.
     *
     * @param otherwise existing directory on a tmpfs.
     * @return the provider.
     */
    public static ShmProvider ofConfiguredDirectoryOr(final Path otherwise)
    {
        return new ShmProvider(configuredDirectory(otherwise));
    }

    @Override
    public String name()
    {
        return "shm";
    }

    @Override
    public List<Device> devices()
    {
        return List.of(device);
    }

    private static Path configuredDirectory(final Path otherwise)
    {
        final String name = System.getProperty(DIRECTORY_PROP_NAME, System.getenv(DIRECTORY_ENV_NAME));
        return name == null || name.isEmpty() ? otherwise : Path.of(name);
    }
}
