/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.tutti.launcher.agent.NodeGroup;
import org.tutti.launcher.host.Binding;
import org.tutti.launcher.host.RankPlacement;
import org.tutti.launcher.host.RemoteOptions;
import org.tutti.launcher.rank.ProgramSpec;

/**
 * The validated specification of a job.
 *
 * @param where       the hosts of the ranks.
 * @param sections    the programs of the ranks, in the order of their ranks.
 * @param output      the target and format of the ranks' output.
 * @param binding     the CPUs that each rank is bound to.
 * @param timeoutNs   the maximum duration of the job in nanoseconds, or 0 for no limit.
 * @param graceNs     the time that ranks have to end when requested to, in nanoseconds.
 * @param isQuiet     whether only errors are printed.
 * @param isVerbose   whether the times of the startup steps are printed.
 */
public record JobSpec(
    Where where,
    List<Section> sections,
    Output output,
    Binding binding,
    long timeoutNs,
    long graceNs,
    boolean isQuiet,
    boolean isVerbose)
{
    /**
     * Where the ranks run.
     *
     * @param placement the host of each rank.
     * @param directory the working directory of the ranks; null for the launcher's own.
     * @param remote    the options for reaching other hosts; null if this launcher reaches none.
     * @param nodes     the other nodes, which have connected to this launcher; null if it reaches other hosts itself.
     */
    public record Where(RankPlacement placement, Path directory, RemoteOptions remote, NodeGroup nodes)
    {
        /**
         * Returns the same hosts without some of them.
         *
         * @param names the names of the hosts to leave out.
         * @return the hosts of as many ranks as before, or as the other hosts have slots.
         */
        public Where without(final Set<String> names)
        {
            return new Where(placement.without(names), directory, remote, nodes);
        }
    }

    /**
     * Consecutive ranks that execute the same program.
     *
     * @param size        the number of ranks, at least 1.
     * @param program     the program that each of them executes.
     * @param environment the user's additional variables in their environment.
     */
    public record Section(int size, ProgramSpec program, Map<String, String> environment)
    {
    }

    /**
     * The target and format of the ranks' output.
     *
     * @param isTagged  whether each line is prefixed with the rank.
     * @param isTimed   whether each line is prefixed with the time.
     * @param directory the directory of one file per rank and stream, or null for no files.
     * @param shown     the ranks whose output is written to the launcher's own streams.
     */
    public record Output(boolean isTagged, boolean isTimed, Path directory, BitSet shown)
    {
    }

    /**
     * Returns the section of a rank.
     *
     * @param rank the rank.
     * @return the section that contains the rank.
     */
    public Section section(final int rank)
    {
        int end = 0;
        for (final Section section : sections)
        {
            end += section.size();
            if (rank < end)
            {
                return section;
            }
        }
        throw new IndexOutOfBoundsException("rank=" + rank + " size=" + end);
    }

    /**
     * Returns this job on other hosts.
     *
     * @param others the hosts of the ranks; as many as before if there are several sections.
     * @return the specification of the job on these hosts.
     */
    public JobSpec at(final Where others)
    {
        final Section first = sections.getFirst();
        final List<Section> programs = sections.size() > 1 ? sections :
            List.of(new Section(others.placement().size(), first.program(), first.environment()));
        return new JobSpec(others, programs, output, binding, timeoutNs, graceNs, isQuiet, isVerbose);
    }

    /**
     * Returns the number of ranks.
     *
     * @return the number of ranks, at least 1.
     */
    public int size()
    {
        return where.placement().size();
    }
}
