/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import java.nio.file.Path;
import java.util.List;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Defines picocli options in code. Annotations are clearer, but reading them costs tens of milliseconds at JVM start,
 * as each annotation type becomes a class at run time (ADR 23).
 */
final class OptionBuilder
{
    private static final String STANDARD_HELP = "Show this help message and exit.";
    private static final String STANDARD_VERSION = "Print version information and exit.";

    private final CommandSpec spec;

    /** Adds options to a command and reads their values. */
    OptionBuilder(final CommandSpec spec)
    {
        this.spec = spec;
    }

    /** Adds a flag. */
    OptionBuilder flag(final String description, final String... names)
    {
        return add(OptionSpec.builder(names).type(boolean.class).description(description));
    }

    /** Adds an option with a value. */
    OptionBuilder text(final String paramLabel, final String description, final String... names)
    {
        return add(OptionSpec.builder(names).type(String.class).paramLabel(paramLabel).description(description));
    }

    /** Adds an option with a value and a default. */
    OptionBuilder textOr(
        final String defaultValue, final String paramLabel, final String description, final String... names)
    {
        return add(OptionSpec.builder(names).type(String.class).paramLabel(paramLabel).description(description)
            .defaultValue(defaultValue));
    }

    /** Adds an option whose value is a file or a directory. */
    OptionBuilder path(final String paramLabel, final String description, final String... names)
    {
        return add(OptionSpec.builder(names).type(Path.class).paramLabel(paramLabel).description(description));
    }

    /** Adds an option that can be repeated. */
    OptionBuilder texts(final String paramLabel, final String description, final String... names)
    {
        return add(OptionSpec.builder(names).type(List.class).auxiliaryTypes(String.class).paramLabel(paramLabel)
            .description(description));
    }

    /** Adds the positional arguments: at least one word. */
    OptionBuilder words(final String paramLabel, final String description)
    {
        spec.addPositional(PositionalParamSpec.builder().type(List.class).auxiliaryTypes(String.class).arity("1..*")
            .required(true).paramLabel(paramLabel).description(description).build());
        return this;
    }

    /** Adds the options of picocli's {@code mixinStandardHelpOptions}. */
    OptionBuilder standardHelp()
    {
        add(OptionSpec.builder("-h", "--help").type(boolean.class).usageHelp(true).description(STANDARD_HELP));
        return add(
            OptionSpec.builder("-V", "--version").type(boolean.class).versionHelp(true).description(STANDARD_VERSION));
    }

    private OptionBuilder add(final OptionSpec.Builder option)
    {
        spec.addOption(option.build());
        return this;
    }

    /** Returns whether a flag was given. */
    boolean has(final String name)
    {
        return Boolean.TRUE.equals(spec.findOption(name).getValue());
    }

    /** Returns whether an option without a default was given. */
    boolean given(final String name)
    {
        return spec.findOption(name).getValue() != null;
    }

    /** Returns the value of an option, or null. */
    String valueOf(final String name)
    {
        return spec.findOption(name).getValue();
    }

    /** Returns the value of an option that is a file or a directory, or null. */
    Path pathOf(final String name)
    {
        return spec.findOption(name).getValue();
    }

    /** Returns the values of an option that can be repeated. */
    List<String> allOf(final String name)
    {
        final List<String> values = spec.findOption(name).getValue();
        return values == null ? List.of() : values;
    }

    /** Returns the positional arguments. */
    List<String> words()
    {
        return spec.positionalParameters().getFirst().getValue();
    }
}
