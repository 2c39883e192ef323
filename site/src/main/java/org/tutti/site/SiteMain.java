/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.site;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The program that Maven runs under the profile {@code site}. */
public final class SiteMain
{
    private SiteMain()
    {
    }

    /**
     * Makes the site. Ends with exit code 1 if a link is dead.
     *
     * @param arguments directory of the repository, of the javadoc and of the site to write, and version of Tutti.
     * @throws IOException if a file cannot be read or written.
     */
    public static void main(final String[] arguments) throws IOException
    {
        if (arguments.length != 4)
        {
            throw new IllegalArgumentException(arguments.length + " arguments instead of 4: give the directories of " +
                "the repository, the javadoc and the site, and the version");
        }
        final Path output = Path.of(arguments[2]);
        final SiteBuilder site = new SiteBuilder(new Sources(Path.of(arguments[0]), Path.of(arguments[1])));
        final List<String> deadLinks = site.deadLinks();
        if (!deadLinks.isEmpty())
        {
            deadLinks.forEach(System.err::println);
            System.err.println(deadLinks.size() + " dead links, listed above: correct them; no page was written");
            System.exit(1);
        }
        final int count = site.write(output, arguments[3]);
        System.out.println(count + " pages and the javadoc: " + output.resolve("index.html"));
    }
}
