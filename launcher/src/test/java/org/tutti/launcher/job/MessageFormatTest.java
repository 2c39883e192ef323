/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.BitSet;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MessageFormatTest
{
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"{3}|rank 3", "{0,1}|ranks 0, 1", "{0,1,2,5,7,8}|ranks 0-2, 5, 7, 8"})
    void shouldListRanksAsRanges(final String set, final String name)
    {
        final BitSet ranks = new BitSet();
        for (final String rank : set.substring(1, set.length() - 1).split(",", -1))
        {
            ranks.set(Integer.parseInt(rank));
        }

        assertEquals(name, MessageFormat.ranks(ranks));
    }
}
