/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.site;

import java.nio.file.Files;
import java.nio.file.Path;

/** The files that pages are made from: those of the repository and, in the directory {@value #API}, the javadoc. */
final class Sources
{
    /** Where the site has the javadoc, relative to its root; the repository has no such directory. */
    static final String API = "api/";
    private static final String README = "README.md";

    private final Path root;
    private final Path javadoc;

    /**
     * Creates the object; reads nothing.
     *
     * @param root    directory of the repository.
     * @param javadoc directory of the javadoc.
     */
    Sources(final Path root, final Path javadoc)
    {
        this.root = root.toAbsolutePath().normalize();
        this.javadoc = javadoc.toAbsolutePath().normalize();
    }

    Path root()
    {
        return root;
    }

    Path javadoc()
    {
        return javadoc;
    }

    /** Returns the file at a path of a {@link Link}, which need not exist. */
    Path file(final String path)
    {
        return path.startsWith(API) ? javadoc.resolve(path.substring(API.length())) : root.resolve(path);
    }

    /** Returns the path of a file below the root of the repository, with a final slash if it is a directory. */
    String path(final Path file)
    {
        return root.relativize(file) + (Files.isDirectory(file) ? "/" : "");
    }

    /**
     * Returns the path of the page that a path leads to: a directory leads to its README or, if it has none, to a list
     * of its documents, whose path is that of the directory with a final slash.
     */
    String page(final String path)
    {
        final Path file = file(path).normalize();
        if (path.startsWith(API) || !Files.isDirectory(file))
        {
            return path;
        }
        final Path readme = file.resolve(README);
        return path(Files.exists(readme) ? readme : file);
    }

    /** Returns the path at which the site has the page or file of a path that {@link #page} returned. */
    static String published(final String path)
    {
        if (path.startsWith(API) || isPicture(path))
        {
            return path;
        }
        if (path.endsWith("/"))
        {
            return path + "index.html";
        }
        if (path.equals(README) || path.endsWith("/" + README))
        {
            return path.substring(0, path.length() - README.length()) + "index.html";
        }
        return (isDocument(path) ? path.substring(0, path.length() - ".md".length()) : path) + ".html";
    }

    static boolean isDocument(final String path)
    {
        return path.endsWith(".md");
    }

    static boolean isPicture(final String path)
    {
        return path.endsWith(".svg") || path.endsWith(".png");
    }
}
