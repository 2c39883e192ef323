/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataType;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compares settings of all ranks: in one allgather of hashes if they are equal. */
final class SettingsComparison
{
    /** Name of the only setting of a rank whose settings are invalid; its value says why. */
    static final String INVALID = "";
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private final Communicator communicator;

    SettingsComparison(final Communicator communicator)
    {
        this.communicator = communicator;
    }

    /**
     * Returns if all ranks have the same settings. Collective.
     *
     * @param own  values by name, without line breaks, in the order in which they are compared.
     * @param what what the settings belong to, as the message begins.
     * @param fix  what to do if they differ.
     * @throws LightGbmException        on all ranks, if they differ; the message has the first setting that differs,
     *                                  with the value of each rank.
     * @throws IllegalArgumentException on all ranks, if the settings of some ranks are {@linkplain #INVALID invalid},
     *                                  and those of others are not, or for another reason.
     */
    void requireEqual(final Map<String, String> own, final String what, final String fix)
    {
        final StringBuilder lines = new StringBuilder();
        own.forEach((name, value) -> lines.append(name).append('=').append(value).append('\n'));
        final byte[] text = lines.toString().getBytes(StandardCharsets.UTF_8);
        final long[] hashes = new long[communicator.size()];
        communicator.allgather(new long[] {hash(text)}, hashes);
        if (Arrays.stream(hashes).allMatch(hash -> hash == hashes[0]))
        {
            return;
        }
        final List<Map<String, String>> all =
            gather(communicator, lines.toString()).stream().map(SettingsComparison::parse).toList();
        requireValid(all);
        throw difference(all, what, fix);
    }

    private static void requireValid(final List<Map<String, String>> all)
    {
        final List<String> problems = new ArrayList<>();
        for (int rank = 0; rank < all.size(); rank++)
        {
            final String problem = all.get(rank).get(INVALID);
            if (problem != null)
            {
                problems.add("on rank " + rank + ": " + problem);
            }
        }
        if (!problems.isEmpty())
        {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
    }

    private static LightGbmException difference(
        final List<Map<String, String>> all, final String what, final String fix)
    {
        final Set<String> names = new LinkedHashSet<>();
        all.forEach(settings -> names.addAll(settings.keySet()));
        RanksByValue first = null;
        final List<String> more = new ArrayList<>();
        for (final String name : names)
        {
            final RanksByValue values = new RanksByValue(all.stream().map(settings ->
                settings.containsKey(name) ? name + "=" + settings.get(name) : "no " + name).toList());
            if (!values.isOne())
            {
                if (first == null)
                {
                    first = values;
                }
                else
                {
                    more.add(name);
                }
            }
        }
        if (first == null)
        {
            // Only their order differs, which has no meaning: callers sort them.
            throw new IllegalStateException(what + " have equal values and different hashes");
        }
        return new LightGbmException(what + " differ between ranks: " + first.text() + others(more) + ": " + fix, null,
            first.others());
    }

    private static String others(final List<String> names)
    {
        return switch (names.size())
        {
            case 0 -> "";
            case 1 -> "; " + names.getFirst() + " differs, too";
            default -> "; " + names.getFirst() + " and " + (names.size() - 1) + " more differ, too";
        };
    }

    /**
     * Gathers a text of each rank. Collective.
     *
     * @param communicator the ranks.
     * @param own          text of this rank, of any length.
     * @return texts by rank.
     */
    static List<String> gather(final Communicator communicator, final String own)
    {
        final byte[] text = own.getBytes(StandardCharsets.UTF_8);
        final long[] lengths = new long[communicator.size()];
        communicator.allgather(new long[] {text.length}, lengths);
        final byte[] all = new byte[Math.toIntExact(Arrays.stream(lengths).sum())];
        communicator.allgatherv(MemorySegment.ofArray(text), MemorySegment.ofArray(all), lengths, DataType.INT8);
        final List<String> texts = new ArrayList<>();
        int start = 0;
        for (final long length : lengths)
        {
            texts.add(new String(all, start, (int)length, StandardCharsets.UTF_8));
            start += (int)length;
        }
        return texts;
    }

    private static Map<String, String> parse(final String lines)
    {
        final Map<String, String> settings = new LinkedHashMap<>();
        lines.lines().forEach(line ->
        {
            final int equals = line.indexOf('=');
            settings.put(line.substring(0, equals), line.substring(equals + 1));
        });
        return settings;
    }

    /** Returns the 64-bit FNV-1a hash. */
    private static long hash(final byte[] text)
    {
        long hash = FNV_OFFSET;
        for (final byte next : text)
        {
            hash = (hash ^ (next & 0xFF)) * FNV_PRIME;
        }
        return hash;
    }
}
