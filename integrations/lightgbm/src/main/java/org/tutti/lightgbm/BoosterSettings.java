/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import io.github.metarank.lightgbm4j.LGBMBooster;
import io.github.metarank.lightgbm4j.LGBMException;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What must be equal on all ranks where a booster was created: features, their bins as far as a model describes them,
 * the objective and all parameters in effect, even those that were not passed to {@link LightGbmNetwork#parameters}.
 * Bins differ if datasets were created while the ranks had no network.
 */
final class BoosterSettings
{
    /** What to do if parameters differ. */
    static final String FIX = "pass the same parameters on all ranks";
    /** Lists of features, separated by spaces. */
    private static final List<String> LISTS = List.of("feature_names", "feature_infos", "monotone_constraints");
    private static final String TREES = "tree_sizes";
    private static final String SEPARATOR = ": ";

    private BoosterSettings()
    {
    }

    /**
     * Returns if the booster has the same settings on all ranks. Collective.
     *
     * @param booster    this rank's booster.
     * @param comparison comparison with the other ranks.
     * @throws LightGbmException on all ranks, if they differ.
     */
    static void requireEqual(final LGBMBooster booster, final SettingsComparison comparison)
    {
        final Map<String, String> settings;
        try
        {
            // After the last iteration, there is no tree to write.
            settings = parse(booster.saveModelToString(Integer.MAX_VALUE, -1, LGBMBooster.FeatureImportanceType.SPLIT));
        }
        catch (final LGBMException ex)
        {
            throw new IllegalStateException("LightGBM cannot describe a booster: " + ex.getMessage(), ex);
        }
        comparison.requireEqual(settings, "boosters", FIX + ", and create their datasets while the network is open");
    }

    /**
     * Reads the settings in a model.
     *
     * @param model text of a model.
     * @return values by name, in the model's order.
     */
    static Map<String, String> parse(final String model)
    {
        final Map<String, String> settings = new LinkedHashMap<>();
        final Iterator<String> lines = model.lines().iterator();
        boolean isHeader = true;
        while (lines.hasNext())
        {
            final String line = lines.next();
            isHeader &= !line.startsWith(TREES);
            if (isHeader)
            {
                putHeader(settings, line);
            }
            else
            {
                putParameter(settings, line);
            }
        }
        return settings;
    }

    private static void putHeader(final Map<String, String> settings, final String line)
    {
        final int equals = line.indexOf('=');
        if (equals < 0)
        {
            return;
        }
        final String name = line.substring(0, equals);
        final String value = line.substring(equals + 1);
        if (!LISTS.contains(name))
        {
            settings.put(name, value);
            return;
        }
        final String[] words = value.split(" ", -1);
        for (int i = 0; i < words.length; i++)
        {
            settings.put(name + "[" + i + "]", words[i]);
        }
    }

    /** Puts a line such as {@code [learning_rate: 0.1]}. */
    private static void putParameter(final Map<String, String> settings, final String line)
    {
        final int separator = line.indexOf(SEPARATOR);
        if (line.startsWith("[") && line.endsWith("]") && separator > 0)
        {
            final String name = line.substring(1, separator);
            if (!NetworkParameters.isLocal(name))
            {
                settings.put(name, line.substring(separator + SEPARATOR.length(), line.length() - 1));
            }
        }
    }
}
