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
 * The secret shared by all members of a job. Members prove knowledge of it to each other by HMAC-SHA256 over the nonces
 * of both sides, without sending it, and derive their session keys from it. Each use has its own label, so that a tag
 * is valid for one use only. Thread-safe.
 */
public final class JobSecret
{
    /** The length of a nonce in bytes. */
    public static final int NONCE_LENGTH = 16;
    /** The length of a proof in bytes. */
    public static final int PROOF_LENGTH = Hmac.LENGTH;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final byte[] secret;

    /**
     * Creates a secret.
     *
     * @param secret the bytes of the secret, not empty; copied.
     */
    public JobSecret(final byte[] secret)
    {
        this.secret = secret.clone();
    }

    /**
     * Generates a secret for the environment of ranks: 128 random bits in hexadecimal.
     *
     * @return 32 hexadecimal digits.
     */
    public static String generate()
    {
        return HexFormat.of().formatHex(nonce());
    }

    /**
     * Generates random bytes, to be used once.
     *
     * @return {@link #NONCE_LENGTH} random bytes.
     */
    public static byte[] nonce()
    {
        final byte[] nonce = new byte[NONCE_LENGTH];
        RANDOM.nextBytes(nonce);
        return nonce;
    }

    /**
     * Computes a proof that fields come from a process that knows the secret.
     *
     * @param label the label of the use: the prover's role and the kind of message.
     * @param parts the fields.
     * @return the proof, of {@link #PROOF_LENGTH} bytes.
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
     * Derives a key, like HKDF's expansion (RFC 5869, section 2.3) of one block: the HMAC of a label and of the context
     * that the key is bound to.
     *
     * @param label the label of the key's use.
     * @param parts the context that the key is bound to, such as the nonces of both sides.
     * @return an HMAC with the derived key.
     */
    public Hmac derive(final String label, final byte[]... parts)
    {
        return new Hmac(prove("key: " + label, parts));
    }

    /**
     * Compares proofs in constant time.
     *
     * @param expected the proof computed by this process.
     * @param given    the proof received from the peer.
     * @return true if they are equal.
     */
    public static boolean matches(final byte[] expected, final byte[] given)
    {
        return MessageDigest.isEqual(expected, given);
    }
}
