/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.config;

import org.junit.jupiter.api.Test;

import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

class CommonSettingsTest
{
    @Test
    void shouldNameVersionsOfBothRanksBeforeSettings()
    {
        final String own = CommonSettings.of(EngineConfiguration.of(Map.of()));
        final String other = own.replaceFirst("=.*", "=0.2.0").replace("TUTTI_DIRECT=1", "TUTTI_OTHER=1");

        assertEquals("versions of Tutti differ: rank 1 has 0.2.0, rank 0 has unpackaged: use one version on all ranks",
            CommonSettings.difference(own, "rank 0", other, "rank 1"));
        assertNull(CommonSettings.difference(own, "rank 0", own, "rank 1"));
    }
}
