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
 * Options that are told to picocli by code. Annotations read better, but to read them costs a JVM that has just begun
 * tens of milliseconds, for each kind of them becomes a class at run time (ADR 23).
 */
final class CodedOptions
{
    private static final String STANDARD_HELP = "Show this help message and exit.";
    private static final String STANDARD_VERSION = "Print version information and exit.";

    private final CommandSpec spec;

    /** Adds to the options of a command, whose values these then are. */
    CodedOptions(final CommandSpec spec)
    {
        this.spec = spec;
    }

    /** One that is there or not. */
    CodedOptions flag(final String description, final String... names)
    {
        return add(OptionSpec.builder(names).type(boolean.class).description(description));
    }

    /** One with a value. */
    CodedOptions text(final String paramLabel, final String description, final String... names)
    {
        return add(OptionSpec.builder(names).type(String.class).paramLabel(paramLabel).description(description));
    }

    /** One with a value, and another where that is not given. */
    CodedOptions textOr(
        final String defaultValue, final String paramLabel, final String description, final String... names)
    {
        return add(OptionSpec.builder(names).type(String.class).paramLabel(paramLabel).description(description)
            .defaultValue(defaultValue));
    }

    /** One whose value is a file or a directory. */
    CodedOptions path(final String paramLabel, final String description, final String... names)
    {
        return add(OptionSpec.builder(names).type(Path.class).paramLabel(paramLabel).description(description));
    }

    /** One that can be repeated. */
    CodedOptions texts(final String paramLabel, final String description, final String... names)
    {
        return add(OptionSpec.builder(names).type(List.class).auxiliaryTypes(String.class).paramLabel(paramLabel)
            .description(description));
    }

    /** What is no option: one word or more. */
    CodedOptions words(final String paramLabel, final String description)
    {
        spec.addPositional(PositionalParamSpec.builder().type(List.class).auxiliaryTypes(String.class).arity("1..*")
            .required(true).paramLabel(paramLabel).description(description).build());
        return this;
    }

    /** As picocli's {@code mixinStandardHelpOptions}. */
    CodedOptions standardHelp()
    {
        add(OptionSpec.builder("-h", "--help").type(boolean.class).usageHelp(true).description(STANDARD_HELP));
        return add(
            OptionSpec.builder("-V", "--version").type(boolean.class).versionHelp(true).description(STANDARD_VERSION));
    }

    private CodedOptions add(final OptionSpec.Builder option)
    {
        spec.addOption(option.build());
        return this;
    }

    /** Whether a flag was given. */
    boolean has(final String name)
    {
        return Boolean.TRUE.equals(spec.findOption(name).getValue());
    }

    /** The value of an option, or null. */
    String valueOf(final String name)
    {
        return spec.findOption(name).getValue();
    }

    /** The value of one that is a file or a directory, or null. */
    Path pathOf(final String name)
    {
        return spec.findOption(name).getValue();
    }

    /** The values of one that can be repeated. */
    List<String> allOf(final String name)
    {
        final List<String> values = spec.findOption(name).getValue();
        return values == null ? List.of() : values;
    }

    /** What is no option. */
    List<String> words()
    {
        return spec.positionalParameters().getFirst().getValue();
    }
}
