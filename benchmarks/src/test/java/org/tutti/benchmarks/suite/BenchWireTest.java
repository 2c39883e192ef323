/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.benchmarks.perf.Operation;
import org.tutti.tools.report.Json;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What differs between runs over shared memory and over TCP. */
class BenchWireTest
{
    private static final Case SHM = Reports.CASE;
    private static final Case TCP = Case.of(Operation.ALLREDUCE, false, 2, "none", Wire.TCP, "-n 100");
    private static final List<String> SIZES = List.of("-b", "4", "-e", "4");
    private static final Path PROGRAM = Path.of("program");

    @TempDir
    private Path directory;

    @Test
    void shouldRestrictPeersToTcpOnlyOnRequest()
    {
        final Peer openMpi = new MpiPeer("openmpi", "mpirun.openmpi", PROGRAM, 500);
        final Peer mpich = new MpiPeer("mpich", "mpirun.mpich", PROGRAM, 500);
        final Peer tutti = new TuttiPeer(directory);

        assertHolds(openMpi.command(TCP, SIZES), "--mca", "pml", "ob1");
        assertHolds(openMpi.command(TCP, SIZES), "--mca", "btl", "tcp,self");
        assertHolds(openMpi.command(TCP, SIZES), "--mca", "btl_tcp_if_include", "lo");
        assertEquals(List.of("env", "MPIR_CVAR_NOLOCAL=1", "UCX_TLS=tcp,self", "UCX_NET_DEVICES=lo", "mpirun.mpich"),
            mpich.command(TCP, SIZES).subList(0, 5));
        assertHolds(tutti.command(TCP, SIZES), "--transport", "tcp", "perf");

        for (final Peer each : List.of(openMpi, mpich, tutti))
        {
            final String command = String.join(" ", each.command(SHM, SIZES));
            assertFalse(command.contains("tcp") || command.contains("--transport"), command);
        }
    }

    private static void assertHolds(final List<String> command, final String... words)
    {
        assertTrue(Collections.indexOfSubList(command, List.of(words)) >= 0, command.toString());
    }

    @Test
    void shouldMeasureFloorOfTwoRanksOnly()
    {
        final Peer floor = new TcpFloorPeer(PROGRAM, 500);

        assertTrue(floor.takes(TCP));
        assertFalse(floor.takes(Case.of(Operation.ALLREDUCE, false, 3, "none", Wire.TCP, "")));
        assertFalse(floor.takes(Case.of(Operation.ALLREDUCE, false, 2, "none", Wire.TCP, "--cold -b 4 -e 4")));
        assertEquals(List.of(PeerKind.OPENMPI, PeerKind.MPICH, PeerKind.GLOO, PeerKind.ROOFLINE),
            PeerKind.over(Wire.SHM));
        assertEquals(List.of(PeerKind.OPENMPI, PeerKind.MPICH, PeerKind.GLOO, PeerKind.FLOOR),
            PeerKind.over(Wire.TCP));
    }

    @ParameterizedTest
    @CsvSource({
        "SHM, allreduce-2-ranks, allreduce-2-ranks",
        "TCP, allreduce-2-ranks, tcp-allreduce-2-ranks",
        "TCP, tcp-allreduce-2-ranks, tcp-allreduce-2-ranks",
    })
    void shouldNameFilesAfterWire(final Wire wire, final String name, final String file)
    {
        assertEquals(file, wire.fileName(name));
    }

    @Test
    void shouldNameWireInEveryReport()
    {
        final SuiteReport report = new SuiteReport("./tutti bench --wire tcp", List.of(result()), null);

        final String text = SuiteTable.text(result());
        assertTrue(text.startsWith("# allreduce, 2 ranks over TCP: "), text);
        final String page = SuitePage.write(report);
        assertTrue(page.contains("<h1>Tutti compared with Gloo, MPICH and Open MPI over TCP</h1>"), page);
        assertTrue(page.contains("<h2>allreduce, 2 ranks over TCP</h2>"), page);
        assertTrue(page.contains("Over TCP the dashed line is a floor"), page);
        assertFalse(page.contains("roofline"), page);
        final Map<?, ?> json = Json.read(SuiteJson.write(report));
        assertEquals("tcp", ((Map<?, ?>)((List<?>)json.get("cases")).getFirst()).get("wire"));
        final Map<?, ?> shm = Json.read(SuiteJson.write(Reports.report(null)));
        assertEquals("shm", ((Map<?, ?>)((List<?>)shm.get("cases")).getFirst()).get("wire"));
        assertFalse(SuitePage.write(Reports.report(null)).contains("TCP"));
    }

