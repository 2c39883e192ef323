/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.util.Map;

/** Checks the settings in the environment of ranks; found by {@link java.util.ServiceLoader}. */
public interface SettingsCheck
{
    /**
     * Checks settings before any rank is started.
     *
     * @param environment the variables of the ranks by name.
     * @return the error in one line, with the variable and its value; null if the settings are valid.
     */
    String problem(Map<String, String> environment);
}
