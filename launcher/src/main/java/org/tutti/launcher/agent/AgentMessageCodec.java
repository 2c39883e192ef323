/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

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

import org.tutti.bootstrap.ProcessState;
import org.tutti.launcher.host.Binding;
import org.tutti.launcher.rank.ProgramSpec;

/**
 * Encodes and decodes {@link AgentMessage}s. A message is encoded as its type number and its fields in order,
 * big-endian; a text as its length in bytes and its UTF-8 bytes, a list as its length and its texts. Changes of the
 * encoding must increment {@link StreamLink#VERSION}.
 */
final class AgentMessageCodec
{
    private static final int START = 1;
    private static final int SIGNAL = 2;
    private static final int STARTED = 3;
    private static final int NOT_STARTED = 4;
    private static final int ENDED = 5;
    private static final int LAST_OUTPUT = 6;
    private static final int OUTPUT_LOST = 7;
    private static final int HELLO = 8;
    private static final int READY = 9;
    private static final int REFUSED = 10;
    private static final int OUTPUT = 11;
    private static final int OUTPUT_PASSED = 12;
    private static final int INPUT = 13;
    private static final int INPUT_PASSED = 14;
    private static final int FINISH = 15;
    private static final int FINISHED = 16;
    private static final int NOTICE = 17;
    private static final int WATCH = 18;
    private static final int STATE = 19;
    private static final int BOUND = 20;

    private AgentMessageCodec()
    {
    }

    /** Returns the type number of a message. */
    static int type(final AgentMessage message)
    {
        return switch (message)
        {
            case AgentMessage.Start start -> START;
            case AgentMessage.Signal signal -> SIGNAL;
            case AgentMessage.Started started -> STARTED;
            case AgentMessage.NotStarted notStarted -> NOT_STARTED;
            case AgentMessage.Ended ended -> ENDED;
            case AgentMessage.LastOutput last -> LAST_OUTPUT;
            case AgentMessage.OutputLost lost -> OUTPUT_LOST;
            case AgentMessage.Hello hello -> HELLO;
            case AgentMessage.Ready ready -> READY;
            case AgentMessage.Refused refused -> REFUSED;
            case AgentMessage.Output output -> OUTPUT;
            case AgentMessage.OutputPassed passed -> OUTPUT_PASSED;
            case AgentMessage.Input input -> INPUT;
            case AgentMessage.InputPassed passed -> INPUT_PASSED;
            case AgentMessage.Finish finish -> FINISH;
            case AgentMessage.Finished finished -> FINISHED;
            case AgentMessage.Notice notice -> NOTICE;
            case AgentMessage.Watch watch -> WATCH;
            case AgentMessage.State state -> STATE;
            case AgentMessage.Bound bound -> BOUND;
        };
    }

