/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select.model;

import org.tutti.collectives.ConfigurationException;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A file with parameters of a cost model, as {@code tutti calibrate} writes it: properties with the names of
 * {@link CostModel#values()}, {@code version} and, if there are parameters between hosts, the {@code wire} that they
 * were measured on. Parameters that the file lacks are the shipped ones. Immutable.
 *
 * @param name   name of the file, for messages.
 * @param wire   wire of the parameters {@code network.}, or null if there are none.
 * @param values values by name.
 */
public record CostModelFile(String name, WireKind wire, Map<String, Double> values)
{
    /** The environment variable that names the file. */
    public static final String ENVIRONMENT_VARIABLE = "TUTTI_MODEL";

    private static final String VERSION_KEY = "version";
    private static final String VERSION = "1";
    private static final String WIRE_KEY = "wire";
    private static final String NETWORK = "network.";
    private static final String HOST = "host.";
    private static final String FIX = "write one with tutti calibrate";

    /** Copies the values. */
    public CostModelFile
    {
        values = Map.copyOf(values);
    }

    /**
     * Reads a file.
     *
     * @param file file to read.
     * @return parameters in the file.
     * @throws ConfigurationException if the file cannot be read, is of another version, or has an invalid value or
     *                                name.
     */
    public static CostModelFile read(final Path file)
    {
        final Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file))
        {
            properties.load(reader);
        }
        catch (final IOException e)
        {
            throw new ConfigurationException(file + ": " + SettingFile.problem(e) + "; " + FIX, e);
        }
        catch (final IllegalArgumentException e)
        {
            throw new ConfigurationException(
                file + ": is not a file of properties (" + e.getMessage() + "); " + FIX, e);
        }
        final Map<String, String> texts = new LinkedHashMap<>();
        properties.stringPropertyNames().stream().sorted()
            .forEach((key) -> texts.put(key, properties.getProperty(key).strip()));
        return of(file.toString(), texts);
    }

    /**
     * Reads the file of a rank's setting.
     *
     * @param value value of {@link #ENVIRONMENT_VARIABLE}, not blank.
     * @return parameters in the file.
     * @throws ConfigurationException as {@link #read}; the message also names the setting.
     */
    public static CostModelFile ofSetting(final String value)
    {
        final Path file = SettingFile.path(ENVIRONMENT_VARIABLE, value, "tutti calibrate");
        try
        {
            return read(file);
        }
        catch (final ConfigurationException e)
        {
            throw new ConfigurationException(ENVIRONMENT_VARIABLE + "=" + e.getMessage(), e);
        }
    }

    /**
     * Parses properties.
     *
     * @param name  name of the file, for messages.
     * @param texts properties.
     * @return parameters in the properties.
     * @throws ConfigurationException as {@link #read}.
     */
    public static CostModelFile of(final String name, final Map<String, String> texts)
    {
        final Map<String, String> left = new LinkedHashMap<>(texts);
        final String version = left.remove(VERSION_KEY);
        if (!VERSION.equals(version))
        {
            throw new ConfigurationException(name + ": version " + (version == null ? "is missing" : version) +
                ": must be " + VERSION + ": " + FIX + " of this version of Tutti");
        }
        final String wireName = left.remove(WIRE_KEY);
        try
        {
            final WireKind wire = wireName == null ? null : WireKind.named(wireName);
            final Map<String, Double> values = new TreeMap<>();
            left.forEach((key, text) -> values.put(key, number(key, text)));
            CostModel.DEFAULT.with(values);
            if (wire == null && values.keySet().stream().anyMatch((key) -> key.startsWith(NETWORK)))
            {
                throw new IllegalArgumentException(
                    "wire is missing: values of network. need wire=tcp or wire=verbs, which they were measured on");
            }
            if (wire == WireKind.SHM)
            {
                throw new IllegalArgumentException("wire=shm: must be tcp or verbs: values of host. need no wire");
            }
            return new CostModelFile(name, wire, values);
        }
        catch (final IllegalArgumentException e)
        {
            throw new ConfigurationException(name + ": " + e.getMessage(), e);
        }
    }

    private static double number(final String key, final String text)
    {
        final double value;
        try
        {
            value = Double.parseDouble(text);
        }
        catch (final NumberFormatException e)
        {
            throw new IllegalArgumentException(key + "=" + text + ": must be a number", e);
        }
        if (!(value >= 0) || value == Double.POSITIVE_INFINITY)
        {
            throw new IllegalArgumentException(key + "=" + text + ": must be a number from 0");
        }
        return value;
    }

    /**
     * Writes parameters in the form that {@link #read} accepts.
     *
     * @param wire   wire of the parameters {@code network.}, or null if they are not written.
     * @param values values by name.
     * @return lines of a file, with a line end.
     */
    public static String text(final WireKind wire, final Map<String, Double> values)
    {
        return VERSION_KEY + "=" + VERSION + "\n" + (wire == null ? "" : WIRE_KEY + "=" + wire.label() + "\n") +
            values.entrySet().stream().filter((entry) -> wire != null || !entry.getKey().startsWith(NETWORK))
            .map((entry) -> entry.getKey() + "=" + String.format(Locale.ROOT,
            entry.getValue() == Math.rint(entry.getValue()) ? "%.0f" : "%.6g", entry.getValue()))
            .collect(Collectors.joining("\n", "", "\n"));
    }

    /**
     * Summarizes the values, to compare between ranks, which must choose the same algorithms.
     *
     * @return number of values and a hash of them.
     */
    public String summary()
    {
        final String content = (wire == null ? "" : wire.label()) + new TreeMap<>(values);
        return "a model of " + values.size() + (values.size() == 1 ? " value" : " values") +
            (wire == null ? "" : " for " + wire.label()) + " (" + Integer.toHexString(content.hashCode()) + ")";
    }

    /**
     * Throws if the file has parameters for another wire than the ranks use.
     *
     * @param used wire between hosts or, on one host whose ranks do not share memory, within it.
     * @throws ConfigurationException naming the file and both wires.
     */
    public void requireWire(final WireKind used)
    {
        if (wire != null && wire != used)
        {
            throw new ConfigurationException(ENVIRONMENT_VARIABLE + "=" + name + ": is for the wire " + wire.label() +
                ", but ranks use " + used.label() + ": calibrate it with --wire " + used.label() + ", or unset " +
                ENVIRONMENT_VARIABLE);
        }
    }

    /**
     * Returns the cost model for ranks that use some wires: parameters of another wire are the shipped ones.
     *
     * @param file   parameters of the user, or null for the shipped ones.
     * @param within wire within hosts.
     * @param across wire between hosts.
     * @return cost model.
     */
    public static CostModel model(final CostModelFile file, final WireKind within, final WireKind across)
    {
        return model(file, within, across, 0);
    }

    /**
     * Returns the cost model for ranks that use some wires, as {@link #model(CostModelFile, WireKind, WireKind)}.
     *
     * @param file   parameters of the user, or null for the shipped ones.
     * @param within wire within hosts.
     * @param across wire between hosts.
     * @param mbit   nominal rate of the slowest link between hosts in Mbit/s, or 0 if unknown: the time per byte is at
     *               least that of the rate, unless the user gave it.
     * @return cost model.
     */
    public static CostModel model(
        final CostModelFile file, final WireKind within, final WireKind across, final int mbit)
    {
        final CostModel shipped = CostModel.of(within, across).withRate(mbit);
        if (file == null)
        {
            return shipped;
        }
        final Map<String, Double> used = new LinkedHashMap<>(file.values);
        if (within != WireKind.SHM)
        {
            used.keySet().removeIf((key) -> key.startsWith(HOST) && !key.equals("host.cores") &&
                !key.equals("host.yield"));
        }
        if (file.wire == within)
        {
            // Ranks of one host that do not share memory use the wire between hosts.
            file.values.forEach((key, value) ->
            {
                if (key.startsWith(NETWORK))
                {
                    used.put(HOST + key.substring(NETWORK.length()), value);
                }
            });
        }
        if (file.wire != across)
        {
            used.keySet().removeIf((key) -> key.startsWith(NETWORK));
        }
        return shipped.with(used);
    }
}
