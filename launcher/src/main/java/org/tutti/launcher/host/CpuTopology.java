/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;

/**
 * The CPUs (hardware threads) that a process may use, with their cores, sockets and NUMA nodes as the kernel numbers
 * them. Ranks are assigned to CPUs by their local number, so that neighbours are close to each other. Immutable.
 */
public final class CpuTopology
{
    private static final Path SYSTEM = Path.of("/sys/devices/system");
    private static final int UNKNOWN = -1;

    /**
     * A CPU.
     *
     * @param number the number of the CPU.
     * @param first  the lowest CPU of its core, which identifies the core on the host.
     * @param core   the number of its core in the socket, or -1 if unknown.
     * @param socket the number of its socket, or -1 if unknown.
     * @param node   the number of its NUMA node, or -1 if unknown.
     */
    private record Cpu(int number, int first, int core, int socket, int node)
    {
    }

    /** The CPUs, ordered such that those of a core, of a NUMA node and of a socket are consecutive. */
    private final List<Cpu> cpus;
    /** The same CPUs by core, in this order. */
    private final List<List<Cpu>> cores;
    /** The numbers of the CPUs: first one of each core, then the second of each core, and so on. */
    private final List<Integer> threads = new ArrayList<>();

    private CpuTopology(final List<Cpu> cpus)
    {
        this.cpus = cpus;
        final Map<Integer, List<Cpu>> byCore = new LinkedHashMap<>();
        cpus.forEach(cpu -> byCore.computeIfAbsent(cpu.first(), core -> new ArrayList<>()).add(cpu));
        cores = new ArrayList<>(byCore.values());
        for (int i = 0; threads.size() < cpus.size(); i++)
        {
            for (final List<Cpu> core : cores)
            {
                if (i < core.size())
                {
                    threads.add(core.get(i).number());
                }
            }
        }
    }

    /**
     * Reads the CPUs of this process, whose affinity mask includes the limits of containers and of Slurm.
     *
     * @return the CPUs.
     */
    public static CpuTopology ofThisProcess()
    {
        return read(CpuTopology::file, Cores.allowed());
    }

    /** Returns the content of a file of the kernel, without surrounding space; empty if it is missing. */
    private static String file(final String name)
    {
        try
        {
            return Files.readString(SYSTEM.resolve(name)).strip();
        }
        catch (final IOException ex)
        {
            return "";
        }
    }

    /**
     * Reads the kernel's description of CPUs. If a file is missing, as in some containers, a CPU is its own core, or
     * its socket or NUMA node is unknown.
     *
     * @param files   returns the content of a file in {@code /sys/devices/system}, empty if it is missing.
     * @param allowed the numbers of the CPUs that the process may use; those that are offline are ignored.
     * @return the CPUs.
     */
    static CpuTopology read(final UnaryOperator<String> files, final List<Integer> allowed)
    {
        final Map<Integer, Integer> nodes = new HashMap<>();
        for (final int node : list(files.apply("node/online")))
        {
            list(files.apply("node/node" + node + "/cpulist")).forEach(cpu -> nodes.put(cpu, node));
        }
        final Set<Integer> online = new HashSet<>(list(files.apply("cpu/online")));
        final List<Cpu> cpus = new ArrayList<>();
        for (final int number : allowed)
        {
            if (online.isEmpty() || online.contains(number))
            {
                final String topology = "cpu/cpu" + number + "/topology/";
                final List<Integer> siblings = list(files.apply(topology + "thread_siblings_list"));
                cpus.add(new Cpu(
                    number,
                    siblings.isEmpty() ? number : siblings.getFirst(),
                    number(files.apply(topology + "core_id")),
                    number(files.apply(topology + "physical_package_id")),
                    nodes.getOrDefault(number, UNKNOWN)));
            }
        }
        cpus.sort(Comparator.comparingInt(Cpu::socket).thenComparingInt(Cpu::node).thenComparingInt(Cpu::first)
            .thenComparingInt(Cpu::number));
        return new CpuTopology(cpus);
    }

