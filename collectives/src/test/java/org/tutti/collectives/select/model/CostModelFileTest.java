/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select.model;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.collectives.ConfigurationException;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CostModelFileTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldReadWhatWasWritten() throws IOException
    {
        final CostModel model =
            CostModel.of(WireKind.SHM, WireKind.TCP).with(Map.of("network.byte", 0.5, "copy", 0.25));
        final Path file = directory.resolve("tcp.model");
        Files.writeString(file, CostModelFile.text(WireKind.TCP, model.values()));

        final CostModelFile read = CostModelFile.read(file);

        assertEquals(WireKind.TCP, read.wire());
        assertEquals(model, CostModelFile.model(read, WireKind.SHM, WireKind.TCP));
    }

    @Test
    void shouldKeepShippedParametersOfWiresThatWereNotMeasured()
    {
        final CostModelFile file = CostModelFile.of("f", Map.of("version", "1", "host.send", "77"));

        final CostModel model = CostModelFile.model(file, WireKind.SHM, WireKind.VERBS);

        assertEquals(77, model.host().sendNs());
        assertEquals(WireKind.VERBS.link(), model.network());
        assertEquals(CostModel.of(WireKind.TCP, WireKind.TCP), CostModelFile.model(file, WireKind.TCP, WireKind.TCP),
            "host.send was measured in shared memory");
    }

    @Test
    void shouldRefuseModelOfAnotherWire()
    {
        final CostModelFile file = CostModelFile.of("f", Map.of("version", "1", "wire", "tcp", "network.send", "77"));

        assertEquals("TUTTI_MODEL=f: is for the wire tcp, but ranks use verbs: calibrate it with --wire verbs, or " +
            "unset TUTTI_MODEL", assertThrows(ConfigurationException.class,
            () -> file.requireWire(WireKind.VERBS)).getMessage());
        file.requireWire(WireKind.TCP);
        assertEquals(CostModel.DEFAULT, CostModelFile.model(file, WireKind.SHM, WireKind.VERBS));
    }

    @Test
    void shouldUseParametersBetweenHostsForRanksOfAHostThatShareNoMemory()
    {
        final CostModelFile file = CostModelFile.of("f", Map.of("version", "1", "wire", "tcp", "network.send", "77"));

        assertEquals(77, CostModelFile.model(file, WireKind.TCP, WireKind.TCP).host().sendNs());
    }

    @Test
    void shouldPreferTheUsersTimePerByteToTheRateOfTheLink()
    {
        final CostModelFile file = CostModelFile.of("f", Map.of("version", "1", "wire", "tcp", "network.byte", "3"));

        assertEquals(8, CostModelFile.model(null, WireKind.SHM, WireKind.TCP, 1000).network().nsPerByte());
        assertEquals(3, CostModelFile.model(file, WireKind.SHM, WireKind.TCP, 1000).network().nsPerByte());
        assertEquals(CostModel.of(WireKind.SHM, WireKind.TCP),
            CostModelFile.model(null, WireKind.SHM, WireKind.TCP, 100_000));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "host.send=1|f: version is missing: must be 1: write one with tutti calibrate of this version of Tutti",
        "version=2;host.send=1|f: version 2: must be 1: write one with tutti calibrate of this version of Tutti",
        "version=1;host.sends=1|f: unknown \"host.sends\" in the cost model: must be one of host.send, host.receive, ",
        "version=1;host.send=fast|f: host.send=fast: must be a number",
        "version=1;host.send=-1|f: host.send=-1: must be a number from 0",
        "version=1;inline=NaN|f: inline=NaN: must be a number from 0",
        "version=1;host.cores=Infinity|f: host.cores=Infinity: must be a number from 0",
        "version=1;host.cores=0.5|f: host.cores=0.5: must be a whole number up to 2147483647",
        "version=1;inline=1e10|f: inline=1.0E10: must be a whole number up to 2147483647",
        "version=1;host.send=1e13|f: host.send=1.0E13: must be from 0 to ",
        "version=1;wire=shm|f: wire=shm: must be tcp or verbs: ",
        "version=1;wire=ib|f: unknown wire \"ib\": must be one of shm, tcp, verbs",
        "version=1;network.send=1|f: wire is missing: values of network. need wire=tcp or wire=verbs, which they "})
    void shouldReportInvalidFile(final String lines, final String problem)
    {
        final Map<String, String> texts = Arrays.stream(lines.split(";", -1)).map((line) -> line.split("=", 2))
            .collect(Collectors.toMap((parts) -> parts[0], (parts) -> parts[1]));

        final String message =
            assertThrows(ConfigurationException.class, () -> CostModelFile.of("f", texts)).getMessage();

        assertTrue(message.startsWith(problem), message);
    }

    @Test
    void shouldReportUnreadableFile() throws IOException
    {
        final Path missing = directory.resolve("missing");

        assertEquals(missing + ": no such file; write one with tutti calibrate",
            assertThrows(ConfigurationException.class, () -> CostModelFile.read(missing)).getMessage());
        assertTrue(assertThrows(ConfigurationException.class, () -> CostModelFile.read(directory)).getMessage()
            .startsWith(directory + ": cannot be read ("));
        final Path binary = Files.write(directory.resolve("binary"), new byte[] {(byte)0xff, (byte)0xff});
        assertEquals("TUTTI_MODEL=" + binary + ": is not UTF-8 text; write one with tutti calibrate",
            assertThrows(ConfigurationException.class, () -> CostModelFile.ofSetting(binary.toString())).getMessage());
        assertEquals("no permission to read it", SettingFile.problem(new AccessDeniedException("f")));
    }

    @Test
    void shouldSummarizeByContent()
    {
        final CostModelFile one = CostModelFile.of("a", Map.of("version", "1", "host.send", "77"));

        assertEquals(one.summary(), CostModelFile.of("b", Map.of("host.send", "77.0", "version", "1")).summary());
        assertTrue(one.summary().startsWith("a model of 1 value ("), one::summary);
        assertTrue(!one.summary().equals(CostModelFile.of("a", Map.of("version", "1", "copy", "77")).summary()));
    }
}
