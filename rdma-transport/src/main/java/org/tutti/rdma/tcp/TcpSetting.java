/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.tutti.rdma.os.SocketCalls;
import org.tutti.rdma.tcp.wire.Fpdu;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A setting of {@link TcpOptions}: the property, else the environment variable, else the default. A blank value counts
 * as not set.
 *
 * @param source name of the property or variable.
 * @param text   value.
 */
record TcpSetting(String source, String text)
{
    static final String CRC = "TUTTI_TCP_CRC";
    static final String CONGESTION_CONTROL = "TUTTI_TCP_CONGESTION_CONTROL";
    static final String SEND_BUFFER = "TUTTI_TCP_SEND_BUFFER";
    static final String RECEIVE_BUFFER = "TUTTI_TCP_RECEIVE_BUFFER";
    static final String MAX_PAYLOAD = "TUTTI_TCP_MAX_PAYLOAD";
    static final String BUSY_POLL = "TUTTI_TCP_BUSY_POLL";

    private static final int MIN_PAYLOAD = 512;
    /** The permitted payloads, for messages. */
    static final String PAYLOADS =
        "a multiple of " + Fpdu.PAYLOAD_UNIT + " from " + MIN_PAYLOAD + " to " + Fpdu.MAX_PAYLOAD;

    private static final String PROPERTY_PREFIX = "tutti.tcp.";
    private static final String VARIABLE_PREFIX = PROPERTY_PREFIX.toUpperCase(Locale.ROOT).replace('.', '_');
    private static final List<String> VARIABLES =
        List.of(CRC, CONGESTION_CONTROL, SEND_BUFFER, RECEIVE_BUFFER, MAX_PAYLOAD, BUSY_POLL);
    private static final List<String> PROPERTIES = VARIABLES.stream().map(TcpSetting::property).toList();
    private static final int MIN_BUFFER = 4 << 10;
    /** The kernel doubles the size, in an int. */
    private static final int MAX_BUFFER = 512 << 20;
    private static final int MAX_BUSY_POLL_US = 10_000;

    /** Refuses names that only look like settings, such as misspelled ones. */
    static void checkNames(final Map<String, String> settings)
    {
        settings.forEach((name, value) ->
        {
            final List<String> names = name.startsWith(VARIABLE_PREFIX) ? VARIABLES : PROPERTIES;
            if ((name.startsWith(VARIABLE_PREFIX) || name.startsWith(PROPERTY_PREFIX)) && !names.contains(name) &&
                !name.equals(TcpProvider.SECRET_PROP_NAME) && !value.isBlank())
            {
                throw new IllegalArgumentException(name + " is not a setting: must be one of " + names);
            }
        });
    }

    static boolean isPayload(final long length)
    {
        return length >= MIN_PAYLOAD && length <= Fpdu.MAX_PAYLOAD && length % Fpdu.PAYLOAD_UNIT == 0;
    }

    private static String property(final String variable)
    {
        return variable.toLowerCase(Locale.ROOT).replace('_', '.');
    }

    static TcpSetting of(final Map<String, String> settings, final String variable, final String defaultValue)
    {
        final String property = property(variable);
        final String source = settings.getOrDefault(property, "").isBlank() ? variable : property;
        final String value = settings.getOrDefault(source, "").strip();
        return new TcpSetting(source, value.isEmpty() ? defaultValue : value);
    }

    boolean flag()
    {
        return switch (text.toLowerCase(Locale.ROOT))
        {
            case "1", "true", "yes", "on" -> true;
            case "0", "false", "no", "off" -> false;
            default -> throw wrong("neither 1 nor 0");
        };
    }

    String congestionControl()
    {
        if (!text.matches("[a-zA-Z0-9_-]{0," + SocketCalls.MAX_CONGESTION_CONTROL + "}"))
        {
            throw wrong("not the name of a congestion control: give one of those in " + KernelOptions.available());
        }
        return text;
    }

    int bufferSize()
    {
        final long bytes = size();
        if (bytes != 0 && (bytes < MIN_BUFFER || bytes > MAX_BUFFER))
        {
            throw wrong("not a size from 4K to 512M: give a number and a unit (K, M), such as 4M, or 0 for a size " +
                "that the kernel adapts");
        }
        return (int)bytes;
    }

    int payload()
    {
        final long bytes = size();
        if (!isPayload(bytes))
        {
            throw wrong("not " + PAYLOADS + ", in bytes");
        }
        return (int)bytes;
    }

    int microseconds()
    {
        final int number = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : -1;
        if (number < 0 || number > MAX_BUSY_POLL_US)
        {
            throw wrong("not a number of microseconds from 0 to " + MAX_BUSY_POLL_US);
        }
        return number;
    }

    /** The value in bytes, or -1 if it is not a size. */
    private long size()
    {
        if (!text.matches("[0-9]{1,9}[KkMm]?"))
        {
            return -1;
        }
        final char unit = Character.toUpperCase(text.charAt(text.length() - 1));
        final int shift = unit == 'K' ? 10 : unit == 'M' ? 20 : 0;
        return Long.parseLong(text.substring(0, text.length() - (shift == 0 ? 0 : 1))) << shift;
    }

    private IllegalArgumentException wrong(final String problem)
    {
        return new IllegalArgumentException(source + "='" + text + "' is " + problem);
    }
}
