/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests sites of small repositories. */
class SiteTest
{
    @TempDir
    private Path directory;
    private Path root;
    private Path javadoc;

    @BeforeEach
    void makeRepository() throws IOException
    {
        root = directory.resolve("repository");
        javadoc = directory.resolve("javadoc");
        write(root, "README.md", """
            # Tutti

            ## Documentation

            | Task | Page |
            |---|---|
            | run jobs | [jobs](docs/jobs.md) |
            | read *sources* | [Hello](src/Hello.java), [decisions](docs/adr) |
            """);
        write(root, "docs/jobs.md", """
            # Jobs

            ## Start `a` job

            ## End

            [start](#start-a-job) [up](../README.md#tutti)
            """);
        write(root, "docs/adr/0001-first.md", "# 1. The `first`\n\n![a picture](../pictures/a.svg)\n");
        write(root, "docs/pictures/a.svg", "<svg/>");
        write(root, "src/Hello.java", "class Hello<T> {}\n");
        write(root, "src/NotLinked.java", "");
        write(javadoc, "index.html", "<a href='org/Request.html#await(long)'>await</a>");
        write(javadoc, "org/Request.html", """
            <section id="await(long)"></section><section id="await(long,boolean)"></section>
            <section id="NONE"></section><a href="">this</a><a href="#NONE">none</a><a href="../../index.html">home</a>
            """);
    }

    @Test
    void shouldFindNoDeadLinkWhenAllFilesAndHeadingsExist() throws IOException
    {
        assertEquals(List.of(), deadLinks());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "[a](nothing.md) | nothing.md | there is no file docs/nothing.md",
        "[a](nothing.md#end) | nothing.md#end | there is no file docs/nothing.md",
        "[a](adr/nothing/) | adr/nothing/ | there is no file docs/adr/nothing/",
        "![a](../pictures/a.svg) | ../pictures/a.svg | there is no file pictures/a.svg",
        "[a](#nothing) | #nothing | docs/page.md has no heading or element 'nothing'",
        "[a](jobs.md#start-job) | jobs.md#start-job | docs/jobs.md has no heading or element 'start-job'",
        "[a](../src/Hello.java#L1) | ../src/Hello.java#L1 | src/Hello.java has no heading or element 'L1'",
        "[a](../../repository/README.md) | ../../repository/README.md | the file is outside of the repository",
        "[a](../api/org/Nothing.html) | ../api/org/Nothing.html | there is no file api/org/Nothing.html",
        "[](../api/index.html#a) | ../api/index.html#a | api/index.html has no heading or element 'a'",
        "[a](%) | % | not a URI: Malformed escape pair at index 0"})
    void shouldReportDeadLink(final String markdown, final String link, final String missing) throws IOException
    {
        write(root, "docs/page.md", "# Page\n\nThis " + markdown + " is dead.\n");

        assertEquals(List.of("docs/page.md: dead link '" + link + "': " + missing), deadLinks());
    }

    @Test
    void shouldReportDeadLinksOfJavadocAndOfFilesReachedByLinks() throws IOException
    {
        write(javadoc, "org/package-summary.html", "<a href='Request.html#cancel()'>cancel</a>");
        write(root, "docs/jobs.md", "# Jobs\n\n[notes](../src/notes.md)\n");
        write(root, "src/notes.md", "[x](x.c)");

        assertEquals(List.of(
            "src/notes.md: dead link 'x.c': there is no file src/x.c",
            "api/org/package-summary.html: dead link 'Request.html#cancel()': " +
            "api/org/Request.html has no heading or element 'cancel()'"), deadLinks());
    }

    @Test
    void shouldIgnoreLinksOutOfTheSite() throws IOException
    {
        write(root, "docs/page.md", "[a](https://example.org/#x) [b](mailto:a@example.org) [c](//example.org/x)");

        assertEquals(List.of(), deadLinks());
    }

    @Test
    void shouldWritePagesOfDocumentsDirectoriesAndLinkedFiles() throws IOException
    {
        final Path site = build();

        assertEquals(List.of("start: jobs.html#start-a-job", "up: ../index.html#tutti"), links(site, "docs/jobs.html"));
        assertEquals(List.of("1. The first: 0001-first.html"), links(site, "docs/adr/index.html"));
        assertEquals("class Hello<T> {}\n", page(site, "src/Hello.java.html").selectFirst("main pre").wholeText());
        assertEquals("../pictures/a.svg", page(site, "docs/adr/0001-first.html").selectFirst("img").attr("src"));
        assertEquals("<svg/>", Files.readString(site.resolve("docs/pictures/a.svg")));
        assertTrue(Files.exists(site.resolve("api/org/Request.html")));
        assertFalse(Files.exists(site.resolve("src/NotLinked.java.html")));
    }

    @Test
    void shouldSurroundPagesWithTasksAndContents() throws IOException
    {
        final Document page = page(build(), "docs/jobs.html");

        assertEquals("Jobs – Tutti", page.title());
        assertEquals("1.2.3", page.selectFirst(".version").text());
        assertEquals("../site.css", page.selectFirst("link").attr("href"));
        assertEquals("../api/index.html", page.select("header a").last().attr("href"));
        assertEquals("<a href=\"jobs.html\" aria-current=\"page\">run jobs</a>", page.selectFirst(".tasks li").html());
        assertEquals("<span>read <em>sources</em></span><a href=\"../src/Hello.java.html\">Hello</a>, " +
            "<a href=\"adr/index.html\">decisions</a>", page.select(".tasks li").last().html());
        assertEquals("<a href=\"#start-a-job\">Start <code>a</code> job</a>", page.selectFirst(".contents li").html());
    }

    @Test
    void shouldLinkNamesInCodeToTheirJavadoc() throws IOException
    {
        write(root, "docs/page.md", """
            `Request` `Request.await(1, false)` `Request.NONE` `Request.other` `Other` `await()`

            ```java
            Request
            ```

            ## `Request`
            """);

        assertEquals(List.of(
            "Request: ../api/org/Request.html",
            "Request.await(1, false): ../api/org/Request.html#await(long)",
            "Request.NONE: ../api/org/Request.html#NONE",
            "Request.other: ../api/org/Request.html"), links(build(), "docs/page.html"));
    }

    @Test
    void shouldReplaceEarlierSite() throws IOException
    {
        write(directory, "site/docs/removed.html", "");

        assertFalse(Files.exists(build().resolve("docs/removed.html")));
    }

    @Test
    void shouldReportReadmeWithoutTasks() throws IOException
    {
        write(root, "README.md", "# Tutti\n\n## Documentation\n\nNone.\n");

        assertEquals("README.md: no table follows the heading 'Documentation': add one, with a task in each row",
            assertThrows(IllegalArgumentException.class, this::build).getMessage());
    }

    private List<String> deadLinks() throws IOException
    {
        return new SiteBuilder(new Sources(root, javadoc)).deadLinks();
    }

    private Path build() throws IOException
    {
        assertEquals(List.of(), deadLinks());
        final Path site = directory.resolve("site");
        new SiteBuilder(new Sources(root, javadoc)).write(site, "1.2.3");
        return site;
    }

    /** Returns the links of a page's content. */
    private static List<String> links(final Path site, final String page) throws IOException
    {
        return page(site, page).select("main a").stream().map(link -> link.text() + ": " + link.attr("href")).toList();
    }

    private static Document page(final Path site, final String name) throws IOException
    {
        return Jsoup.parse(Files.readString(site.resolve(name)));
    }

    private static void write(final Path directory, final String name, final String text) throws IOException
    {
        final Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
