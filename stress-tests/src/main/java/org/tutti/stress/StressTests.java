/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.stress;

import org.openjdk.jcstress.JCStress;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.GradingResult;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.SortedSet;

/**
 * Runs jcstress with its own options and prints one line per test. {@code org.openjdk.jcstress.Main} prints many lines
 * per test, and exits with 0 if no test ran. The output of jcstress goes to {@code log.txt} and its reports to
 * {@code results/}, both in the working directory.
 */
public final class StressTests
{
    private static final String PACKAGE = "org.tutti.";
    private static final String SEED = "-XX:StressSeed=";

    private StressTests()
    {
    }

    /**
     * Runs the tests; exits with 1 if a test failed or did not run, or if there is none.
     *
     * @param args options of jcstress.
     * @throws IOException            if the results cannot be read.
     * @throws ClassNotFoundException if the results are not from this version of jcstress.
     */
    public static void main(final String[] args) throws IOException, ClassNotFoundException
    {
        final PrintStream out = System.out;
        final Path log = Path.of("log.txt").toAbsolutePath();
        final InProcessCollector results = new InProcessCollector();
        final SortedSet<String> tests;
        try (PrintStream toLog = new PrintStream(Files.newOutputStream(log), true, StandardCharsets.UTF_8))
        {
            System.setOut(toLog);
            final Options options = new Options(args);
            if (!options.parse())
            {
                // jcstress has printed the reason.
                System.exit(1);
            }
            final JCStress jcstress = new JCStress(options);
            tests = jcstress.getTests();
            run(jcstress, toLog);
            read(Path.of(options.getResultFile()), results);
        }
        finally
        {
            System.setOut(out);
        }

        int failed = 0;
        for (final String test : tests)
        {
            failed += print(out, test, results.getTestResults()) ? 0 : 1;
        }
        if (failed > 0 || tests.isEmpty())
        {
            out.println(
                (tests.isEmpty() ? "no stress test ran" : failed + " of " + tests.size() + " stress tests failed") +
                "; see " + log);
            System.exit(1);
        }
    }

    /**
     * Runs jcstress. The results tell which tests failed; if jcstress throws an exception, it is printed to the log.
     */
    private static void run(final JCStress jcstress, final PrintStream log)
    {
        try
        {
            jcstress.run();
        }
        catch (final Exception | AssertionError e)
        {
            e.printStackTrace(log);
        }
    }

    private static void read(final Path file, final InProcessCollector results)
        throws IOException, ClassNotFoundException
    {
        if (Files.exists(file))
        {
            final DiskReadCollector reader = new DiskReadCollector(file.toString(), results);
            reader.dump();
            reader.close();
            Files.delete(file);
        }
    }

    /**
     * Prints the result of a test.
     *
     * @param out     stream to print to.
     * @param test    name of the test.
     * @param results results of all tests, one per process.
     * @return whether the test ran and passed in all its processes.
     */
    private static boolean print(final PrintStream out, final String test, final Collection<TestResult> results)
    {
        long samples = 0;
        long interesting = 0;
        String problem = null;
        for (final TestResult result : results)
        {
            if (!result.getName().equals(test))
            {
                continue;
            }
            final String found = problem(result);
            problem = found == null ? problem : found + seed(result);
            if (result.status() == Status.NORMAL)
            {
                for (final GradingResult outcome : result.grading().gradingResults.values())
                {
                    samples += outcome.count;
                    interesting += switch (outcome.expect)
                    {
                        case ACCEPTABLE_INTERESTING -> outcome.count;
                        default -> 0;
                    };
                }
            }
        }
        if (problem == null && samples == 0)
        {
            problem = "did not run";
        }
        out.println((problem == null ? "ok   " : "FAIL ") + test.replace(PACKAGE, "") + ": " + samples + " samples" +
            (interesting == 0 ? "" : ", " + interesting + " of them interesting") +
            (problem == null ? "" : ", " + problem));
        return problem == null;
    }

    /** Problem of the result of a process, or null. */
    private static String problem(final TestResult result)
    {
        if (result.status() != Status.NORMAL)
        {
            return result.status() + result.getMessages().stream().flatMap(String::lines).map(String::strip)
                .filter(line -> line.contains("Exception") || line.contains("Error")).findFirst()
                .map(line -> ", " + line).orElse("");
        }
        for (final GradingResult outcome : result.grading().gradingResults.values())
        {
            switch (outcome.expect)
            {
                case FORBIDDEN, UNKNOWN ->
                {
                    if (outcome.count > 0)
                    {
                        return outcome.count + " times (" + outcome.id + "): " + outcome.description;
                    }
                }
                default ->
                {
                    // Acceptable.
                }
            }
        }
        return null;
    }

    private static String seed(final TestResult result)
    {
        for (final String arg : result.getConfig().jvmArgs)
        {
            if (arg.startsWith(SEED))
            {
                return ", with " + arg;
            }
        }
        return "";
    }
}
