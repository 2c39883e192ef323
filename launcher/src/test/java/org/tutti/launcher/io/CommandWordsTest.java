/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandWordsTest
{
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "ssh                             | ssh",
        "  ssh   -p  2222                | ssh,-p,2222",
        "ssh -o 'A b' -o \"C 'd\"        | ssh,-o,A b,-o,C 'd",
        "ssh -o A\\ b -i ''               | ssh,-o,A b,-i,"})
    void shouldSplitAsAShellDoes(final String text, final String words)
    {
        assertEquals(List.of(words.split(",", -1)), CommandWords.split("--ssh", text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "ssh 'x", "ssh \"x"})
    void shouldRejectEmptyOrUnclosedCommand(final String text)
    {
        assertThrows(UsageException.class, () -> CommandWords.split("--ssh", text));
    }

    @Test
    void shouldQuoteForShell() throws IOException
    {
        final String word = "a 'b' \"c\" $d `e` \\ ü";

        final Process shell = new ProcessBuilder("sh", "-c", "printf %s " + CommandWords.quote(word)).start();

        assertEquals(word, new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    }
}
