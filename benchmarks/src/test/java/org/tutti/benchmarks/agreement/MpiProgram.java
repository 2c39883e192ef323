/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.agreement;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An MPI implementation and {@code peers/mpi_cases.c} compiled for it. */
final class MpiProgram
{
    private static final long LIMIT_S = 300;

    private final String implementation;
    private final Path directory;

    private MpiProgram(final String implementation, final Path directory)
    {
        this.implementation = implementation;
        this.directory = directory;
    }

    /** Whether its Debian packages are installed. */
    static boolean isInstalled(final String implementation)
    {
        return isCommand("mpicc." + implementation) && isCommand("mpirun." + implementation);
    }

    /** Whether it conforms to the standard for a case: MPICH 4.0 compares unsigned integers as signed. */
    boolean isRight(final AgreementCase of)
    {
        return !implementation.equals("mpich") || !of.type().isUnsigned() ||
            (of.op() != MpiOperation.MIN && of.op() != MpiOperation.MAX);
    }

    private static boolean isCommand(final String name)
    {
        return List.of(System.getenv("PATH").split(File.pathSeparator)).stream()
            .anyMatch(path -> Files.isExecutable(Path.of(path, name)));
    }

    static MpiProgram compile(final String implementation, final Path directory) throws IOException
    {
        final MpiProgram program = new MpiProgram(implementation, directory);
        program.run(List.of("mpicc." + implementation, "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-o",
            program.executable(), Path.of("peers", "mpi_cases.c").toAbsolutePath().toString()));
        return program;
    }

    private String executable()
    {
        return directory.resolve("mpi_cases." + implementation).toString();
    }

    /**
     * Runs cases on one number of ranks.
     *
     * @param cases cases with the same number of ranks.
     * @return output files, by rank.
     */
    List<Path> run(final List<AgreementCase> cases, final int ranks) throws IOException
    {
        final Path lines = directory.resolve("cases." + ranks);
        Files.write(lines, cases.stream().map(AgreementCase::toString).toList());
        final Path out = directory.resolve(implementation + "." + ranks);
        final List<String> command = new ArrayList<>(List.of("mpirun." + implementation, "-np", "" + ranks));
        // The vectorized operations of Open MPI saturate sums of 8 and 16 bits.
        if (implementation.equals("openmpi"))
        {
            command.addAll(List.of("--allow-run-as-root", "--oversubscribe", "--mca", "op", "^avx"));
        }
        command.addAll(List.of(executable(), lines.toString(), out.toString()));
        run(command);
        final List<Path> outputs = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++)
        {
            outputs.add(Path.of(out + "." + rank));
        }
        return outputs;
    }

    private void run(final List<String> command) throws IOException
    {
        final File log = directory.resolve("log").toFile();
        final Process process =
            new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
        try
        {
            assertTrue(process.waitFor(LIMIT_S, TimeUnit.SECONDS), () -> command + " did not finish");
        }
        catch (final InterruptedException ex)
        {
            throw new AssertionError(ex);
        }
        finally
        {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        final String said = Files.readString(log.toPath());
        assertEquals(0, process.exitValue(), () -> command + " printed: " + said);
    }
}
