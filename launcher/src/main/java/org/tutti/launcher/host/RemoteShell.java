/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import java.util.List;
import java.util.Map;

/** A program that runs a command on another host, with its stdin, stdout and stderr. */
public interface RemoteShell
{
    /**
     * Returns the name of the program, for messages.
     *
     * @return the name as the user gave it.
     */
    String name();

    /**
     * Builds the command that runs a command line on a host.
     *
     * @param host the host, as the user or Slurm names it.
     * @param line the command line for a shell on that host.
     * @return the words of the command.
     */
    List<String> command(String host, String line);

    /**
     * Prepares the environment of the program.
     *
     * @param environment the variables of this process, to be modified.
     */
    void prepare(Map<String, String> environment);

    /**
     * Returns why the program could not run the command, if its exit code shows that.
     *
     * @param host the host.
     * @param code the exit code of the program.
     * @param said the last line that it wrote to stderr, after ": ", or an empty text.
     * @return the reason and the fix, or null.
     */
    String failure(String host, int code, String said);

    /**
     * Returns whether a line on stderr only reports the end of the command, whose own message is of more use.
     *
     * @param line the line.
     * @return true if the line does not replace the line before it.
     */
    boolean isReportOfEnd(String line);
}
