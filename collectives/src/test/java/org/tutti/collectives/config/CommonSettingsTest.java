/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.config;

import org.junit.jupiter.api.Test;

import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CommonSettingsTest
{
    @Test
    void shouldNameVersionsOfBothRanksBeforeSettings()
    {
        final String own = CommonSettings.of(EngineConfiguration.of(Map.of()));
        final String version = own.lines().findFirst().orElseThrow().replace("VERSION=", "");
        final String other = own.replaceFirst("=.*", "=9.8.7").replace("TUTTI_DIRECT=1", "TUTTI_OTHER=1");

        assertTrue(version.matches("[0-9].*"), version);
        assertEquals("versions of Tutti differ: rank 1 has 9.8.7, rank 0 has " + version +
            ": use one version on all ranks", CommonSettings.difference(own, "rank 0", other, "rank 1"));
        assertNull(CommonSettings.difference(own, "rank 0", own, "rank 1"));
    }
}
