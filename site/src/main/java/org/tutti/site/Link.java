/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.site;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * A link of a page to a file of the repository, or to the javadoc.
 *
 * @param text     the link as the page has it.
 * @param path     the file, relative to the root of the repository; may be outside of it, as {@code ../file}.
 * @param fragment the id of an element of that file; null to link to the file as a whole.
 */
record Link(String text, String path, String fragment)
{
    /**
     * Resolves a link.
     *
     * @param page path of the page that has the link.
     * @param text the link.
     * @return the link; null if it leads out of the site, as {@code https://example.org} does.
     * @throws URISyntaxException if it is not a URI.
     */
    static Link of(final String page, final String text) throws URISyntaxException
    {
        final URI uri = new URI(text);
        if (uri.isAbsolute() || uri.getRawAuthority() != null)
        {
            return null;
        }
        // An empty path means the page itself.
        final String path = uri.getPath().isEmpty() ? page :
            new URI(null, null, "/" + page, null).resolve(uri).getPath().substring(1);
        return new Link(text, path, uri.getFragment());
    }
}
