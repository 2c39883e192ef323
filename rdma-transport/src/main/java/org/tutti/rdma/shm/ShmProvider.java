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
 * device, {@code shm0}. Contexts reach each other if they use the same directory: that of the system property
 * {@value #DIRECTORY_PROP_NAME}, else of the environment variable {@value #DIRECTORY_ENV_NAME}, else a private one of
 * the process, created by the first open and removed after the last close.
 * <p>
 * The thread that posts a request executes it: it performs the checks that the adapters of both sides would perform,
 * copies the data once into the peer's mapped memory and adds the completions to rings mapped by both. Thread-safe.
 */
public final class ShmProvider implements RdmaProvider
{
    /** The system property that names the directory. */
    public static final String DIRECTORY_PROP_NAME = Fabric.DIRECTORY_PROP_NAME;
    /** The environment variable that names the directory; the property takes precedence. */
    public static final String DIRECTORY_ENV_NAME = Fabric.DIRECTORY_ENV_NAME;

    private final Device device;

    /** Creates a provider for the directory that the property or the environment variable names. */
    public ShmProvider()
    {
        this(configuredDirectory(null));
    }

    /**
     * Creates a provider for a directory.
     *
     * @param directory existing directory on a tmpfs; null for a private directory of this process.
     */
    public ShmProvider(final Path directory)
    {
        device = new ShmDevice(directory);
    }

    /**
     * Creates a provider for the configured directory, or for another if none is configured.
     *
     * @param defaultDirectory existing directory on a tmpfs, used if none is configured.
     * @return the provider.
     */
    public static ShmProvider ofConfiguredDirectoryOr(final Path defaultDirectory)
    {
        return new ShmProvider(configuredDirectory(defaultDirectory));
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

    private static Path configuredDirectory(final Path defaultDirectory)
    {
        final String name = System.getProperty(DIRECTORY_PROP_NAME, System.getenv(DIRECTORY_ENV_NAME));
        return name == null || name.isEmpty() ? defaultDirectory : Path.of(name);
    }
}
