/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Self-contained HTML pages in one style, light and dark. Stateless.
 */
public final class Page
{
    private static final String STYLE = "page.css";
    private static final String STYLE_PLACE = "/*STYLE*/";
    private static final String SCRIPT = "page.js";
    private static final String SCRIPT_PLACE = "/*SCRIPT*/";

    private Page()
    {
    }

    /**
     * Fills a template. In it, the comments {@code STYLE} and {@code SCRIPT} are placeholders for {@code page.css} and
     * {@code page.js}.
     *
     * @param owner    class whose package has the template as a resource.
     * @param template file name of the template.
     * @param values   replacement of each placeholder.
     * @return the page.
     */
    public static String of(final Class<?> owner, final String template, final Map<String, String> values)
    {
        String page = resource(owner, template)
            .replace(STYLE_PLACE, resource(Page.class, STYLE).strip())
            .replace(SCRIPT_PLACE, resource(Page.class, SCRIPT).strip());
        for (final Map.Entry<String, String> value : values.entrySet())
        {
            page = page.replace(value.getKey(), value.getValue());
        }
        return page;
    }

    /**
     * Escapes text for HTML and XML.
     *
     * @param text any text.
     * @return text without special characters, safe in attributes too.
     */
    public static String escape(final String text)
    {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }

    private static String resource(final Class<?> owner, final String name)
    {
        try (InputStream stream = owner.getResourceAsStream(name))
        {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
