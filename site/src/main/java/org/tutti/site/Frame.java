/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.site;

import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.select.Elements;

/** What surrounds the content of every page: header, list of tasks and table of contents. */
final class Frame
{
    static final String STYLE = "site.css";
    private static final String README = "README.md";

    private final Document template;
    private final PublishedLinks links;

    /**
     * Creates the frame.
     *
     * @param template with the links of a document in the root of the repository; changed by this call.
     * @param tasks    list of tasks, with links of the same kind.
     * @param version  version of Tutti.
     * @param links    turns these links into links of the site.
     */
    Frame(final Document template, final Element tasks, final String version, final PublishedLinks links)
    {
        this.template = template;
        this.links = links;
        template.selectFirst(".version").text(version);
        template.selectFirst(".tasks details").appendChild(tasks);
    }

    /** Returns the page in its frame, with links of the site. */
    Document around(final PageContent page)
    {
        final Document document = template.clone();
        final boolean isReadme = page.source().equals(README);
        document.title(isReadme ? page.title() : page.title() + " – Tutti");
        links.replace(document, README, page.source());
        document.selectFirst("link").attr("href", PublishedLinks.relative(page.source(), STYLE));
        addContents(page, document.selectFirst(".contents"));
        final Element content = links.replace(page.content().clone(), page.source(), page.source());
        document.selectFirst("main").appendChildren(content.childNodesCopy());
        return document;
    }

    private static void addContents(final PageContent page, final Element contents)
    {
        final Elements headings = page.content().select("h2[id], h3[id]");
        if (headings.size() < 2)
        {
            contents.remove();
            return;
        }
        final Element list = contents.selectFirst("details").appendElement("ul");
        for (final Element heading : headings)
        {
            list.appendElement("li").addClass(heading.normalName())
                .appendElement("a").attr("href", "#" + heading.id()).html(heading.html()).select("a a").unwrap();
        }
    }
}
