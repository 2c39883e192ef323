/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.site;

import org.jsoup.nodes.Element;
import org.jsoup.select.Elements;

/** The list of tasks beside every page: the table of documents in the README. */
final class Navigation
{
    private static final String TABLE = "h2#documentation ~ .scroll table";

    private Navigation()
    {
    }

    /**
     * Makes the list.
     *
     * @param readme the page of the README.
     * @return the list, with the links of the README.
     * @throws IllegalArgumentException if the README has no such table.
     */
    static Element of(final PageContent readme)
    {
        final Element table = readme.content().selectFirst(TABLE);
        if (table == null)
        {
            throw new IllegalArgumentException(
                readme.source() + ": no table follows the heading 'Documentation': add one, with a task in each row");
        }
        final Element list = new Element("ul");
        for (final Element row : table.select("tbody tr"))
        {
            final Element item = list.appendElement("li");
            final Element task = row.child(0);
            final Elements links = row.child(1).select("a");
            if (links.size() == 1)
            {
                item.appendElement("a").attr("href", links.first().attr("href")).html(task.html());
            }
            else
            {
                item.append("<span>" + task.html() + "</span>").append(row.child(1).html());
            }
        }
        return list;
    }
}
