/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.step;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

import org.tutti.bootstrap.JobEnvironment;
import org.tutti.bootstrap.SlurmStep;

/**
 * A way to agree on a secret, and why this rank uses it. Each rank chooses by what it finds on its own host.
 * Ranks on other hosts may choose another way, so errors give the reason.
 *
 * @param kind      the way.
 * @param directory the directory of the file; null for other ways.
 * @param reason    what this rank has found.
 */
record SecretWay(Kind kind, Path directory, String reason)
{
    /** The ways, in the order in which they are preferred; a file in the directory that the user chose goes first. */
    enum Kind
    {
        PMI("PMI-2"), MUNGE("MUNGE"), FILE("a file"), NONE("nothing");

        private final String text;

        Kind(final String text)
        {
            this.text = text;
        }
    }

    /** Types of file systems that hosts share, as the kernel or FUSE names them. */
    private static final Set<String> SHARED = Set.of(
        "nfs", "nfs4", "lustre", "gpfs", "beegfs", "ceph", "fuse.ceph", "cifs", "smb3", "afs", "panfs", "orangefs",
        "wekafs", "fuse.glusterfs", "9p", "virtiofs", "gfs2", "ocfs2");
    private static final int SOCKET = 0140000;
    private static final int TYPE_MASK = 0170000;

    /** Chooses the first way that is available. */
    static SecretWay choose(final SlurmStep step)
    {
        if (step.directory() != null)
        {
            return new SecretWay(Kind.FILE, Path.of(step.directory()), JobEnvironment.TUTTI_SECRET_DIR + " is set");
        }
        final String name = "PMI_FD" + (step.pmiDescriptor() < 0 ? "" : "=" + step.pmiDescriptor());
        if (step.pmiDescriptor() >= 0 && isSocket(step.pmiDescriptor()))
        {
            return new SecretWay(Kind.PMI, null, name + " is an open socket");
        }
        // A wrapper or a container may pass on the variable, but not the descriptor.
        final String noPmi = name + (step.pmiDescriptor() < 0 ? " is not set" : " is not an open socket");
        if (MungeCommand.isInstalled(step.path()))
        {
            return new SecretWay(Kind.MUNGE, null, noPmi + " and munge is on the PATH");
        }
        final Path working = Path.of("").toAbsolutePath();
        final String type = fileSystem(working);
        final boolean isShared = SHARED.contains(type);
        return new SecretWay(isShared ? Kind.FILE : Kind.NONE, isShared ? working : null,
            noPmi + ", munge is not on the PATH, and the working directory is on " + type);
    }

    /** Returns whether a descriptor of this process is a socket. */
    private static boolean isSocket(final int descriptor)
    {
        try
        {
            final Object mode =
                Files.getAttribute(Path.of("/proc/self/fd", Integer.toString(descriptor)), "unix:mode");
            return ((Integer)mode & TYPE_MASK) == SOCKET;
        }
        catch (final IOException ex)
        {
            return false;
        }
    }

    private static String fileSystem(final Path directory)
    {
        try
        {
            return Files.getFileStore(directory).type();
        }
        catch (final IOException ex)
        {
            return "an unknown file system";
        }
    }

    /** Returns what to check if rank 0 does not answer, for the end of a message. */
    String advice()
    {
        return "this rank uses " + kind.text + ", as " + reason + " here: check that this is so for all ranks, or " +
            "set " + JobEnvironment.TUTTI_SECRET_DIR + " to a directory that all hosts share";
    }
}
