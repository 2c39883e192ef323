/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.site;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.jsoup.nodes.Element;

/** All pages of the site but the javadoc, and the pictures on them. */
final class Pages
{
    private final Sources sources;
    private final Map<String, PageContent> pages = new TreeMap<>();
    private final Set<String> pictures = new TreeSet<>();

    private Pages(final Sources sources)
    {
        this.sources = sources;
    }

    /**
     * Reads the documents in the root of the repository and in {@code docs}, and all files that can be reached from
     * there by links.
     *
     * @param sources the files to read from.
     * @return the pages.
     * @throws IOException if a file cannot be read.
     */
    static Pages read(final Sources sources) throws IOException
    {
        final Pages pages = new Pages(sources);
        final PageReader reader = new PageReader(sources);
        final Deque<String> unread = new ArrayDeque<>();
        addDocuments(sources, sources.root(), 1, unread);
        addDocuments(sources, sources.root().resolve("docs"), Integer.MAX_VALUE, unread);
        while (!unread.isEmpty())
        {
            final String path = unread.remove();
            if (Sources.isPicture(path))
            {
                pages.pictures.add(path);
            }
            else if (!pages.pages.containsKey(path))
            {
                final PageContent page = reader.read(path);
                pages.pages.put(path, page);
                pages.addLinked(page, unread);
            }
        }
        return pages;
    }

    private static void addDocuments(
        final Sources sources, final Path directory, final int depth, final Deque<String> unread) throws IOException
    {
        if (Files.isDirectory(directory))
        {
            try (Stream<Path> files = Files.walk(directory, depth))
            {
                files.map(sources::path).filter(Sources::isDocument).forEach(unread::add);
            }
        }
    }

    private void addLinked(final PageContent page, final Deque<String> unread)
    {
        for (final Element element : page.content().select(PageContent.LINKS))
        {
            try
            {
                final Link link = Link.of(page.source(), element.attr(PageContent.linkAttribute(element)));
                if (link != null && isInRepository(link.path()) && Files.exists(sources.file(link.path())))
                {
                    unread.add(sources.page(link.path()));
                }
            }
            catch (final URISyntaxException ex)
            {
                // The check of links reports it.
            }
        }
    }

    private static boolean isInRepository(final String path)
    {
        return !path.startsWith(Sources.API) && !path.startsWith("..");
    }

    Collection<PageContent> all()
    {
        return pages.values();
    }

    Set<String> pictures()
    {
        return pictures;
    }

    /** Whether the site will have one of these pages at a path; the javadoc links to it by this path. */
    boolean havePublished(final String path)
    {
        return pages.keySet().stream().anyMatch(source -> Sources.published(source).equals(path));
    }

    /** Returns the page that a path of a {@link Link} leads to; null if it leads to none. */
    PageContent get(final String path)
    {
        return pages.get(sources.page(path));
    }
}
