/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.util.Map;

import org.tutti.launcher.Page;
import org.tutti.tools.report.Json;

/** A page with plots of what was simulated, in one file: nothing is loaded from elsewhere. */
final class SimulatedPage
{
    private static final String TEMPLATE = "simulate.html";

    private SimulatedPage()
    {
    }

    static String of(final Map<String, Object> results, final Map<String, Object> gantt)
    {
        return Page.of(SimulatedPage.class, TEMPLATE,
            Map.of("/*RESULTS*/null", script(results), "/*GANTT*/null", script(gantt)));
    }

    /** Within a script nothing may look like its end. */
    private static String script(final Map<String, Object> data)
    {
        return Json.write(data).strip().replace("<", "\\u003c");
    }
}
