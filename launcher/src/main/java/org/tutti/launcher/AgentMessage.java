/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the launcher and the node agents tell each other, by an agent link. Each message is a number for its kind and
 * its fields in order, big-endian; a text is its length in bytes and its bytes in UTF-8, a list its length and texts.
 */
sealed interface AgentMessage
{
    /**
     * To an agent: start a rank.
     *
     * @param rank        its number in the job.
     * @param core        it is kept on, or -1 to leave that to the scheduler.
     * @param isJvm       whether the launcher chose its JVM.
     * @param readsInput  whether it gets the agent's stdin.
     * @param command     what it executes.
     * @param environment added to the agent's own.
     */
    record Start(
        int rank, int core, boolean isJvm, boolean readsInput, List<String> command, Map<String, String> environment)
        implements AgentMessage
    {
    }

    /**
     * To an agent: send a signal to the process group of a rank that still runs.
     *
     * @param rank   that gets it.
     * @param signal its name without SIG.
     */
    record Signal(int rank, String signal) implements AgentMessage
    {
    }

    /**
     * From an agent: a rank's process runs.
     *
     * @param rank its number.
     * @param pid  its process.
     */
    record Started(int rank, long pid) implements AgentMessage
    {
    }

    /**
     * From an agent: a rank could not be started.
     *
     * @param rank  its number.
     * @param cause one line for people.
     */
    record NotStarted(int rank, String cause) implements AgentMessage
    {
    }

    /**
     * From an agent: a rank's process ended.
     *
     * @param rank its number.
     * @param pid  its process.
     * @param code it exited with, 128 + n when signal n ended it.
     */
    record Ended(int rank, long pid, int code) implements AgentMessage
    {
    }

    /**
     * From an agent, some time after the end of a rank that did not exit with 0: what it said last.
     *
     * @param rank  its number.
     * @param lines of its output, oldest first.
     */
    record LastWords(int rank, List<String> lines) implements AgentMessage
    {
    }

    /**
     * From an agent: the output of a rank goes nowhere any more.
     *
     * @param rank  whose output it was.
     * @param cause what it was written to, why that failed and the fix, or empty when nobody reads it any more.
     */
    record OutputLost(int rank, String cause) implements AgentMessage
    {
    }

    int START = 1;
    int SIGNAL = 2;
    int STARTED = 3;
    int NOT_STARTED = 4;
    int ENDED = 5;
    int LAST_WORDS = 6;
    int OUTPUT_LOST = 7;

    /** The number of this message's kind. */
    default int type()
    {
        return switch (this)
        {
            case Start start -> START;
            case Signal signal -> SIGNAL;
            case Started started -> STARTED;
            case NotStarted notStarted -> NOT_STARTED;
            case Ended ended -> ENDED;
            case LastWords words -> LAST_WORDS;
            case OutputLost lost -> OUTPUT_LOST;
        };
    }

    /** The bytes of this message. */
    default byte[] encode()
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes))
        {
            switch (this)
            {
                case Start start -> writeStart(out, start);
                case Signal signal ->
                {
                    out.writeInt(signal.rank);
                    writeText(out, signal.signal);
                }
                case Started started ->
                {
                    out.writeInt(started.rank);
                    out.writeLong(started.pid);
                }
                case NotStarted notStarted ->
                {
                    out.writeInt(notStarted.rank);
                    writeText(out, notStarted.cause);
                }
                case Ended ended ->
                {
                    out.writeInt(ended.rank);
                    out.writeLong(ended.pid);
                    out.writeInt(ended.code);
                }
                case LastWords words ->
                {
                    out.writeInt(words.rank);
                    writeTexts(out, words.lines);
                }
                case OutputLost lost ->
                {
                    out.writeInt(lost.rank);
                    writeText(out, lost.cause);
                }
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        return bytes.toByteArray();
    }

    /**
     * Reads a message.
     *
     * @param type    its kind's number.
     * @param payload its bytes.
     * @throws IllegalArgumentException if it is none of ours: launcher and agent are of different versions.
     */
    static AgentMessage decode(final int type, final byte[] payload)
    {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(payload)))
        {
            return switch (type)
            {
                case START -> new Start(
                    in.readInt(), in.readInt(), in.readBoolean(), in.readBoolean(), readTexts(in), readMap(in));
                case SIGNAL -> new Signal(in.readInt(), readText(in));
                case STARTED -> new Started(in.readInt(), in.readLong());
                case NOT_STARTED -> new NotStarted(in.readInt(), readText(in));
                case ENDED -> new Ended(in.readInt(), in.readLong(), in.readInt());
                case LAST_WORDS -> new LastWords(in.readInt(), readTexts(in));
                case OUTPUT_LOST -> new OutputLost(in.readInt(), readText(in));
                default -> throw new IllegalArgumentException("unknown agent message: type=" + type);
            };
        }
        catch (final IOException ex)
        {
            throw new IllegalArgumentException("bad agent message: type=" + type + " length=" + payload.length, ex);
        }
    }

    private static void writeStart(final DataOutputStream out, final Start start) throws IOException
    {
        out.writeInt(start.rank);
        out.writeInt(start.core);
        out.writeBoolean(start.isJvm);
        out.writeBoolean(start.readsInput);
        writeTexts(out, start.command);
        out.writeInt(start.environment.size());
        for (final Map.Entry<String, String> variable : start.environment.entrySet())
        {
            writeText(out, variable.getKey());
            writeText(out, variable.getValue());
        }
    }

    private static void writeText(final DataOutputStream out, final String text) throws IOException
    {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static void writeTexts(final DataOutputStream out, final List<String> texts) throws IOException
    {
        out.writeInt(texts.size());
        for (final String text : texts)
        {
            writeText(out, text);
        }
    }

    private static String readText(final DataInputStream in) throws IOException
    {
        final int length = in.readInt();
        if (length < 0 || length > in.available())
        {
            throw new IOException("a text of " + length + " bytes where " + in.available() + " are left");
        }
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    private static List<String> readTexts(final DataInputStream in) throws IOException
    {
        final List<String> texts = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--)
        {
            texts.add(readText(in));
        }
        return texts;
    }

    private static Map<String, String> readMap(final DataInputStream in) throws IOException
    {
        final Map<String, String> map = new LinkedHashMap<>();
        for (int left = in.readInt(); left > 0; left--)
        {
            map.put(readText(in), readText(in));
        }
        return map;
    }
}
