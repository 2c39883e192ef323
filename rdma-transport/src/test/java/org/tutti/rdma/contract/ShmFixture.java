/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.tutti.rdma.Context;
import org.tutti.rdma.shm.ShmProvider;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The shm provider in a separate directory. */
public final class ShmFixture implements ProviderFixture
{
    private final Path directory;
    private final ShmProvider provider;

    /** Creates the directory. */
    public ShmFixture()
    {
        try
        {
            directory = Files.createTempDirectory(Path.of("/dev/shm"), "tutti-contract-");
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        provider = new ShmProvider(directory);
    }

    @Override
    public String name()
    {
        return "shm";
    }

    @Override
    public Context open()
    {
        return provider.devices().getFirst().open();
    }

    @Override
    public PeerProcess startPeer()
    {
        return new PeerProcess("shm", List.of(ShmProvider.DIRECTORY_PROP_NAME + "=" + directory));
    }

    /** The next open removes the files of dead contexts; then only the lock files remain. */
    @Override
    public void close()
    {
        open().close();
        try (Stream<Path> files = Files.list(directory))
        {
            final List<Path> left = files.toList();
            for (final Path file : left)
            {
                Files.delete(file);
            }
            Files.delete(directory);
            assertEquals(List.of(), left.stream().map((file) -> file.getFileName().toString())
                .filter((name) -> name.contains("-")).toList());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
