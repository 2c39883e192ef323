/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.io;

import java.util.ArrayList;
import java.util.List;

/** Splits a command into words as a shell does: at unquoted, unescaped blanks. Stateless. */
public final class CommandWords
{
    private CommandWords()
    {
    }

    /**
     * Splits a command.
     *
     * @param option the option whose value the command is, for the error message.
     * @param text   the command.
     * @return the words, at least one.
     * @throws UsageException if there is no word, or a quote is unclosed.
     */
    public static List<String> split(final String option, final String text)
    {
        final List<String> words = new ArrayList<>();
        StringBuilder word = null;
        char quote = 0;
        for (int i = 0; i < text.length(); i++)
        {
            final char c = text.charAt(i);
            if (quote == 0 && Character.isWhitespace(c))
            {
                if (word != null)
                {
                    words.add(word.toString());
                    word = null;
                }
                continue;
            }
            word = word == null ? new StringBuilder() : word;
            if (quote == 0 && (c == '\'' || c == '"'))
            {
                quote = c;
            }
            else if (c == quote)
            {
                quote = 0;
            }
            else if (c == '\\' && quote != '\'' && i + 1 < text.length())
            {
                word.append(text.charAt(++i));
            }
            else
            {
                word.append(c);
            }
        }
        if (quote != 0)
        {
            throw new UsageException(option + " '" + text + "' has an unclosed quote: " + quote);
        }
        if (word != null)
        {
            words.add(word.toString());
        }
        if (words.isEmpty())
        {
            throw new UsageException(option + " is empty: give a command, such as \"ssh -p 2222\"");
        }
        return words;
    }

    /**
     * Quotes a word for a shell.
     *
     * @param word any text.
     * @return the word in single quotes.
     */
    public static String quote(final String word)
    {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
