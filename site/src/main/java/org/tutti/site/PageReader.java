/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;

/** Reads a document, a directory of documents or any other text as a page. */
final class PageReader
{
    private static final List<Extension> EXTENSIONS =
        List.of(TablesExtension.create(), HeadingAnchorExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
    private static final HtmlRenderer RENDERER = HtmlRenderer.builder().extensions(EXTENSIONS).build();
    private static final int LONG_TEXT = 40;

    private final Sources sources;

    /**
     * Creates the object; reads nothing.
     *
     * @param sources the files to read from.
     */
    PageReader(final Sources sources)
    {
        this.sources = sources;
    }

    /**
     * Reads a page.
     *
     * @param path a path that {@link Sources#page} returned, of a file or directory that exists.
     * @return the page.
     * @throws IOException if a file cannot be read or is not encoded in UTF-8.
     */
    PageContent read(final String path) throws IOException
    {
        final Path file = sources.file(path);
        if (path.endsWith("/"))
        {
            return new PageContent(path, list(file));
        }
        final String text = Files.readString(file);
        return new PageContent(
            path, Sources.isDocument(path) ? render(text) : show(file.getFileName().toString(), text));
    }

    private static Element render(final String markdown)
    {
        final Element content = Jsoup.parseBodyFragment(RENDERER.render(PARSER.parse(markdown))).body();
        // On a narrow screen the table is scrolled, not the page, and columns of text stay wide enough to read.
        content.select("table").forEach(table -> table.wrap("<div class=\"scroll\" tabindex=\"0\"></div>"));
        content.select("td").stream().filter(cell -> cell.text().length() > LONG_TEXT)
            .forEach(cell -> cell.addClass("long"));
        return content;
    }

    private static Element show(final String name, final String text)
    {
        final Element content = new Element("body");
        content.appendElement("h1").text(name);
        content.appendElement("pre").appendElement("code").text(text);
        return content;
    }

    private Element list(final Path directory) throws IOException
    {
        final Element content = new Element("body");
        content.appendElement("h1").text(sources.path(directory));
        final Element list = content.appendElement("ul");
        try (Stream<Path> files = Files.list(directory))
        {
            for (final Path file : files.filter(each -> Sources.isDocument(each.toString())).sorted().toList())
            {
                list.appendElement("li").appendElement("a").attr("href", file.getFileName().toString())
                    .text(read(sources.path(file)).title());
            }
        }
        return content;
    }
}
