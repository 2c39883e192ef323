/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.util.concurrent.Callable;

/**
 * A built-in command that starts no ranks: {@code tutti devices} runs in the process that the user started, even if the
 * environment is a rank's.
 * <p>
 * Implementations are picocli commands (annotated with {@code picocli.CommandLine.Command}, which gives the name, the
 * summary and the options) with a public no-argument constructor, found by {@link java.util.ServiceLoader}. {@code
 * call} returns the exit code: 0 for success, 1 for a failure, 2 for a command-line error.
 */
public interface ToolCommand extends Callable<Integer>
{
}
