/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.util.regex.Pattern;

/**
 * A host and a port, such as {@code node0:29500} or {@code [fd00::1]:29500}: an IPv6 address before a port is in
 * brackets, so that its last group is not taken for the port.
 *
 * @param host the name or address of the host, without brackets; may be empty.
 * @param port the port, {@link #NONE} or {@link #INVALID}.
 */
public record HostPort(String host, int port)
{
    /** The port of a text that has none. */
    public static final int NONE = -1;
    /** The port of a text whose port is not a number from 0 to 65535. */
    public static final int INVALID = -2;

    private static final int MAX_PORT = 65535;
    private static final Pattern LOOPBACK = Pattern.compile("127(\\.\\d{1,3}){3}");

    /**
     * Parses a text that users or other processes give. Does not resolve names.
     *
     * @param text a host, with or without a port.
     * @return the host and the port; the caller checks whether both are given and valid.
     */
    public static HostPort parse(final String text)
    {
        final int colon = text.lastIndexOf(':');
        final boolean hasPort =
            colon >= 0 && (text.indexOf(':') == colon || (colon > 0 && text.charAt(colon - 1) == ']'));
        return hasPort ? new HostPort(plain(text.substring(0, colon)), port(text.substring(colon + 1))) :
            new HostPort(plain(text), NONE);
    }

    private static String plain(final String host)
    {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    private static int port(final String text)
    {
        final int port = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : INVALID;
        return port > MAX_PORT ? INVALID : port;
    }

    /**
     * Returns whether both parts are given.
     *
     * @return true if the host is not empty, and the port is 1 to 65535.
     */
    public boolean isComplete()
    {
        return !host.isEmpty() && port > 0;
    }

    /**
     * Returns whether the host is a loopback address, by the text only.
     *
     * @return true for {@code localhost}, {@code ::1} and {@code 127.x.x.x}.
     */
    public boolean isLoopback()
    {
        return "localhost".equals(host) || "::1".equals(host) || LOOPBACK.matcher(host).matches();
    }

    /**
     * Returns a copy with another port.
     *
     * @param newPort the port.
     * @return the copy.
     */
    public HostPort withPort(final int newPort)
    {
        return new HostPort(host, newPort);
    }

    /** Returns the text that {@link #parse} accepts. */
    @Override
    public String toString()
    {
        final String name = host.indexOf(':') < 0 ? host : "[" + host + "]";
        return port < 0 ? name : name + ":" + port;
    }
}
