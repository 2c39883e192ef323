/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.launcher.JobCommand;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Set;
import java.util.ServiceLoader;
import java.util.TreeSet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class JobCommandsTest
{
    @Test
    void shouldBeRegisteredByName()
    {
        final Set<String> names = new TreeSet<>();
        for (final JobCommand job : ServiceLoader.load(JobCommand.class))
        {
            names.add(new CommandLine(job).getCommandName());
            assertEquals(JobCommand.nameOf(job.getClass()), new CommandLine(job).getCommandName());
        }

        assertTrue(names.containsAll(Set.of("hello", "pi", "heat", "mnist", "djl-mnist", "lightgbm")),
            names.toString());
    }

    @ParameterizedTest
    @CsvSource({
        "pi,    --samples=0,        at least 1",
        "pi,    --samples=many,     many",
        "heat,  --steps=-1,         at least 0",
        "mnist, --epochs=0,         at least 1",
        "mnist, --batch=0,          at least 1",
        "mnist, --hidden=-1,        from 1 to 8192",
        "mnist, --learning-rate=0,  greater than 0",
        "mnist, --learning-rate=NaN,greater than 0",
        "mnist, --target=101,       from 0 to 100",
        "mnist, --colour=red,       --colour",
        "djl-mnist, --epochs=0,     at least 1",
        "djl-mnist, --threads=0,    from 1 to 1024",
        "djl-mnist, --scaling=-1,   at least 0",
        "lightgbm, --rows=999,      from 1000 to 100000000",
        "lightgbm, --columns=3,     from 4 to 2000",
        "lightgbm, --iterations=0,  at least 1",
        "lightgbm, --leaves=1,      from 2 to 131072",
        "lightgbm, --threads=0,     from 1 to 1024",
        "lightgbm, --rounds=0,      at least 1",
        "lightgbm, --target=1.5,    from 0 to 1",
        "hello, again,              again",
    })
    void shouldRejectInvalidOptionsWhenParsed(final String name, final String option, final String limit)
    {
        final ParameterException e =
            assertThrows(ParameterException.class, () -> commandLine(name).parseArgs(option));

        assertTrue(e.getMessage().contains(option.replaceAll("^.*=", "")), e.getMessage());
        assertTrue(e.getMessage().contains(limit), e.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "mnist, --batch=8001,       at most 8000",
        "mnist, --checkpoint-every=0, at least 1",
        "mnist, --checkpoint-every=5, needs --checkpoint FILE",
        "mnist, --checkpoint=/,     must be a file",
        "djl-mnist, --batch=8001,   at most 4000",
        "djl-mnist, --wire=INT8,    must be FLOAT32",
        "lightgbm, --learner=serial, must be data or voting",
        "mnist, --data=/nowhere,    /nowhere/train-images-idx3-ubyte does not exist",
    })
    void shouldRejectInvalidOptionsWhenLauncherChecks(final String name, final String option, final String limit)
    {
        final CommandLine commandLine = commandLine(name);
        commandLine.parseArgs(option);
        final JobCommand job = commandLine.getCommand();

        final ParameterException e = assertThrows(ParameterException.class, () -> job.check(2));

        assertTrue(e.getMessage().contains(limit), e.getMessage());
        // A rank that another launcher started rejects it too.
        assertEquals(2, commandLine.setErr(new PrintWriter(new StringWriter())).execute(option));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "allreduce -b 8 -e 4     | -e=4: must be at least -b, which is 8",
        "allreduce -d quarter    | -d=quarter: must be int8, uint8, int16, uint16, int32",
        "allreduce --json .      | --json=.: must be a writable file",
        "write_lat               | -np=4: must be 2: the sender and the receiver",
    })
    void shouldRejectInvalidOptionsOfOperation(final String words, final String limit)
    {
        final ParameterException e = assertThrows(ParameterException.class, () ->
        {
            final JobCommand operation =
                commandLine("perf").parseArgs(words.split(" ", -1)).asCommandLineList().getLast().getCommand();
            operation.check(4);
        });

        assertTrue(e.getMessage().contains(limit), e.getMessage());
    }

    private static CommandLine commandLine(final String name)
    {
        for (final JobCommand job : ServiceLoader.load(JobCommand.class))
        {
            final CommandLine commandLine = new CommandLine(job);
            if (commandLine.getCommandName().equals(name))
            {
                return commandLine;
            }
        }
        throw new AssertionError("no job " + name);
    }
}
