/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.util.concurrent.Callable;

/**
 * A command that comes with Tutti and starts no ranks: {@code tutti devices} runs in the process that the user started,
 * whatever the environment says of ranks.
 * <p>
 * Implementations are picocli commands (annotated with {@code picocli.CommandLine.Command}, which gives the name, the
 * summary and the options) with a public no-argument constructor, found by {@link java.util.ServiceLoader}. What
 * {@code call} returns is the exit code: 0, 1 for a failure, 2 for bad usage.
 */
public interface ToolCommand extends Callable<Integer>
{
}
