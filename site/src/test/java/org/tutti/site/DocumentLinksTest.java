/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Makes the site of this repository, with an empty page in place of the javadoc. */
class DocumentLinksTest
{
    @TempDir
    private Path directory;
    private SiteBuilder site;

    @BeforeEach
    void read() throws IOException
    {
        final Path javadoc = Files.createDirectory(directory.resolve("javadoc"));
        Files.writeString(javadoc.resolve("index.html"), "");
        site = new SiteBuilder(new Sources(Path.of(System.getProperty("tutti.root")), javadoc));
    }

    @Test
    void shouldLinkToExistingFilesAndHeadings() throws IOException
    {
        assertEquals(List.of(), site.deadLinks());
    }

    /** Follows the links as a browser does, independently of the check before the site is written. */
    @Test
    void shouldWritePagesWithLinksToPagesAndWithoutExternalResources() throws IOException
    {
        final Path output = directory.resolve("site");
        assertTrue(site.write(output, "1.2.3") > 50);
        final Map<Path, Document> pages = new HashMap<>();
        try (Stream<Path> files = Files.walk(output))
        {
            for (final Path page : files.filter(file -> file.toString().endsWith(".html")).toList())
            {
                pages.put(page, Jsoup.parse(Files.readString(page)));
            }
        }

        final List<String> errors = new ArrayList<>();
        pages.forEach((page, document) -> document.select("[src], [href]").stream()
            .filter(element -> !isAlive(page, element, pages))
            .forEach(element -> errors.add(output.relativize(page) + ": " + element)));
        assertEquals(List.of(), errors);
    }

    private static boolean isAlive(final Path page, final Element element, final Map<Path, Document> pages)
    {
        final URI link = URI.create(element.attr(element.hasAttr("src") ? "src" : "href"));
        if (link.isAbsolute())
        {
            // Only links that a user follows may lead out of the site.
            return element.normalName().equals("a");
        }
        final URI target = page.toUri().resolve(link);
        final Path file = Path.of(target.getPath());
        return Files.isRegularFile(file) &&
            (target.getFragment() == null || pages.get(file).getElementById(target.getFragment()) != null);
    }
}
