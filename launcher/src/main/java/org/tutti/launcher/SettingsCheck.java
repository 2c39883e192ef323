/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.util.Map;

/** Knows the settings that ranks find in their environment; found by {@link java.util.ServiceLoader}. */
public interface SettingsCheck
{
    /**
     * Checks settings before any rank is started.
     *
     * @param environment of the ranks to be, by name.
     * @return what is wrong, in one line that names the variable and its value; null if nothing is.
     */
    String problem(Map<String, String> environment);
}