    private static List<Integer> list(final String text)
    {
        return text.isEmpty() ? List.of() : Cores.parse(text);
    }

    private static int number(final String text)
    {
        return text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : UNKNOWN;
    }

    /**
     * Returns the CPUs that a rank is bound to. Ranks take one core after the other. If there are more ranks than
     * cores, they take one hardware thread after the other, first one of each core; if there are more ranks than
     * hardware threads, they share these. Sockets and NUMA nodes get shares of consecutive ranks, in proportion to
     * their cores.
     *
     * @param unit      the part of the host that the rank is bound to.
     * @param localRank the rank's index among the ranks of the host.
     * @param localSize the number of ranks of the host.
     * @return the numbers of the CPUs, ascending; at least one, unless there are none.
     */
    public List<Integer> cpusOf(final Binding.Unit unit, final int localRank, final int localSize)
    {
        if (cpus.isEmpty())
        {
            return List.of();
        }
        return switch (unit)
        {
            case NONE -> numbers(cpus);
            case CORE -> localSize <= cores.size() ? numbers(cores.get(localRank)) :
                List.of(threads.get(localRank % threads.size()));
            case SOCKET -> sharing(Cpu::socket, localRank, localSize);
            case NUMA -> sharing(Cpu::node, localRank, localSize);
        };
    }

    /** Returns the CPUs that share a part of the host with the rank's own core. */
    private List<Integer> sharing(final ToIntFunction<Cpu> part, final int localRank, final int localSize)
    {
        final List<Cpu> own = cores.get((int)((long)localRank * cores.size() / localSize));
        final int number = part.applyAsInt(own.getFirst());
        return numbers(cpus.stream().filter(cpu -> part.applyAsInt(cpu) == number).toList());
    }

    private static List<Integer> numbers(final List<Cpu> cpus)
    {
        return cpus.stream().map(Cpu::number).sorted().toList();
    }

    /**
     * Describes CPUs with their cores, sockets and NUMA nodes, as far as these are known.
     *
     * @param numbers the numbers of the CPUs.
     * @return the description, such as {@code CPUs 3,67, core 3, socket 0, NUMA node 0}.
     */
    public String describe(final List<Integer> numbers)
    {
        final List<Cpu> described = cpus.stream().filter(cpu -> numbers.contains(cpu.number())).toList();
        final StringBuilder text = new StringBuilder(named("CPU", Cpu::number, described));
        final Map<String, ToIntFunction<Cpu>> parts = new LinkedHashMap<>();
        parts.put("core", Cpu::core);
        parts.put("socket", Cpu::socket);
        parts.put("NUMA node", Cpu::node);
        parts.forEach((name, part) ->
        {
            if (described.stream().allMatch(cpu -> part.applyAsInt(cpu) != UNKNOWN))
            {
                text.append(", ").append(named(name, part, described));
            }
        });
        return text.toString();
    }

    private static String named(final String name, final ToIntFunction<Cpu> part, final List<Cpu> cpus)
    {
        final List<Integer> numbers = cpus.stream().map(part::applyAsInt).distinct().sorted().toList();
        return name + (numbers.size() == 1 ? " " : "s ") + format(numbers);
    }

    /**
     * Formats numbers as the kernel and {@code taskset} do: {@code 0-3,8}.
     *
     * @param numbers the numbers, ascending and distinct.
     * @return the list.
     */
    public static String format(final List<Integer> numbers)
    {
        final TreeMap<Integer, Integer> ranges = new TreeMap<>();
        for (final int number : numbers)
        {
            final Map.Entry<Integer, Integer> last = ranges.lastEntry();
            if (last != null && last.getValue() == number - 1)
            {
                ranges.put(last.getKey(), number);
            }
            else
            {
                ranges.put(number, number);
            }
        }
        final List<String> texts = new ArrayList<>();
        ranges.forEach((first, last) -> texts.add(first.equals(last) ? first.toString() : first + "-" + last));
        return String.join(",", texts);
    }
}
