/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.site;

import org.jsoup.nodes.Element;

/**
 * The content of a page, without the frame that all pages share. Its links are those of its source.
 *
 * @param source  the file that it was made from, relative to the root of the repository.
 * @param content the element that contains it.
 */
record PageContent(String source, Element content)
{
    /** Selects elements with a link. */
    static final String LINKS = "a[href], img[src], link[href], script[src]";

    /** Returns the first heading, without markup. */
    String title()
    {
        final Element heading = content.selectFirst("h1");
        return heading == null ? source : heading.text();
    }

    /** Whether the page has an element that links with the fragment lead to. */
    boolean hasId(final String id)
    {
        return content.getElementById(id) != null || !content.getElementsByAttributeValue("name", id).isEmpty();
    }

    /** Returns the name of the attribute of one of {@link #LINKS} that has the link. */
    static String linkAttribute(final Element element)
    {
        return element.hasAttr("href") ? "href" : "src";
    }
}
