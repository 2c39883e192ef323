/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON (RFC 8259) that a program of ours wrote: objects become maps in the order of the text, arrays lists,
 * numbers {@link Double}, and null null. Not for what strangers send: nothing limits how deep it may nest.
 */
public final class JsonReader
{
    private final String text;
    private int at;

    private JsonReader(final String text)
    {
        this.text = text;
    }

    /**
     * Reads a text.
     *
     * @param text one value.
     * @return the value.
     * @throws IllegalArgumentException if it is not JSON; the message says where.
     */
    public static Object read(final String text)
    {
        final JsonReader reader = new JsonReader(text);
        final Object value = reader.value();
        reader.skipBlanks();
        if (reader.at < text.length())
        {
            throw reader.wrong("the end");
        }
        return value;
    }

    private Object value()
    {
        skipBlanks();
        return switch (at < text.length() ? text.charAt(at) : '\0')
        {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> object()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        at++;
        if (next('}'))
        {
            return map;
        }
        do
        {
            skipBlanks();
            final String name = string();
            expect(':');
            map.put(name, value());
        }
        while (next(','));
        expect('}');
        return map;
    }

    private List<Object> array()
    {
        final List<Object> list = new ArrayList<>();
        at++;
        if (next(']'))
        {
            return list;
        }
        do
        {
            list.add(value());
        }
        while (next(','));
        expect(']');
        return list;
    }

    private String string()
    {
        expect('"');
        final StringBuilder string = new StringBuilder();
        while (at < text.length() && text.charAt(at) != '"')
        {
            final char c = text.charAt(at++);
            if (c < ' ')
            {
                throw wrong("a character that is escaped");
            }
            string.append(c == '\\' ? escaped() : c);
        }
        if (at == text.length())
        {
            throw wrong("the end of a string");
        }
        at++;
        return string.toString();
    }

    private char escaped()
    {
        final char c = at < text.length() ? text.charAt(at++) : '\0';
        return switch (c)
        {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw wrong("an escape");
        };
    }

    private char unicode()
    {
        final int end = at + 4;
        if (end > text.length() || !text.substring(at, end).matches("[0-9a-fA-F]{4}"))
        {
            throw wrong("four hexadecimal digits");
        }
        final int code = Integer.parseInt(text.substring(at, end), 16);
        at = end;
        return (char)code;
    }

    private Object word(final String word, final Object value)
    {
        if (!text.startsWith(word, at))
        {
            throw wrong("a value");
        }
        at += word.length();
        return value;
    }

    private Double number()
    {
        final int from = at;
        while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0)
        {
            at++;
        }
        final String number = text.substring(from, at);
        if (!number.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?"))
        {
            at = from;
            throw wrong("a value");
        }
        return Double.valueOf(number);
    }

    private boolean next(final char c)
    {
        skipBlanks();
        final boolean isNext = at < text.length() && text.charAt(at) == c;
        at += isNext ? 1 : 0;
        return isNext;
    }

    private void expect(final char c)
    {
        if (!next(c))
        {
            throw wrong("'" + c + "'");
        }
    }

    private void skipBlanks()
    {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0)
        {
            at++;
        }
    }

    private IllegalArgumentException wrong(final String expected)
    {
        final int end = Math.min(text.length(), at + 20);
        return new IllegalArgumentException("JSON: expected " + expected + " at character " + at +
            (at < text.length() ? ", not \"" + text.substring(at, end) + "\"" : ", where it ends"));
    }
}
