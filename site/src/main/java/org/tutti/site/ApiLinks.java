/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** Links names of classes and members in the documents' code to the javadoc, if it describes them. */
final class ApiLinks
{
    private final Sources sources;
    /** Pages of the javadoc by the simple name of their class. */
    private final Map<String, String> classes = new HashMap<>();
    private final Map<String, Document> parsed = new HashMap<>();

    /**
     * Creates the object.
     *
     * @param sources where the javadoc is.
     * @throws IOException if its files cannot be listed.
     */
    ApiLinks(final Sources sources) throws IOException
    {
        this.sources = sources;
        try (Stream<Path> files = Files.walk(sources.javadoc()))
        {
            for (final Path file : files.toList())
            {
                final String name = file.getFileName().toString();
                // Other pages of the javadoc have names in lower case.
                if (name.endsWith(".html") && Character.isUpperCase(name.charAt(0)))
                {
                    classes.put(name.substring(0, name.length() - ".html".length()),
                        Sources.API + sources.javadoc().relativize(file));
                }
            }
        }
    }

    /** Adds the links to a page. */
    void addTo(final PageContent page) throws IOException
    {
        final String up = "../".repeat((int)page.source().chars().filter(each -> each == '/').count());
        for (final Element code : page.content().select("code"))
        {
            final String target = target(code.text());
            if (target != null && code.closest("a, pre, h1, h2, h3") == null)
            {
                code.wrap("<a></a>").parent().attr("href", up + target);
            }
        }
    }

    /** Returns the link for {@code Type}, {@code Type.member} or {@code Type.member(…)}; null if there is none. */
    private String target(final String code) throws IOException
    {
        final String name = code.replaceFirst("\\(.*\\)$", "");
        if (classes.containsKey(name))
        {
            return classes.get(name);
        }
        final int dot = name.lastIndexOf('.');
        final String page = dot < 0 ? null : classes.get(name.substring(0, dot));
        return page == null ? null : page + fragment(page, name.substring(dot + 1));
    }

    /** Returns the fragment of a field or of the first of the methods with a name; nothing if there is none. */
    private String fragment(final String page, final String name) throws IOException
    {
        Document document = parsed.get(page);
        if (document == null)
        {
            document = Jsoup.parse(Files.readString(sources.file(page)));
            parsed.put(page, document);
        }
        return document.select("section[id]").stream().map(Element::id)
            .filter(id -> id.equals(name) || id.startsWith(name + "(")).findFirst().map(id -> "#" + id).orElse("");
    }
}
