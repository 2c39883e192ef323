/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.Security;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * HMAC-SHA256 (RFC 2104, FIPS 198-1) with one key, for any number of successive messages. Computing a tag into the
 * caller's array does not allocate. For one thread at a time.
 */
public final class Hmac
{
    /** The length of a tag in bytes. */
    public static final int LENGTH = 32;

    private static final String ALGORITHM = "HmacSHA256";
    /**
     * The provider, selected by name: a search by algorithm would initialize the providers that precede it, including
     * the elliptic-curve provider, which costs each rank about 10 ms.
     */
    private static final Provider PROVIDER = provider("SunJCE");

    private final Mac mac;
    private final byte[] number = new byte[Long.BYTES];

    /**
     * Creates an HMAC with a key.
     *
     * @param key the key, of any length greater than 0; copied.
     */
    public Hmac(final byte[] key)
    {
        try
        {
            mac = PROVIDER == null ? Mac.getInstance(ALGORITHM) : Mac.getInstance(ALGORITHM, PROVIDER);
            mac.init(new SecretKeySpec(key, ALGORITHM));
        }
        catch (final GeneralSecurityException ex)
        {
            throw new BootstrapException("this JVM does not provide " + ALGORITHM, ex);
        }
    }

    private static Provider provider(final String name)
    {
        final Provider provider = Security.getProvider(name);
        return provider == null || provider.getService("Mac", ALGORITHM) == null ? null : provider;
    }

    /**
     * Appends bytes to the message.
     *
     * @param bytes  the array that contains the bytes.
     * @param length the number of bytes, from the start of the array.
     */
    public void update(final byte[] bytes, final int length)
    {
        mac.update(bytes, 0, length);
    }

    /**
     * Appends a number to the message, big-endian.
     *
     * @param value the number, appended as 8 bytes.
     */
    public void update(final long value)
    {
        for (int i = 0; i < Long.BYTES; i++)
        {
            number[i] = (byte)(value >>> (Long.SIZE - Byte.SIZE * (i + 1)));
        }
        mac.update(number, 0, Long.BYTES);
    }

    /**
     * Appends a field to the message, preceded by its length (4 bytes, big-endian), so that different lists of fields
     * yield different messages.
     *
     * @param bytes the bytes of the field.
     */
    public void updateField(final byte[] bytes)
    {
        for (int i = 0; i < Integer.BYTES; i++)
        {
            mac.update((byte)(bytes.length >>> (Integer.SIZE - Byte.SIZE * (i + 1))));
        }
        mac.update(bytes);
    }

    /**
     * Ends the message and computes its tag; the next message starts empty.
     *
     * @param tag the array that receives {@link #LENGTH} bytes.
     */
    public void end(final byte[] tag)
    {
        try
        {
            mac.doFinal(tag, 0);
        }
        catch (final GeneralSecurityException ex)
        {
            throw new IllegalArgumentException("the array is too short for a tag: " + tag.length + " < " + LENGTH, ex);
        }
    }
}
