/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlurmNodeListTest
{
    private static final int LISTS = 400;
    private static final int SCONTROL_LISTS = Integer.getInteger("tutti.test.lists", 60);

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "n1; n1",
        "n1,m2.example.org; n1 m2.example.org",
        "n[1-3]; n1 n2 n3",
        "n[3,1-2,2]; n3 n1 n2 n2",
        "n[08-10,9-11]; n08 n09 n10 n9 n10 n11",
        "n[001-3]-; ",
        "a-b_c[7],n[1-2],z; a-b_c7 n1 n2 z",
        "r[0-1]n[1-2]; r0n1 r0n2 r1n1 r1n2",
        "r[0-1,3]s-[07-08]; r0s-07 r0s-08 r1s-07 r1s-08 r3s-07 r3s-08",
        "[1-2]; 1 2"})
    void shouldExpandAllForms(final String list, final String names)
    {
        if (names == null)
        {
            assertThrows(IllegalArgumentException.class, () -> SlurmNodeList.expand(list));
            return;
        }
        assertEquals(List.of(names.split(" ", -1)), SlurmNodeList.expand(list));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '"', value = {
        "n[1-2; '[' without ']' at character 2",
        "n1-2]; ']' without '[' at character 5",
        "n[1-[2]]; '[' within brackets at character 5",
        "n[]; no number at character 3",
        "n[1-]; no number at character 5",
        "n[1,,2]; no number at character 5",
        "n[a]; no number at character 3",
        "n[1x]; 'x' in brackets at character 4",
        "n[1-2-3]; '-' in brackets at character 6",
        "n[1-3:2]; ':' in brackets at character 6",
        "n[3-1]; a range that ends before it starts at character 3",
        "n[1-12345678901]; a number of more than 9 digits at character 5",
        "n[1-2]x; 'x' after ']', where a name must end at character 7",
        "n1,,n2; an empty name at character 4",
        "n1,; an empty name at character 4",
        "n 1; ' ' in a name at character 2",
        "n/1; '/' in a name at character 2"})
    void shouldNameProblemAndPosition(final String list, final String problem)
    {
        assertEquals("'" + list + "' is not a list of Slurm nodes, such as n[1-4,07],m1: " + problem,
            assertThrows(IllegalArgumentException.class, () -> SlurmNodeList.expand(list)).getMessage());
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"n[0-65536]", "n[1-300]m[1-300]", "n[1-65536],m1", "n[0-999999999]"})
    void shouldRejectMoreNodesThanSlurmHas(final String list)
    {
        assertEquals("'" + list + "' is not a list of Slurm nodes: it has more than 65536 nodes",
            assertThrows(IllegalArgumentException.class, () -> SlurmNodeList.expand(list)).getMessage());
    }

    @Test
    void shouldExpandTasksPerNode()
    {
        assertEquals(List.of(4, 1, 1), SlurmNodeList.perNode("4,1(x2)", 3));
        assertEquals(List.of(2, 2), SlurmNodeList.perNode("2(x2)", 2));
        assertEquals(List.of(7), SlurmNodeList.perNode("7", 1));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '"', value = {
        "\"\"; 1; is not a list of tasks per node, such as 4,1(x2): '' is invalid",
        "0; 1; is not a list of tasks per node, such as 4,1(x2): '0' is invalid",
        "2(x); 1; is not a list of tasks per node, such as 4,1(x2): '2(x)' is invalid",
        "2(x2; 2; is not a list of tasks per node, such as 4,1(x2): '2(x2' is invalid",
        "2,a; 2; is not a list of tasks per node, such as 4,1(x2): 'a' is invalid",
        "2(x3); 2; lists the tasks of more nodes than the 2 in the list of nodes",
        "2(x999999999); 2; lists the tasks of more nodes than the 2 in the list of nodes",
        "2; 2; lists the tasks of fewer nodes than the 2 in the list of nodes"})
    void shouldRejectInvalidTasksPerNode(final String list, final int count, final String problem)
    {
        assertEquals("'" + list + "' " + problem,
            assertThrows(IllegalArgumentException.class, () -> SlurmNodeList.perNode(list, count)).getMessage());
    }

    @Test
    void shouldExpandAsScontrolDoes(@TempDir final Path directory) throws IOException, InterruptedException
    {
        assumeTrue(isInstalled("scontrol"), "scontrol is not on the PATH: install slurm-wlm");
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        System.out.println("random lists of nodes: -Dtutti.test.seed=" + seed);
        final Random random = new Random(seed);
        final List<String> lists = new ArrayList<>();
        final StringBuilder script = new StringBuilder();
        for (int i = 0; i < SCONTROL_LISTS; i++)
        {
            final String list = list(random);
            lists.add(list);
            script.append("scontrol show hostnames '").append(list).append("'; echo =\n");
        }
        // scontrol does not start without a configuration.
        final Path configuration = Files.writeString(
            directory.resolve("slurm.conf"), "ClusterName=c\nSlurmctldHost=localhost\nNodeName=localhost\n");
        final ProcessBuilder builder = new ProcessBuilder("sh", "-s").redirectErrorStream(true);
        builder.environment().put("SLURM_CONF", configuration.toString());
        final Process shell = builder.start();
        shell.getOutputStream().write(script.toString().getBytes(StandardCharsets.US_ASCII));
        shell.getOutputStream().close();
        final String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertEquals(0, shell.waitFor(), output);

        final String[] answers = output.split("=\n", -1);
        for (int i = 0; i < SCONTROL_LISTS; i++)
        {
            assertEquals(answers[i].lines().toList(), SlurmNodeList.expand(lists.get(i)), lists.get(i));
        }
    }

    @Test
    void shouldReadWhatItsRandomListsMean()
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        final Random random = new Random(seed);
        for (int i = 0; i < LISTS; i++)
        {
            final int first = random.nextInt(100);
            final int last = first + random.nextInt(30);
            final int width = 1 + random.nextInt(4);
            final int start = Integer.toString(first).length() > width ? Integer.toString(first).length() : width;
            final String list = "n[" + padded(first, start) + "-" + last + "]";
            final List<String> expected =
                IntStream.rangeClosed(first, last).mapToObj(n -> "n" + padded(n, start)).toList();
            assertEquals(expected, SlurmNodeList.expand(list), () -> list + ", seed " + seed);
        }
    }

    /** Returns a list of one to four items, with up to two ranges in a name, as Slurm permits. */
    private static String list(final Random random)
    {
        final List<String> items = new ArrayList<>();
        for (int left = 1 + random.nextInt(4); left > 0; left--)
        {
            final StringBuilder item = new StringBuilder();
            final int brackets = random.nextInt(3);
            for (int i = 0; i < brackets; i++)
            {
                item.append(name(random)).append('[').append(ranges(random)).append(']');
            }
            items.add(brackets == 0 ? name(random) + random.nextInt(20) : item.toString());
        }
        return String.join(",", items);
    }

    private static String name(final Random random)
    {
        return List.of("n", "node", "a-b", "rack_", "x.y", "gpu0", "c1-").get(random.nextInt(7));
    }

    private static String ranges(final Random random)
    {
        final List<String> ranges = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--)
        {
            final int first = random.nextInt(120);
            final String start = padded(first, 1 + random.nextInt(4));
            ranges.add(random.nextBoolean() ? start : start + "-" +
                padded(first + random.nextInt(8), random.nextBoolean() ? 1 : start.length()));
        }
        Collections.shuffle(ranges, random);
        return String.join(",", ranges);
    }

    private static String padded(final int number, final int width)
    {
        return String.format("%0" + width + "d", number);
    }

    private static boolean isInstalled(final String program)
    {
        return List.of(System.getenv("PATH").split(":", -1)).stream()
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }
}
