/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.site;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;

/** Finds links of documents and of the javadoc to files, headings and members that do not exist. */
final class LinkCheck
{
    private final Sources sources;
    private final Pages pages;
    private final Map<String, PageContent> javadoc;
    private final List<String> errors = new ArrayList<>();

    private LinkCheck(final Sources sources, final Pages pages, final Map<String, PageContent> javadoc)
    {
        this.sources = sources;
        this.pages = pages;
        this.javadoc = javadoc;
    }

    /**
     * Checks all links except those that lead out of the site.
     *
     * @param sources the files of the repository and the javadoc.
     * @param pages   the pages made from files of the repository.
     * @return one line for each dead link, with the page, the link and what it does not find.
     * @throws IOException if a file cannot be read.
     */
    static List<String> errors(final Sources sources, final Pages pages) throws IOException
    {
        final Map<String, PageContent> javadoc = new TreeMap<>();
        try (Stream<Path> files = Files.walk(sources.javadoc()))
        {
            for (final Path file : files.filter(each -> each.toString().endsWith(".html")).toList())
            {
                final String path = Sources.API + sources.javadoc().relativize(file);
                javadoc.put(path, new PageContent(path, Jsoup.parse(Files.readString(file))));
            }
        }
        final LinkCheck check = new LinkCheck(sources, pages, javadoc);
        pages.all().forEach(check::check);
        javadoc.values().forEach(check::check);
        return check.errors;
    }

    private void check(final PageContent page)
    {
        for (final Element element : page.content().select(PageContent.LINKS))
        {
            final String text = element.attr(PageContent.linkAttribute(element));
            final String missing = missing(page, text);
            if (missing != null)
            {
                errors.add(page.source() + ": dead link '" + text + "': " + missing);
            }
        }
    }

    /** Returns what a link does not find; null if it finds everything. */
    private String missing(final PageContent page, final String text)
    {
        final Link link;
        try
        {
            link = Link.of(page.source(), text);
        }
        catch (final URISyntaxException ex)
        {
            return "not a URI: " + ex.getReason() + " at index " + ex.getIndex();
        }
        if (link == null)
        {
            return null;
        }
        if (link.path().startsWith(".."))
        {
            return "the file is outside of the repository";
        }
        if (page.source().startsWith(Sources.API) && pages.havePublished(link.path()))
        {
            return null;
        }
        if (!Files.exists(sources.file(link.path())))
        {
            return "there is no file " + link.path();
        }
        if (link.fragment() == null || link.fragment().isEmpty())
        {
            return null;
        }
        final PageContent target =
            link.path().startsWith(Sources.API) ? javadoc.get(link.path()) : pages.get(link.path());
        return target != null && target.hasId(link.fragment()) ? null :
            link.path() + " has no heading or element '" + link.fragment() + "'";
    }
}
