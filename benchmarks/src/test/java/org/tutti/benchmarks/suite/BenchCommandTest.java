/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests that need no peer. */
class BenchCommandTest
{
    private static final Path ROOT = Path.of(System.getProperty("tutti.root"));

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "-np 1 | -np=1: must be from 2 to 64",
        "-np 2,x | Invalid value for option '-np'",
        "-R 0 | -R=0: must be from 1 to 1000",
        "-b 1k -e 4 | -e=4: must be at least -b, which is 1024",
        "-b 2 | -b=2: must be at least 4, a float",
        "-e 8G | -e=8589934592: must be at most 4G, the limit of MPI's counts",
        "-e many | Invalid value for option '--maxbytes'",
        "-f 1 | -f=1: must be at least 2",
        "--bind socket | --bind=socket: must be core or none",
        "--memory stack | --memory=stack: must be allocated, registered or heap",
        "--peers nccl | --peers=nccl: must be one of openmpi, mpich, gloo, roofline",
        "--wire udp | --wire=udp: must be shm or tcp",
        "--wire tcp --peers roofline | --peers=roofline: must be one of openmpi, mpich, gloo, floor with --wire=tcp",
        "--peers floor | --peers=floor: must be one of openmpi, mpich, gloo, roofline with --wire=shm",
        "--save tcp-a | --save=tcp-a: must start with 'tcp-' only with --wire=tcp",
        "--wire tcp --from b.csv | --from with --wire: --from measures nothing",
        "put | collective put: must be one of allreduce, broadcast,",
        "allgatherv --counts odd | --counts=odd: must be even or linear",
        "allgather --counts linear | --counts=linear: must be given with a collective that takes counts, such as",
        "--counts linear | --counts=linear: must be given with a collective that takes counts, such as allgatherv",
        "--save a/b | --save=a/b: must consist of letters, digits,",
        "--save a --from b.csv | --from with --save: --from measures nothing: must be given with at most --output and",
        "barrier -R 3 --from b.csv | --from with barrier, --rounds: --from measures nothing",
        "--renew a.md -o report --markdown | --renew with --output, --markdown: --renew measures nothing",
        "--cold | --cold with -b=4 and -e=67108864: must be given with one size: equal -b and -e, such as -b 4k -e 4k",
        "--cold -b 4k -e 4k -n 5 | --cold: must be given without -n, -w, --in-place and --jfr",
        "--cold -b 4k -e 4k --jfr | --cold: must be given without -n, -w, --in-place and --jfr",
        "--limit 0 | --limit=0: must be at least 1",
        "--colour | Unknown option: '--colour'",
    })
    void shouldRejectInvalidOptions(final String words, final String refusal)
    {
        assertEquals(2, run(words.split(" ", -1)));
        assertTrue(err.toString().startsWith(refusal), err.toString());
    }

    @Test
    void shouldReportSavedRun() throws IOException
    {
        final Path report = directory.resolve("new/report");

        assertEquals(0, run("--from", ROOT.resolve("benchmarks/history/allreduce-2-ranks.csv").toString(),
            "-o", report.toString()));

        assertTrue(out.toString().startsWith("# allreduce, 2 ranks: float sum, out of place, not bound; medians of "),
            out.toString());
        assertTrue(Files.readString(report.resolve("report.html")).contains("<h1>Tutti compared with "));
        assertTrue(Files.exists(report.resolve("report.json")) && Files.exists(report.resolve("report.csv")));
    }

    @Test
    void shouldPrintMarkdownTable()
    {
        assertEquals(0, run("--from", ROOT.resolve("benchmarks/history/allreduce-2-ranks.csv").toString(),
            "--markdown"));

        assertTrue(out.toString().startsWith("| size | allreduce, 2 ranks |"), out.toString());
    }

    @Test
    void shouldRenewTablesOfDocument() throws IOException
    {
        ReportFiles.replace(directory.resolve("run.csv"), SuiteCsv.write(Reports.report(null).cases()));
        final Path document = directory.resolve("doc.md");
        final String before = "text $1\n\n<!-- tutti bench --from run.csv -->\n";
        final String after = "<!-- end of tutti bench -->\n\nmore\n";
        Files.writeString(document, before + "| old |\n" + after);

        assertEquals(0, run("--renew", document.toString()));

        assertEquals(before + SuiteTable.markdown(Reports.report(null).cases()) + after, Files.readString(document));
        assertEquals(Files.readString(document), DocumentTables.of(document));
    }

    @Test
    void shouldOmitRowsOfDocumentThatAreCloserThanItsFactor() throws IOException
    {
        final Path document = directory.resolve("doc.md");
        Files.writeString(document, "<!-- tutti bench --from " +
            ROOT.resolve("benchmarks/history/allreduce-2-ranks.csv") + " -f 64 -->\n<!-- end of tutti bench -->\n");

        final String renewed = DocumentTables.of(document);

        assertEquals(List.of("size", "-:", "4 B", "256 B", "16 KiB", "1 MiB", "64 MiB"), renewed.lines()
            .filter(line -> line.startsWith("|")).map(line -> line.split("\\|", 3)[1].strip()).toList());
    }

    @Test
    void shouldRejectDocumentWithoutTables() throws IOException
    {
        final Path document = Files.writeString(directory.resolve("doc.md"), "nothing\n");

        assertEquals(1, run("--renew", document.toString()));
        assertTrue(err.toString().contains("has no table between '<!-- tutti bench --from FILE"), err.toString());
    }

    /** The README's figures are those of the saved runs. */
    @Test
    void shouldFindReadmeUpToDate() throws IOException
    {
        final Path readme = ROOT.resolve("README.md");

        assertEquals(DocumentTables.of(readme), Files.readString(readme), "renew it: ./tutti bench --renew README.md");
    }

    private int run(final String... words)
    {
        return new CommandLine(new BenchCommand()).setOut(new PrintWriter(out)).setErr(new PrintWriter(err))
            .setExecutionExceptionHandler((ex, command, result) ->
            {
                if (!(ex instanceof SuiteException))
                {
                    throw ex;
                }
                err.append(ex.getMessage());
                return 1;
            }).execute(words);
    }
}
