/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class SectionsTest
{
    @Provide
    static Arbitrary<List<List<String>>> sections()
    {
        return Arbitraries.of(":", "\\:", "\\\\:", "::", "a:b", "\\", "", "word", ":\\", "\\a:").list().ofMaxSize(4)
            .list().ofMinSize(1).ofMaxSize(4);
    }

    /** Any argument can be passed: a colon needs a backslash, and one with backslashes needs one more. */
    @Property
    void shouldSplitAtColonsAndPassEscapedOnes(@ForAll("sections") final List<List<String>> sections)
    {
        final List<String> words = new ArrayList<>();
        for (int i = 0; i < sections.size(); i++)
        {
            if (i > 0)
            {
                words.add(":");
            }
            sections.get(i).forEach(word -> words.add(word.matches("\\\\*:") ? "\\" + word : word));
        }

        assertEquals(sections, Sections.split(words));
    }

    @Test
    void shouldKeepColonsWithinWords()
    {
        assertEquals(List.of(List.of("a:b", "::", "c:"), List.of("d")),
            Sections.split(List.of("a:b", "::", "c:", ":", "d")));
    }
}
