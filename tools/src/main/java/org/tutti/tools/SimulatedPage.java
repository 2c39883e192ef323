/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.tutti.launcher.Json;

/** A page with plots of what was simulated, in one file: nothing is loaded from elsewhere. */
final class SimulatedPage
{
    private static final String TEMPLATE = "simulate.html";

    private SimulatedPage()
    {
    }

    static String of(final Map<String, Object> results, final Map<String, Object> gantt) throws IOException
    {
        try (InputStream template = SimulatedPage.class.getResourceAsStream(TEMPLATE))
        {
            return new String(template.readAllBytes(), StandardCharsets.UTF_8)
                .replace("/*RESULTS*/null", script(results)).replace("/*GANTT*/null", script(gantt));
        }
    }

    /** Within a script nothing may look like its end. */
    private static String script(final Map<String, Object> data)
    {
        return Json.write(data).strip().replace("<", "\\u003c");
    }
}
