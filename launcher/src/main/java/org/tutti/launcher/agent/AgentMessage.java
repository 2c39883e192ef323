/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import java.util.List;
import java.util.Map;

import org.tutti.bootstrap.ProcessState;
import org.tutti.launcher.rank.ProgramSpec;

/** The messages between the launcher and the agents of hosts, sent by an {@link AgentLink}. */
public sealed interface AgentMessage
{
    /**
     * First message to an agent in a process of its own: what it is to prepare.
     *
     * @param jobId              the job's name.
     * @param agent              the agent's number in the job, at least 0.
     * @param ranks              the number of ranks that the host will have, at least 1.
     * @param directory          the working directory of the ranks.
     * @param heartbeatTimeoutNs the silence after which the other end counts as gone, in nanoseconds.
     */
    record Hello(String jobId, int agent, int ranks, String directory, long heartbeatTimeoutNs) implements AgentMessage
    {
    }

    /**
     * To an agent: start a rank.
     *
     * @param rank        the rank's number in the job.
     * @param localRank   the rank's number among those of the host.
     * @param isBound     whether the rank is bound to one core.
     * @param readsInput  whether the rank gets the launcher's stdin.
     * @param program     the program that the rank executes.
     * @param environment the variables added to those of the agent.
     */
    record Start(
        int rank,
        int localRank,
        boolean isBound,
        boolean readsInput,
        ProgramSpec program,
        Map<String, String> environment)
        implements AgentMessage
    {
    }

    /**
     * To an agent: send a signal to the process group of a rank that still runs.
     *
     * @param rank   the rank that gets the signal.
     * @param signal the signal's name without SIG.
     */
    record Signal(int rank, String signal) implements AgentMessage
    {
    }

    /**
     * To an agent: examine the process of a rank now, and watch from now on whether it is stopped.
     *
     * @param rank the rank's number.
     * @param pid  the process that joined the job, or 0 for the process that was started.
     */
    record Watch(int rank, long pid) implements AgentMessage
    {
    }

    /**
     * To an agent in a process of its own: part of the launcher's stdin.
     *
     * @param bytes the bytes for the rank that reads it; empty at its end.
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Input(byte[] bytes) implements AgentMessage
    {
    }

    /**
     * To an agent in a process of its own: more of the output that it sent was passed on.
     *
     * @param length the length of that output in bytes.
     */
    record OutputPassed(int length) implements AgentMessage
    {
    }

    /** To an agent in a process of its own: all ranks ended; clean up, send all output, and end. */
    record Finish() implements AgentMessage
    {
    }

    /**
     * From an agent in a process of its own: ranks can be started.
     *
     * @param build     the build of Tutti that it runs.
     * @param directory the job's directory on its host.
     * @param cores     the number of cores that ranks have there.
     * @param port      a TCP port that is free there.
     * @param client    the address that ssh came from, as sshd says; may be empty.
     * @param server    the address that ssh came to, as sshd says; may be empty.
     * @param warning   what is missing there for a clean end, or empty.
     */
    record Ready(
        String build, String directory, int cores, int port, String client, String server, String warning)
        implements AgentMessage
    {
    }

    /**
     * From an agent in a process of its own: it cannot prepare, or cannot continue.
     *
     * @param cause the reason and the fix in one line.
     */
    record Refused(String cause) implements AgentMessage
    {
    }

    /**
     * From an agent: a rank's process runs.
     *
     * @param rank the rank's number.
     * @param pid  the rank's process.
     */
    record Started(int rank, long pid) implements AgentMessage
    {
    }

    /**
     * From an agent: the state of a rank's process.
     *
     * @param rank  the rank's number.
     * @param pid   the rank's process.
     * @param state the state of that process.
     */
    record State(int rank, long pid, ProcessState state) implements AgentMessage
    {
    }

    /**
     * From an agent: a rank could not be started.
     *
     * @param rank  the rank's number.
     * @param cause the reason in one line.
     */
    record NotStarted(int rank, String cause) implements AgentMessage
    {
    }

    /**
     * From an agent: a rank's process ended.
     *
     * @param rank the rank's number.
     * @param pid  the rank's process.
     * @param code the exit code, 128 + n when signal n ended the process.
     */
    record Ended(int rank, long pid, int code) implements AgentMessage
    {
    }

    /**
     * From an agent, some time after the end of a rank that did not exit with 0: the end of its output.
     *
     * @param rank  the rank's number.
     * @param lines the last lines of its output, oldest first.
     */
    record LastOutput(int rank, List<String> lines) implements AgentMessage
    {
    }

    /**
     * From an agent in a process of its own: whole lines that a rank wrote.
     *
     * @param rank    the rank's number.
     * @param isError whether the lines are of its stderr.
     * @param bytes   the lines; only the last line of a stream may lack its newline.
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Output(int rank, boolean isError, byte[] bytes) implements AgentMessage
    {
    }

    /**
     * From an agent: the output of a rank cannot be written any more.
     *
     * @param rank  the rank that wrote it.
     * @param cause the target, why writing failed and the fix, or empty when the target is not read any more.
     */
    record OutputLost(int rank, String cause) implements AgentMessage
    {
    }

    /**
     * From an agent in a process of its own: more of the input was passed on.
     *
     * @param length the length of that input in bytes.
     */
    record InputPassed(int length) implements AgentMessage
    {
    }

    /**
     * From an agent in a process of its own: a notice for the user, which does not end the job.
     *
     * @param text the notice in one line.
     */
    record Notice(String text) implements AgentMessage
    {
    }

    /** Last message of an agent in a process of its own: its host is cleaned up, and all output was sent. */
    record Finished() implements AgentMessage
    {
    }
}
