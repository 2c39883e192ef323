/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import java.util.concurrent.Callable;

import org.tutti.launcher.io.ExitCode;
import org.tutti.launcher.io.UsageException;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tutti completion}: prints a script that completes Tutti's commands and options in a shell. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    description = "Prints a script that completes tutti's commands and options in bash or zsh.",
    footerHeading = "%nExamples:%n",
    footer = {
        "  source <(tutti completion)                                           in this shell",
        "  tutti completion >~/.local/share/bash-completion/completions/tutti   in every bash"})
final class CompletionCommand implements Callable<Integer>
{
    @Parameters(arity = "0..1", paramLabel = "SHELL", defaultValue = "bash", description = "bash or zsh.")
    private String shell;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call()
    {
        if (!shell.equals("bash") && !shell.equals("zsh"))
        {
            throw new UsageException("unsupported shell '" + shell + "': give bash or zsh");
        }
        // One script serves both shells: under zsh it loads bashcompinit.
        spec.commandLine().getOut().print(AutoComplete.bash("tutti", spec.root().commandLine()));
        spec.commandLine().getOut().flush();
        return ExitCode.OK;
    }
}
