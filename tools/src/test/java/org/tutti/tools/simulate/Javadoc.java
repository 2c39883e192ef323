/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The javadoc of a class, as Markdown. */
final class Javadoc
{
    private static final int WIDTH = 120;

    private Javadoc()
    {
    }

    static String of(final Path root, final Class<?> documented) throws IOException
    {
        final String source = Files.readString(root.resolve("collectives/src/main/java")
            .resolve(documented.getName().replace('.', '/') + ".java"));
        final int end = source.indexOf(documented.isRecord() ? "\nrecord " : "\nfinal class ");
        final int begin = source.lastIndexOf("/**", end);
        final String text = source.substring(begin + 3, source.lastIndexOf("*/", end))
            .replaceAll("(?s)@param.*", "")
            .replaceAll("(?m)^\\s*\\* ?", "")
            .replaceAll("\\{@code ([^}]*)\\}", "`$1`")
            .replaceAll("\\{@link #?([^}\\s]*)[^}]*\\}", "`$1`")
            .replaceAll("</?[ib]>|</?em>", "*")
            .replaceAll("</p>|</?ul>|</li>", "")
            .replaceAll("<li>", "\n- ")
            .replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        final StringBuilder markdown = new StringBuilder();
        for (final String paragraph : text.split("<p>|\\n\\s*\\n", -1))
        {
            if (!paragraph.isBlank())
            {
                markdown.append(wrapped(paragraph.strip())).append('\n');
            }
        }
        return markdown.toString();
    }

    private static String wrapped(final String paragraph)
    {
        final StringBuilder text = new StringBuilder();
        int column = 0;
        for (final String word : paragraph.split("\\s+", -1))
        {
            if (column > 0 && column + 1 + word.length() > WIDTH)
            {
                text.append('\n');
                column = 0;
            }
            text.append(column == 0 ? "" : " ").append(word);
            column += word.length() + (column == 0 ? 0 : 1);
        }
        return text.append('\n').toString();
    }
}
