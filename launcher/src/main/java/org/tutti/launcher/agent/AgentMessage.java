/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import java.util.List;
import java.util.Map;

import org.tutti.bootstrap.ProcessState;
import org.tutti.launcher.rank.RankProgram;

/** What launcher and node agents tell each other, by an {@link AgentLink}. */
public sealed interface AgentMessage
{
    /**
     * To an agent in a process of its own, first of all: what it is to prepare.
     *
     * @param jobId              the job's name.
     * @param agent              its number in the job.
     * @param ranks              how many the host will have.
     * @param directory          that ranks work in.
     * @param heartbeatTimeoutNs after so long a silence the other end counts as gone.
     */
    record Hello(String jobId, int agent, int ranks, String directory, long heartbeatTimeoutNs) implements AgentMessage
    {
    }

    /**
     * To an agent: start a rank.
     *
     * @param rank        its number in the job.
     * @param localRank   its number among those of the host.
     * @param isBound     whether it is kept on a core of its own.
     * @param readsInput  whether it gets the launcher's stdin.
     * @param program     that it executes.
     * @param environment added to the agent's own.
     */
    record Start(
        int rank,
        int localRank,
        boolean isBound,
        boolean readsInput,
        RankProgram program,
        Map<String, String> environment)
        implements AgentMessage
    {
    }

    /**
     * To an agent: send a signal to the process group of a rank that still runs.
     *
     * @param rank   that gets it.
     * @param signal its name without SIG.
     */
    record Signal(int rank, String signal) implements AgentMessage
    {
    }

    /**
     * To an agent: look at what a rank's process does, now and from now on at whether it is stopped.
     *
     * @param rank its number.
     * @param pid  the process that joined the job, or 0 for the one that was started.
     */
    record Watch(int rank, long pid) implements AgentMessage
    {
    }

    /**
     * To an agent in a process of its own: part of the launcher's stdin.
     *
     * @param bytes for the rank that reads it; none at its end.
     */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares it.
    record Input(byte[] bytes) implements AgentMessage
    {
    }

    /**
     * To an agent in a process of its own: so much of what it sent of output was passed on.
     *
     * @param length in bytes.
     */
    record OutputPassed(int length) implements AgentMessage
    {
    }

    /** To an agent in a process of its own: all ranks ended; it removes what they left, sends all output, and ends. */
    record Finish() implements AgentMessage
    {
    }

    /**
     * From an agent in a process of its own: ranks can be started.
     *
     * @param build     of Tutti that it runs.
     * @param directory of the job on its host.
     * @param cores     that ranks have there.
     * @param port      that nobody listens at, by TCP.
     * @param client    from which address ssh was called, as it says there; may be empty.
     * @param server    by which address it was called; may be empty.
     * @param warning   what weakens a promise there, or empty.
     */
    record Ready(
        String build, String directory, int cores, int port, String client, String server, String warning)
        implements AgentMessage
    {
    }

    /**
     * From an agent in a process of its own: it cannot prepare, or cannot go on.
     *
     * @param cause one line for people, with the fix.
     */
    record Refused(String cause) implements AgentMessage
    {
    }

    /**
     * From an agent: a rank's process runs.
     *
     * @param rank its number.
     * @param pid  its process.
     */
    record Started(int rank, long pid) implements AgentMessage
    {
    }

    /**
     * From an agent: what a rank's process does.
     *
     * @param rank  its number.
     * @param pid   its process.
     * @param state of the process.
     */
    record State(int rank, long pid, ProcessState state) implements AgentMessage
    {
    }

    /**
     * From an agent: a rank could not be started.
     *
     * @param rank  its number.
     * @param cause one line for people.
     */
    record NotStarted(int rank, String cause) implements AgentMessage
    {
    }

    /**
     * From an agent: a rank's process ended.
     *
     * @param rank its number.
     * @param pid  its process.
     * @param code it exited with, 128 + n when signal n ended it.
     */
    record Ended(int rank, long pid, int code) implements AgentMessage
    {
    }

    /**
     * From an agent, some time after the end of a rank that did not exit with 0: what it said last.
     *
     * @param rank  its number.
     * @param lines of its output, oldest first.
     */
    record LastWords(int rank, List<String> lines) implements AgentMessage
    {
    }

    /**
     * From an agent in a process of its own: whole lines that a rank wrote.
     *
     * @param rank    its number.
     * @param isError whether to its stderr.
     * @param bytes   the lines; only the last of a stream may lack its newline.
     */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares it.
    record Output(int rank, boolean isError, byte[] bytes) implements AgentMessage
    {
    }

    /**
     * From an agent: the output of a rank goes nowhere any more.
     *
     * @param rank  whose output it was.
     * @param cause what it was written to, why that failed and the fix, or empty when nobody reads it any more.
     */
    record OutputLost(int rank, String cause) implements AgentMessage
    {
    }

    /**
     * From an agent in a process of its own: so much of the input was passed on.
     *
     * @param length in bytes.
     */
    record InputPassed(int length) implements AgentMessage
    {
    }

    /**
     * From an agent in a process of its own: something that people should know, and that does not end the job.
     *
     * @param text one line for people.
     */
    record Notice(String text) implements AgentMessage
    {
    }

    /** From an agent in a process of its own, last of all: nothing is left on its host, and all output was sent. */
    record Finished() implements AgentMessage
    {
    }
}
