/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.tutti.rdma.tcp.wire.Fpdu;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Options of the connections of a {@link TcpProvider}. A property takes precedence over a variable; a blank setting
 * stands for the default. The two sides of a connection may have different options.
 *
 * @param crc               {@code tutti.tcp.crc}, {@code TUTTI_TCP_CRC}: whether this side wants a CRC in each frame;
 *                          frames have one if either side wants it. Default 1.
 * @param congestionControl {@code tutti.tcp.congestion.control}, {@code TUTTI_TCP_CONGESTION_CONTROL}: name of the
 *                          congestion control of the data that this side sends; empty, the default, for the kernel's,
 *                          and on loopback for {@value #ON_LOOPBACK} if the kernel permits it.
 * @param sendBuffer        {@code tutti.tcp.send.buffer}, {@code TUTTI_TCP_SEND_BUFFER}: size of a socket's send buffer
 *                          in bytes, from 4 KiB to 512 MiB; 0, the default, if the kernel adapts it.
 * @param receiveBuffer     {@code tutti.tcp.receive.buffer}, {@code TUTTI_TCP_RECEIVE_BUFFER}: as {@code sendBuffer},
 *                          for received data.
 * @param maxPayload        {@code tutti.tcp.max.payload}, {@code TUTTI_TCP_MAX_PAYLOAD}: maximum payload of the frames
 *                          that this side sends, in bytes, a multiple of 16 from 512 to 65,504, the default.
 * @param busyPollUs        {@code tutti.tcp.busy.poll}, {@code TUTTI_TCP_BUSY_POLL}: time for which a call on an empty
 *                          socket polls the network interface, in microseconds, from 0, the default, to 10,000.
 */
public record TcpOptions(
    boolean crc, String congestionControl, int sendBuffer, int receiveBuffer, int maxPayload, int busyPollUs)
{
    /** The options of which none is set. */
    public static final TcpOptions DEFAULT = of(Map.of());

    /** Nothing is lost on loopback: pacing, as by {@code bbr}, would only delay data. */
    static final String ON_LOOPBACK = "cubic";

    /** Checks the payload, on which the layout of frames depends. */
    public TcpOptions
    {
        if (!TcpSetting.isPayload(maxPayload))
        {
            throw new IllegalArgumentException("maxPayload is " + maxPayload + ": must be " + TcpSetting.PAYLOADS);
        }
    }

    /**
     * Reads the options from settings.
     *
     * @param settings settings: variables and properties by their names.
     * @return the options.
     * @throws IllegalArgumentException if a setting is invalid, or has the prefix of these settings but not the name of
     *                                  one; the message names it, its value and the permitted values.
     */
    public static TcpOptions of(final Map<String, String> settings)
    {
        TcpSetting.checkNames(settings);
        return new TcpOptions(
            TcpSetting.of(settings, TcpSetting.CRC, "1").flag(),
            TcpSetting.of(settings, TcpSetting.CONGESTION_CONTROL, "").congestionControl(),
            TcpSetting.of(settings, TcpSetting.SEND_BUFFER, "0").bufferSize(),
            TcpSetting.of(settings, TcpSetting.RECEIVE_BUFFER, "0").bufferSize(),
            TcpSetting.of(settings, TcpSetting.MAX_PAYLOAD, Integer.toString(Fpdu.MAX_PAYLOAD)).payload(),
            TcpSetting.of(settings, TcpSetting.BUSY_POLL, "0").microseconds());
    }

    /** Reads the options from the system properties. */
    static TcpOptions ofProperties()
    {
        return of(System.getProperties().stringPropertyNames().stream()
            .collect(Collectors.toMap(name -> name, name -> System.getProperty(name, ""))));
    }

    /**
     * Checks on a socket that the kernel permits these options to this process.
     *
     * @throws IllegalArgumentException if it does not; the message names the setting, its value, the limit and the fix.
     */
    public void requirePermitted()
    {
        final String problem = KernelOptions.problem(this);
        if (problem != null)
        {
            throw new IllegalArgumentException(problem);
        }
    }

    /** The options for connections over a loopback interface. */
    TcpOptions onLoopback()
    {
        if (!congestionControl.isEmpty())
        {
            return this;
        }
        final TcpOptions other = new TcpOptions(crc, ON_LOOPBACK, sendBuffer, receiveBuffer, maxPayload, busyPollUs);
        return KernelOptions.problem(other) == null ? other : this;
    }

    /**
     * Describes the options in effect.
     *
     * @return values by the names of the variables, in lower case and without the first part; congestion control is
     *         that of new sockets if none is set.
     */
    Map<String, Object> inEffect()
    {
        final Map<String, Object> values = new LinkedHashMap<>();
        values.put("tcp_crc", crc ? 1 : 0);
        values.put("tcp_congestion_control",
            congestionControl.isEmpty() ? KernelOptions.congestionControl() : congestionControl);
        values.put("tcp_send_buffer", sendBuffer);
        values.put("tcp_receive_buffer", receiveBuffer);
        values.put("tcp_max_payload", maxPayload);
        values.put("tcp_busy_poll", busyPollUs);
        return values;
    }
}
