/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.util.Map;

import org.tutti.collectives.comm.Communicators;
import org.tutti.launcher.SettingsCheck;

/** Checks the settings of communicators, so that {@code tutti run} rejects what ranks would reject. */
public final class RankSettings implements SettingsCheck
{
    /** Required by {@link java.util.ServiceLoader}. */
    public RankSettings()
    {
    }

    @Override
    public String problem(final Map<String, String> environment)
    {
        return Communicators.problem(environment);
    }
}
