/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.wire;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Proofs that a peer knows the secret: HMAC-SHA256 over a name of the step, both identities and the nonces so far. The
 * request proves it by the connector's nonce, the reply by both nonces, and the first message of the connector, a SEND
 * of 32 bytes, by both nonces again, so that neither a recorded request nor a recorded reply opens a connection.
 * Thread-safe.
 */
public final class Proof
{
    public static final int SIZE = 32;

    private static final String ALGORITHM = "HmacSHA256";

    private final byte[] secret;

    /**
     * Creates proofs by a secret.
     *
     * @param secret the secret, at least one byte.
     */
    public Proof(final byte[] secret)
    {
        this.secret = secret.clone();
    }

    /**
     * Computes a proof.
     *
     * @param step        name of the step.
     * @param connector   identity of the connecting side.
     * @param acceptor    identity of the accepting side.
     * @param psn         packet sequence number that the sender expects.
     * @param incarnation number of the sender's incarnation.
     * @param nonces      nonces so far.
     * @return {@link #SIZE} bytes.
     */
    public byte[] of(final String step, final PrivateData.Place connector, final PrivateData.Place acceptor,
        final int psn, final long incarnation, final byte[]... nonces)
    {
        try
        {
            final Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            mac.update((step + " " + connector + " " + acceptor + " " + psn + " " + incarnation)
                .getBytes(StandardCharsets.UTF_8));
            for (final byte[] nonce : nonces)
            {
                mac.update(nonce);
            }
            return mac.doFinal();
        }
        catch (final GeneralSecurityException e)
        {
            throw new IllegalStateException("every Java runtime has " + ALGORITHM, e);
        }
    }

    /**
     * Compares two proofs in constant time.
     *
     * @param one   a proof.
     * @param other another proof.
     * @return true if they are the same.
     */
    public static boolean isSame(final byte[] one, final byte[] other)
    {
        return MessageDigest.isEqual(one, other);
    }
}
