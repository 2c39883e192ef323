/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.site;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Objects;

import org.jsoup.nodes.Element;

/** Turns links between files of the repository into links between the pages made from them. */
final class PublishedLinks
{
    private final Sources sources;

    /**
     * Creates the object.
     *
     * @param sources the files of the repository.
     */
    PublishedLinks(final Sources sources)
    {
        this.sources = sources;
    }

    /**
     * Replaces the links in an element. They must have been checked.
     *
     * @param element changed by this call.
     * @param source  path of the file that the links are relative to.
     * @param page    path of the file whose page will contain the element.
     * @return the element.
     */
    Element replace(final Element element, final String source, final String page)
    {
        for (final Element each : element.select(PageContent.LINKS))
        {
            final String attribute = PageContent.linkAttribute(each);
            final String text = each.attr(attribute);
            final Link link = link(source, text);
            if (link == null)
            {
                continue;
            }
            final int hash = text.indexOf('#');
            final String target = sources.page(link.path());
            each.attr(attribute, relative(page, Sources.published(target)) + (hash < 0 ? "" : text.substring(hash)));
            if (each.is("nav a") && Objects.equals(target, page))
            {
                each.attr("aria-current", "page");
            }
        }
        return element;
    }

    /** Returns the link from the page of a file to a file of the site. */
    static String relative(final String page, final String published)
    {
        return Path.of("/" + Sources.published(page)).getParent().relativize(Path.of("/" + published)).toString();
    }

    private static Link link(final String source, final String text)
    {
        try
        {
            return Link.of(source, text);
        }
        catch (final URISyntaxException ex)
        {
            throw new IllegalArgumentException("not checked: " + text, ex);
        }
    }
}
