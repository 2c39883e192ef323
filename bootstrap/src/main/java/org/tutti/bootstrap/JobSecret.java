/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.util.HexFormat;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What all members of a job know and nobody else: they prove it to each other by HMAC-SHA256 (RFC 2104) over the
 * nonces of both, without saying it. Thread-safe.
 */
public final class JobSecret
{
    /** Bytes of a nonce. */
    public static final int NONCE_LENGTH = 16;
    /** Bytes of a proof. */
    public static final int PROOF_LENGTH = 32;

    private static final String ALGORITHM = "HmacSHA256";
    /**
     * By its name, where it is there: to look for who has the algorithm, Java would start the providers before it,
     * among them that of the elliptic curves, which takes every rank some 10 ms.
     */
    private static final Provider PROVIDER = provider("SunJCE");
    private static final SecureRandom RANDOM = new SecureRandom();

    private final SecretKeySpec key;

    /**
     * With what is known.
     *
     * @param secret not empty.
     */
    public JobSecret(final byte[] secret)
    {
        key = new SecretKeySpec(secret, ALGORITHM);
    }

    /**
     * A new secret, for the environment of ranks: 128 random bits in hexadecimal.
     *
     * @return 32 digits.
     */
    public static String generate()
    {
        return HexFormat.of().formatHex(nonce());
    }

    /**
     * Random bytes, to be used once.
     *
     * @return {@link #NONCE_LENGTH} of them.
     */
    public static byte[] nonce()
    {
        final byte[] nonce = new byte[NONCE_LENGTH];
        RANDOM.nextBytes(nonce);
        return nonce;
    }

    /**
     * Proves that one knows the secret.
     *
     * @param prover           who proves it: "coordinator" or "member", lest one's proof serve as the other's.
     * @param member           who joins, and what, as text.
     * @param memberNonce      chosen by the member.
     * @param coordinatorNonce chosen by the coordinator.
     * @return {@link #PROOF_LENGTH} bytes.
     */
    public byte[] prove(
        final String prover, final String member, final byte[] memberNonce, final byte[] coordinatorNonce)
    {
        return prove(prover, member.getBytes(StandardCharsets.UTF_8), memberNonce, coordinatorNonce);
    }

    /**
     * Proves that what is said comes from one who knows the secret.
     *
     * @param kind  of what is said, lest a proof of one thing serve for another.
     * @param parts what is said.
     * @return {@link #PROOF_LENGTH} bytes.
     */
    public byte[] prove(final String kind, final byte[]... parts)
    {
        try
        {
            final Mac mac = PROVIDER == null ? Mac.getInstance(ALGORITHM) : Mac.getInstance(ALGORITHM, PROVIDER);
            mac.init(key);
            update(mac, kind.getBytes(StandardCharsets.UTF_8));
            for (final byte[] part : parts)
            {
                update(mac, part);
            }
            return mac.doFinal();
        }
        catch (final GeneralSecurityException ex)
        {
            throw new BootstrapException("this Java has no " + ALGORITHM, ex);
        }
    }

    /**
     * Compares proofs in a time that does not depend on where they differ.
     *
     * @param expected by us.
     * @param given    by the other.
     * @return whether they are the same.
     */
    public static boolean matches(final byte[] expected, final byte[] given)
    {
        return MessageDigest.isEqual(expected, given);
    }

    private static Provider provider(final String name)
    {
        final Provider provider = Security.getProvider(name);
        return provider == null || provider.getService("Mac", ALGORITHM) == null ? null : provider;
    }

    /** Each part with its length before it, so that no two lists of parts make the same bytes. */
    private static void update(final Mac mac, final byte[] part)
    {
        mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, part.length));
        mac.update(part);
    }
}