    @Test
    void shouldCompareTuttiWithFastestPeerAndFloor()
    {
        final List<String> lines = SuiteTable.text(result()).lines().toList();
        assertTrue(lines.get(2).endsWith("  reached   of fastest"), lines.get(2));
        // 4 bytes: MPICH takes 5 us, Tutti 4, the floor 3; 1 KiB: Open MPI takes 8, Tutti 10, the floor 9.
        assertTrue(lines.get(3).endsWith("     75 %         0.80"), lines.get(3));
        assertTrue(lines.get(4).endsWith("     90 %         1.25"), lines.get(4));
        final String legend = SuiteTable.legend(List.of(result()));
        assertTrue(legend.contains("# of fastest: "), legend);
        assertTrue(legend.contains("# reached: the floor over Tutti's time"), legend);
        assertFalse(legend.contains("memory bandwidth"), legend);

        final List<String> markdown = SuiteTable.markdown(List.of(result())).lines().toList();
        assertEquals("| size | allreduce, 2 ranks over TCP | Gloo | MPICH | Open MPI | floor |", markdown.getFirst());
        assertEquals("| 4 B | 4.00 µs | × 20.0 | × 1.25 | × 1.50 | 75 % |", markdown.get(2));

        assertFalse(SuiteTable.text(Reports.result(SHM)).contains("of fastest"));
        assertFalse(SuiteTable.legend(List.of(Reports.result(SHM))).contains("of fastest"));
    }

    @Test
    void shouldKeepWireInSavedRun()
    {
        final Path file = directory.resolve("run.csv");
        ReportFiles.replace(file, SuiteCsv.write(List.of(result(), Reports.result(SHM))));

        final List<CaseResult> read = SuiteCsv.read(file);

        assertEquals(List.of(TCP, SHM), read.stream().map(CaseResult::of).toList());
        assertEquals(result().rows(), read.getFirst().rows());
        assertEquals("floor", List.copyOf(read.getFirst().rounds().keySet()).getLast());
    }

    @Test
    void shouldReadRunSavedWithoutWireAsShm() throws IOException
    {
        final Path file = directory.resolve("old.csv");
        final String current = SuiteCsv.write(List.of(Reports.result(SHM)));
        Files.writeString(file, current.replace(",bind,wire,", ",bind,").replace(",none,shm,", ",none,"));

        final CaseResult read = SuiteCsv.read(file).getFirst();

        assertEquals(SHM, read.of());
        assertEquals(current, SuiteCsv.write(List.of(read)));
    }

    @Test
    void shouldRejectSavedRunOverUnknownWire() throws IOException
    {
        final Path file = directory.resolve("bad.csv");
        Files.writeString(file, SuiteCsv.write(List.of(result())).replace(",none,tcp,", ",none,udp,"));

        assertEquals(file + ", line 2: unknown wire \"udp\", must be shm or tcp",
            assertThrows(SuiteException.class, () -> SuiteCsv.read(file)).getMessage());
    }

    @Test
    void shouldRejectRunThatDidNotUseLoopback() throws IOException
    {
        final Path counter = directory.resolve("rx_bytes");
        final LoopbackTraffic loopback = new LoopbackTraffic(counter);
        final TreeMap<Long, Double> times = new TreeMap<>(Map.of(4L, 1.0, 1024L, 2.0));

        Files.writeString(counter, "1123\n");
        final String message = assertThrows(SuiteException.class,
            () -> loopback.require("mpich", TCP, times, 100)).getMessage();
        assertEquals("mpich does not use TCP, as --wire=tcp requires: the loopback interface carried 1023 bytes " +
            "during its run, must be at least 1024", message);
        Files.writeString(counter, "1124\n");
        assertDoesNotThrow(() -> loopback.require("mpich", TCP, times, 100));

        Files.delete(counter);
        assertTrue(assertThrows(SuiteException.class, loopback::bytes).getMessage().startsWith(
            "--wire=tcp: cannot read the traffic of the loopback interface from " + counter));
    }

    @Test
    void shouldSaveCongestionControlOfRunsOverTcp() throws IOException
    {
        final String host = Conditions.current(Wire.SHM).host();

        assertEquals(host + ", TCP " + Files.readString(Path.of("/proc/sys/net/ipv4/tcp_congestion_control")).strip(),
            Conditions.current(Wire.TCP).host());
    }

    /** Times by program of 4 and 1024 bytes. */
    private static CaseResult result()
    {
        final List<Sample> samples = new ArrayList<>();
        final Map<String, List<Double>> times = Map.of("Tutti", List.of(4.0, 10.0), "Gloo 0.5.0 (TCP)",
            List.of(80.0, 90.0), "MPICH 4.0.2", List.of(5.0, 11.0), "Open MPI v4.1.4", List.of(6.0, 8.0), "floor",
            List.of(3.0, 9.0));
        times.forEach((peer, timesUs) -> samples.add(
            new Sample(1, peer, 57, new TreeMap<>(Map.of(4L, timesUs.get(0), 1024L, timesUs.get(1))))));
        return CaseResult.of(TCP, Reports.CONDITIONS, samples);
    }
}
