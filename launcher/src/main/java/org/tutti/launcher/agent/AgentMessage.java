/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import java.util.List;
import java.util.Map;

import org.tutti.bootstrap.ProcessState;
import org.tutti.launcher.host.Binding;
import org.tutti.launcher.rank.ProgramSpec;

/** The messages between the launcher and the agents of hosts, sent over an {@link AgentLink}. */
public sealed interface AgentMessage
{
    /**
     * First message to a remote agent: the request to prepare its host.
     *
     * @param jobId              the id of the job.
     * @param agent              the agent's number in the job, at least 0.
     * @param ranks              the number of ranks on the host, at least 1.
     * @param directory          the working directory of the ranks.
     * @param heartbeatTimeoutNs the silence after which the other end is considered lost, in nanoseconds.
     * @param isRestartable      whether the job is started again if it fails.
     */
    record Hello(
        String jobId, int agent, int ranks, String directory, long heartbeatTimeoutNs, boolean isRestartable)
        implements AgentMessage
    {
    }

    /**
     * To an agent: start a rank.
     *
     * @param rank        the rank's number in the job.
     * @param localRank   the rank's index among the ranks of the host.
     * @param binding     the CPUs that the rank is bound to, and whether the agent reports them.
     * @param readsInput  whether the rank gets the launcher's stdin.
     * @param program     the program that the rank executes.
     * @param environment the variables to add to the agent's environment.
     */
    record Start(
        int rank,
        int localRank,
        Binding binding,
        boolean readsInput,
        ProgramSpec program,
        Map<String, String> environment)
        implements AgentMessage
    {
    }

    /**
     * To an agent: send a signal to the process group of a running rank.
     *
     * @param rank   the target of the signal.
     * @param signal the signal's name without SIG.
     */
    record Signal(int rank, String signal) implements AgentMessage
    {
    }

    /**
     * To an agent: examine the activity of a rank's process now, and report from now on when that process is stopped.
     *
     * @param rank the rank's number.
     * @param pid  the process that joined the job, or 0 for the process that was started.
     */
    record Watch(int rank, long pid) implements AgentMessage
    {
    }

    /**
     * To a remote agent: part of the launcher's stdin.
     *
     * @param bytes the bytes for the rank that reads stdin; empty at end of file.
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Input(byte[] bytes) implements AgentMessage
    {
    }

    /**
     * To a remote agent: the launcher wrote more of the output that the agent sent.
     *
     * @param length the length of that output in bytes.
     */
    record OutputPassed(int length) implements AgentMessage
    {
    }

    /**
     * To a remote agent: all ranks ended; clean up, send all output, and end.
     *
     * @param code        the exit code of the job.
     * @param isRestarted whether the job is started again.
     */
    record Finish(int code, boolean isRestarted) implements AgentMessage
    {
    }

    /**
     * From a remote agent: ready to start ranks.
     *
     * @param build       the agent's build of Tutti.
     * @param directory   the job's directory on its host.
     * @param cores       the number of cores for ranks on its host.
     * @param heapPercent the maximum of all heaps of ranks on its host, as a percentage of its memory.
     * @param port        a free TCP port on its host.
     * @param client      the address of the ssh client, as seen by sshd; may be empty.
     * @param server      the address of the ssh server, as seen by sshd; may be empty.
     * @param warning     the programs that its host lacks but needs for a clean end; empty if none.
     */
    record Ready(
        String build,
        String directory,
        int cores,
        int heapPercent,
        int port,
        String client,
        String server,
        String warning)
        implements AgentMessage
    {
    }

    /**
     * From a remote agent: the agent cannot prepare its host, or cannot continue.
     *
     * @param cause the reason and the fix in one line.
     */
    record Refused(String cause) implements AgentMessage
    {
    }

    /**
     * From an agent, if requested, before it starts a rank: the CPUs that the rank may use.
     *
     * @param rank the rank's number.
     * @param cpus the description of the CPUs.
     */
    record Bound(int rank, String cpus) implements AgentMessage
    {
    }

    /**
     * From an agent: a rank's process was started.
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
     * @param code the exit code, 128 + n if signal n killed the process.
     */
    record Ended(int rank, long pid, int code) implements AgentMessage
    {
    }

    /**
     * From an agent, some time after a rank ended with an exit code other than 0: the last lines of its output.
     *
     * @param rank  the rank's number.
     * @param lines the last lines of its output, oldest first.
     */
    record LastOutput(int rank, List<String> lines) implements AgentMessage
    {
    }

    /**
     * From a remote agent: complete lines of a rank's output.
     *
     * @param rank    the rank's number.
     * @param isError whether the lines were written to stderr.
     * @param bytes   the lines; only the last line of a stream may lack its newline.
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Output(int rank, boolean isError, byte[] bytes) implements AgentMessage
    {
    }

    /**
     * From an agent: the output of a rank can no longer be written.
     *
     * @param rank  the rank that wrote the output.
     * @param cause the target, the error and the fix, or empty if the target's reader has closed it.
     */
    record OutputLost(int rank, String cause) implements AgentMessage
    {
    }

    /**
     * From a remote agent: the agent wrote more of the launcher's stdin to the rank that reads it.
     *
     * @param length the length of that input in bytes.
     */
    record InputPassed(int length) implements AgentMessage
    {
    }

    /**
     * From a remote agent: a notice for the user, which does not end the job.
     *
     * @param text the notice in one line.
     */
    record Notice(String text) implements AgentMessage
    {
    }

    /** Last message of a remote agent: its host is cleaned up, and all output was sent. */
    record Finished() implements AgentMessage
    {
    }
}