    /** Encodes the fields of a message. */
    static byte[] encode(final AgentMessage message)
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes))
        {
            write(out, message);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        return bytes.toByteArray();
    }

    private static void write(final DataOutputStream out, final AgentMessage message) throws IOException
    {
        switch (message)
        {
            case AgentMessage.Hello hello ->
            {
                writeText(out, hello.jobId());
                out.writeInt(hello.agent());
                out.writeInt(hello.ranks());
                writeText(out, hello.directory());
                out.writeLong(hello.heartbeatTimeoutNs());
                out.writeBoolean(hello.isRestartable());
            }
            case AgentMessage.Start start -> writeStart(out, start);
            case AgentMessage.Signal signal -> writeNumbered(out, signal.rank(), signal.signal());
            case AgentMessage.Started started ->
            {
                out.writeInt(started.rank());
                out.writeLong(started.pid());
            }
            case AgentMessage.Watch watch ->
            {
                out.writeInt(watch.rank());
                out.writeLong(watch.pid());
            }
            case AgentMessage.State state ->
            {
                out.writeInt(state.rank());
                out.writeLong(state.pid());
                writeText(out, state.state().name());
            }
            case AgentMessage.Bound bound -> writeNumbered(out, bound.rank(), bound.cpus());
            case AgentMessage.NotStarted notStarted -> writeNumbered(out, notStarted.rank(), notStarted.cause());
            case AgentMessage.Ended ended ->
            {
                out.writeInt(ended.rank());
                out.writeLong(ended.pid());
                out.writeInt(ended.code());
            }
            case AgentMessage.LastOutput last ->
            {
                out.writeInt(last.rank());
                writeTexts(out, last.lines());
            }
            case AgentMessage.OutputLost lost -> writeNumbered(out, lost.rank(), lost.cause());
            case AgentMessage.Ready ready ->
            {
                writeText(out, ready.build());
                writeText(out, ready.directory());
                out.writeInt(ready.cores());
                out.writeInt(ready.heapPercent());
                out.writeInt(ready.port());
                writeTexts(out, List.of(ready.client(), ready.server(), ready.warning()));
            }
            case AgentMessage.Refused refused -> writeText(out, refused.cause());
            case AgentMessage.Output output ->
            {
                out.writeInt(output.rank());
                out.writeBoolean(output.isError());
                out.write(output.bytes());
            }
            case AgentMessage.OutputPassed passed -> out.writeInt(passed.length());
            case AgentMessage.Input input -> out.write(input.bytes());
            case AgentMessage.InputPassed passed -> out.writeInt(passed.length());
            case AgentMessage.Finish finish ->
            {
                out.writeInt(finish.code());
                out.writeBoolean(finish.isRestarted());
            }
            case AgentMessage.Finished finished -> out.flush();
            case AgentMessage.Notice notice -> writeText(out, notice.text());
        }
    }

    /**
     * Decodes a message.
     *
     * @param type    the type number of the message.
     * @param payload the encoded fields.
     * @throws IllegalArgumentException if the fields are not a valid message: launcher and agent differ in version.
     */
    static AgentMessage decode(final int type, final byte[] payload)
    {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(payload)))
        {
            return switch (type)
            {
                case START -> readStart(in);
                case SIGNAL -> new AgentMessage.Signal(in.readInt(), readText(in));
                case STARTED -> new AgentMessage.Started(in.readInt(), in.readLong());
                case BOUND -> new AgentMessage.Bound(in.readInt(), readText(in));
                case NOT_STARTED -> new AgentMessage.NotStarted(in.readInt(), readText(in));
                case ENDED -> new AgentMessage.Ended(in.readInt(), in.readLong(), in.readInt());
                case LAST_OUTPUT -> new AgentMessage.LastOutput(in.readInt(), readTexts(in));
                case OUTPUT_LOST -> new AgentMessage.OutputLost(in.readInt(), readText(in));
                case HELLO -> new AgentMessage.Hello(
                    readText(in), in.readInt(), in.readInt(), readText(in), in.readLong(), in.readBoolean());
                case READY -> readReady(in);
                case REFUSED -> new AgentMessage.Refused(readText(in));
                case OUTPUT -> new AgentMessage.Output(in.readInt(), in.readBoolean(), in.readAllBytes());
                case OUTPUT_PASSED -> new AgentMessage.OutputPassed(in.readInt());
                case INPUT -> new AgentMessage.Input(in.readAllBytes());
                case INPUT_PASSED -> new AgentMessage.InputPassed(in.readInt());
                case FINISH -> new AgentMessage.Finish(in.readInt(), in.readBoolean());
                case FINISHED -> new AgentMessage.Finished();
                case NOTICE -> new AgentMessage.Notice(readText(in));
                case WATCH -> new AgentMessage.Watch(in.readInt(), in.readLong());
                case STATE ->
                    new AgentMessage.State(in.readInt(), in.readLong(), ProcessState.valueOf(readText(in)));
                default -> throw new IllegalArgumentException("unknown agent message: type=" + type);
            };
        }
        catch (final IOException | IndexOutOfBoundsException ex)
        {
            throw new IllegalArgumentException("invalid agent message: type=" + type + " length=" + payload.length, ex);
        }
    }

    private static void writeStart(final DataOutputStream out, final AgentMessage.Start start) throws IOException
    {
        out.writeInt(start.rank());
        out.writeInt(start.localRank());
        writeText(out, start.binding().unit().name());
        out.writeBoolean(start.binding().isReported());
        out.writeBoolean(start.readsInput());
        out.writeByte(start.program().kind().ordinal());
        writeText(out, start.program().classPath());
        writeTexts(out, start.program().jvmArgs());
        writeTexts(out, start.program().words());
        out.writeInt(start.environment().size());
        for (final Map.Entry<String, String> variable : start.environment().entrySet())
        {
            writeText(out, variable.getKey());
            writeText(out, variable.getValue());
        }
    }

    private static AgentMessage.Start readStart(final DataInputStream in) throws IOException
    {
        return new AgentMessage.Start(in.readInt(), in.readInt(),
            new Binding(Binding.Unit.valueOf(readText(in)), in.readBoolean()), in.readBoolean(),
            new ProgramSpec(ProgramSpec.Kind.values()[in.readByte()], readText(in), readTexts(in), readTexts(in)),
            readMap(in));
    }

    private static AgentMessage.Ready readReady(final DataInputStream in) throws IOException
    {
        final String build = readText(in);
        final String directory = readText(in);
        final int cores = in.readInt();
        final int heapPercent = in.readInt();
        final int port = in.readInt();
        final List<String> texts = readTexts(in);
        return new AgentMessage.Ready(
            build, directory, cores, heapPercent, port, texts.get(0), texts.get(1), texts.get(2));
    }

    private static void writeNumbered(final DataOutputStream out, final int number, final String text)
        throws IOException
    {
        out.writeInt(number);
        writeText(out, text);
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
            throw new IOException("text length exceeds the remaining bytes: " + length + " > " + in.available());
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
