/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.site;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

/** Makes the site in a directory, or none of it if a link is dead. */
final class SiteBuilder
{
    private final Sources sources;
    private final Pages pages;

    /**
     * Reads all pages.
     *
     * @param sources the files of the repository and the javadoc.
     * @throws IOException if a file cannot be read.
     */
    SiteBuilder(final Sources sources) throws IOException
    {
        this.sources = sources;
        this.pages = Pages.read(sources);
    }

    /** Returns one line for each dead link. */
    List<String> deadLinks() throws IOException
    {
        return LinkCheck.errors(sources, pages);
    }

    /**
     * Writes the site.
     *
     * @param directory where to write; what it contained is deleted.
     * @param version   version of Tutti.
     * @return the number of pages without the javadoc.
     * @throws IOException if a file cannot be read or written.
     */
    int write(final Path directory, final String version) throws IOException
    {
        delete(directory);
        copy(sources.javadoc(), directory.resolve(Sources.API));
        for (final String picture : pages.pictures())
        {
            write(directory.resolve(picture), Files.readAllBytes(sources.file(picture)));
        }
        write(directory.resolve(Frame.STYLE), resource(Frame.STYLE));
        final ApiLinks api = new ApiLinks(sources);
        final Document template = Jsoup.parse(new String(resource("page.html"), StandardCharsets.UTF_8));
        template.outputSettings().prettyPrint(false);
        final Frame frame = new Frame(
            template, Navigation.of(pages.get("README.md")), version, new PublishedLinks(sources));
        for (final PageContent page : pages.all())
        {
            api.addTo(page);
            write(directory.resolve(Sources.published(page.source())),
                frame.around(page).outerHtml().getBytes(StandardCharsets.UTF_8));
        }
        return pages.all().size();
    }

    private static byte[] resource(final String name) throws IOException
    {
        return SiteBuilder.class.getResourceAsStream(name).readAllBytes();
    }

    private static void write(final Path file, final byte[] bytes) throws IOException
    {
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
    }

    private static void copy(final Path from, final Path to) throws IOException
    {
        try (Stream<Path> files = Files.walk(from))
        {
            for (final Path file : files.filter(Files::isRegularFile).toList())
            {
                write(to.resolve(from.relativize(file)), Files.readAllBytes(file));
            }
        }
    }

    private static void delete(final Path directory) throws IOException
    {
        if (Files.exists(directory))
        {
            try (Stream<Path> files = Files.walk(directory))
            {
                for (final Path file : files.toList().reversed())
                {
                    Files.delete(file);
                }
            }
        }
    }
}
