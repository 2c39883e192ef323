/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.util.Collection;

/** Suggests the valid word most similar to an unknown one. Stateless. */
public final class Suggestion
{
    private Suggestion()
    {
    }

    /**
     * Returns the suggestion that ends a message about an unknown word.
     *
     * @param word       the word that the user wrote.
     * @param candidates the valid words.
     * @return "; did you mean 'X'?" with the most similar candidate, or an empty text if none is similar.
     */
    public static String hint(final String word, final Collection<String> candidates)
    {
        String nearest = null;
        // Allows no edit in one-letter words, one in short words, two in longer ones.
        final int letters = word.replaceFirst("^-+", "").length();
        int least = letters <= 1 ? 1 : letters <= 4 ? 2 : 3;
        for (final String candidate : candidates)
        {
            final int distance = distance(word, candidate);
            if (distance < least)
            {
                least = distance;
                nearest = candidate;
            }
        }
        return nearest == null ? "" : "; did you mean '" + nearest + "'?";
    }

    /**
     * Returns the edit distance: insertions, deletions, replacements and swaps of adjacent letters.
     */
    static int distance(final String a, final String b)
    {
        final int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++)
        {
            for (int j = 0; j <= b.length(); j++)
            {
                if (i == 0 || j == 0)
                {
                    cost[i][j] = i + j;
                    continue;
                }
                final int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                cost[i][j] = Math.min(
                    cost[i - 1][j - 1] + change, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1))
                {
                    cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
                }
            }
        }
        return cost[a.length()][b.length()];
    }
}
