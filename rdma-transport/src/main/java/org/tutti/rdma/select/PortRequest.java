/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The port and GID that the user requests. A property takes precedence over a variable; a blank setting requests
 * nothing.
 *
 * @param names    {@code tutti.device}, {@code TUTTI_DEVICE}: a list of {@code device} or {@code device:port}, or of
 *                 network interfaces: their names, addresses or networks; empty for any.
 * @param port     {@code tutti.port}, {@code TUTTI_PORT}: port of the devices that are named without one; 0 for any.
 * @param gidIndex {@code tutti.gid.index}, {@code TUTTI_GID_INDEX}: entry of the port's GID table; -1 for the best one.
 * @param isTcp    whether the names can only be network interfaces, for transport {@code tcp}: one is an address or a
 *                 network, or begins with {@code tcp:}.
 * @param sources  origins of the three settings, for error messages, such as {@code TUTTI_PORT='1'}.
 */
public record PortRequest(List<PortName> names, int port, int gidIndex, boolean isTcp, Sources sources)
{
    /** Requests nothing, whatever the settings of this process. */
    public static final PortRequest ANY =
        of(PortSetting.none("TUTTI_DEVICE"), PortSetting.none("TUTTI_PORT"), PortSetting.none("TUTTI_GID_INDEX"));

    private static final String TCP_PREFIX = TransportNames.TCP + ":";
    private static final int MAX_PORT = 255;
    private static final int MAX_GID_INDEX = 65535;

    /**
     * The origins of the settings of a request.
     *
     * @param device   setting of the devices.
     * @param port     setting of the port.
     * @param gidIndex setting of the GID index.
     */
    public record Sources(String device, String port, String gidIndex)
    {
    }

    /** Keeps a copy of the list. */
    public PortRequest
    {
        names = List.copyOf(names);
    }

    /**
     * Reads the request from settings.
     *
     * @param environment settings: variables and properties by their names.
     * @return the request.
     * @throws IllegalArgumentException if a setting is invalid; the message names it, its value and the permitted
     *                                  values.
     */
    public static PortRequest of(final Map<String, String> environment)
    {
        return of(
            PortSetting.of(environment, "tutti.device", "TUTTI_DEVICE"),
            PortSetting.of(environment, "tutti.port", "TUTTI_PORT"),
            PortSetting.of(environment, "tutti.gid.index", "TUTTI_GID_INDEX"));
    }

    /**
     * Parses a request as if the environment variables had these values.
     *
     * @param device   value of {@code TUTTI_DEVICE}.
     * @param port     value of {@code TUTTI_PORT}.
     * @param gidIndex value of {@code TUTTI_GID_INDEX}.
     * @return the request.
     * @throws IllegalArgumentException as {@link #of(Map)}.
     */
    public static PortRequest of(final String device, final String port, final String gidIndex)
    {
        return of(Map.of("TUTTI_DEVICE", device, "TUTTI_PORT", port, "TUTTI_GID_INDEX", gidIndex));
    }

    private static PortRequest of(final PortSetting device, final PortSetting port, final PortSetting gidIndex)
    {
        final List<String> words = device.text().isEmpty() ? List.of() :
            List.of(device.text().split(",", -1)).stream().map(String::strip).toList();
        final boolean isTcp = words.stream().anyMatch(PortRequest::isInterface);
        return new PortRequest(isTcp ? interfaces(device, words) : names(device, words),
            port.number(1, MAX_PORT, 0), gidIndex.number(0, MAX_GID_INDEX, -1), isTcp,
            new Sources(device.toString(), port.toString(), gidIndex.toString()));
    }

    private static boolean isInterface(final String word)
    {
        return word.startsWith(TCP_PREFIX) || InterfacePattern.isAddress(word);
    }

    private static List<PortName> interfaces(final PortSetting setting, final List<String> words)
    {
        final List<PortName> names = new ArrayList<>();
        for (final String word : words)
        {
            final String text = word.startsWith(TCP_PREFIX) ? word.substring(TCP_PREFIX.length()) : word;
            try
            {
                names.add(new PortName(InterfacePattern.of(text).text(), 0));
            }
            catch (final IllegalArgumentException e)
            {
                throw setting.wrong("not a list of network interfaces: " + e.getMessage());
            }
        }
        return names.stream().distinct().toList();
    }

    private static List<PortName> names(final PortSetting setting, final List<String> words)
    {
        final List<PortName> names = new ArrayList<>();
        for (final String word : words)
        {
            final String[] parts = word.split(":", -1);
            if (parts[0].isEmpty() || parts.length > 2)
            {
                throw setting.wrong("not a list of devices: give names, such as mlx5_0, with ports, " +
                    "such as mlx5_0:1, or several, such as mlx5_0:1,mlx5_1:1");
            }
            final PortName name = new PortName(parts[0], parts.length == 1 ? 0 :
                new PortSetting(setting.name(), setting.text(), parts[1]).number(1, MAX_PORT, -1));
            if (!names.contains(name))
            {
                names.add(name);
            }
        }
        return names;
    }

    /** The names, with the requested port for those that name no port. */
    List<PortName> ports()
    {
        return names.stream().map(name -> name.port() == 0 ? new PortName(name.device(), port) : name).toList();
    }

    /** A setting: its name, its whole value, and the part of the value to parse. */
    private record PortSetting(String name, String whole, String text)
    {
        static PortSetting of(final Map<String, String> environment, final String property, final String variable)
        {
            final String ofProperty = environment.getOrDefault(property, "").strip();
            final String ofVariable = environment.getOrDefault(variable, "").strip();
            return ofProperty.isEmpty() ?
                new PortSetting(variable, ofVariable, ofVariable) : new PortSetting(property, ofProperty, ofProperty);
        }

        static PortSetting none(final String variable)
        {
            return new PortSetting(variable, "", "");
        }

        int number(final int min, final int max, final int defaultValue)
        {
            if (text.isEmpty() && whole.isEmpty())
            {
                return defaultValue;
            }
            final int number = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : -1;
            if (number < min || number > max)
            {
                final String what = text.equals(whole) ? "" : "not a list of devices: port '" + text + "' is ";
                throw wrong(what + "not a number from " + min + " to " + max + "; list devices with: tutti devices");
            }
            return number;
        }

        IllegalArgumentException wrong(final String problem)
        {
            return new IllegalArgumentException(this + " is " + problem);
        }

        @Override
        public String toString()
        {
            return name + "='" + whole + "'";
        }
    }
}
