/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
    void shouldRefuseWhatIsNoCommand(final String text)
    {
        assertThrows(UsageException.class, () -> CommandWords.split("--ssh", text));
    }

    @Test
    void shouldQuoteForAShell() throws IOException
    {
        final String word = "a 'b' \"c\" $d `e` \\ ü";

        final Process shell = new ProcessBuilder("sh", "-c", "printf %s " + CommandWords.quote(word)).start();

        assertEquals(word, new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    }

    @Test
    void shouldKeepSshFromAskingQuestionsUnlessItIsToldOtherwise()
    {
        assertEquals(
            List.of("/usr/bin/ssh", "-o", "BatchMode=no", "-T", "-x", "-o", "BatchMode=yes", "-o", "ConnectTimeout=20"),
            RemoteOptions.sshCommand(List.of("/usr/bin/ssh", "-o", "BatchMode=no")));
        assertEquals(List.of("rsh", "-l", "me"), RemoteOptions.sshCommand(List.of("rsh", "-l", "me")));
        assertEquals(List.of("ssh", "node0", "exec '/opt/my tutti/tutti' agent"),
            new RemoteOptions(List.of("ssh"), Path.of("/opt/my tutti"), null, null).tuttiCommand("node0", "agent"));
    }
}
