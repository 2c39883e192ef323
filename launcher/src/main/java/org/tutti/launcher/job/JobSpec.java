/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.nio.file.Path;
import java.util.Map;

import org.tutti.launcher.host.RankPlacement;
import org.tutti.launcher.host.RemoteOptions;
import org.tutti.launcher.rank.RankProgram;

/**
 * A job as the user asked for it, checked: what to run, how often, where and how.
 *
 * @param where       the ranks run.
 * @param program     that each rank executes.
 * @param environment what the user adds to the ranks' environment.
 * @param output      where their output goes.
 * @param isBound     whether each rank is kept on a core of its own.
 * @param timeoutNs   how long the job may take, or 0 for as long as it likes.
 * @param graceNs     how long ranks may take to end when they are told to.
 * @param isQuiet     says nothing that is not an error.
 * @param isVerbose   says when each part of the start was done.
 */
public record JobSpec(
    Where where,
    RankProgram program,
    Map<String, String> environment,
    Output output,
    boolean isBound,
    long timeoutNs,
    long graceNs,
    boolean isQuiet,
    boolean isVerbose)
{
    /**
     * Where the ranks run.
     *
     * @param placement which rank on which host.
     * @param directory they work in; null for the launcher's own.
     * @param remote    how other hosts than this one are reached.
     */
    public record Where(RankPlacement placement, Path directory, RemoteOptions remote)
    {
    }

    /**
     * Where the ranks' output goes, and how.
     *
     * @param isTagged  with the rank before each line.
     * @param isTimed   with the time before each line.
     * @param directory to write one file per rank and stream into, or null for the launcher's own streams.
     */
    public record Output(boolean isTagged, boolean isTimed, Path directory)
    {
    }

    /** How many ranks. */
    public int size()
    {
        return where.placement().size();
    }
}
