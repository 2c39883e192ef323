/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * What all members of a job know and no other process: they prove it to each other by HMAC-SHA256 over the nonces of
 * both, without sending it, and derive the keys of their session from it. Each use has a label of its own, so that a
 * tag of one use is worth nothing in another. Thread-safe.
 */
public final class JobSecret
{
    /** Bytes of a nonce. */
    public static final int NONCE_LENGTH = 16;
    /** Bytes of a proof. */
    public static final int PROOF_LENGTH = Hmac.LENGTH;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final byte[] secret;

    /**
     * With what is known.
     *
     * @param secret not empty.
     */
    public JobSecret(final byte[] secret)
    {
        this.secret = secret.clone();
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
     * Proves that fields come from a process that knows the secret.
     *
     * @param label label of the use: the prover's role and the kind of message.
     * @param parts the fields.
     * @return {@link #PROOF_LENGTH} bytes.
     */
    public byte[] prove(final String label, final byte[]... parts)
    {
        final Hmac hmac = new Hmac(secret);
        hmac.updateField(label.getBytes(StandardCharsets.UTF_8));
        for (final byte[] part : parts)
        {
            hmac.updateField(part);
        }
        final byte[] proof = new byte[PROOF_LENGTH];
        hmac.end(proof);
        return proof;
    }

    /**
     * Derives a key, as the expansion of HKDF (RFC 5869, section 2.3) does for one block: the HMAC of a label and of
     * what the key is to be bound to.
     *
     * @param label label of the key's use.
     * @param parts what it is bound to, such as the nonces of both sides.
     * @return an HMAC under the derived key.
     */
    public Hmac derive(final String label, final byte[]... parts)
    {
        return new Hmac(prove("key: " + label, parts));
    }

    /**
     * Compares proofs in a time that does not depend on where they differ.
     *
     * @param expected computed here.
     * @param given    those by the peer.
     * @return whether they are the same.
     */
    public static boolean matches(final byte[] expected, final byte[] given)
    {
        return MessageDigest.isEqual(expected, given);
    }
}
