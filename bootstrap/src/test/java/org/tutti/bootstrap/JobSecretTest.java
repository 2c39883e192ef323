/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;

import org.junit.jupiter.api.Test;

class JobSecretTest
{
    private static final byte[] M = {'m'};
    private static final byte[] NONCE = new byte[JobSecret.NONCE_LENGTH];

    /**
     * The expected value was computed with Python's hmac module over the parts, each preceded by its length (4 bytes,
     * big-endian).
     */
    @Test
    void shouldComputeProofAsSpecified()
    {
        final byte[] proof = new JobSecret(new byte[]{'k'}).prove("member", M, NONCE, NONCE);

        assertEquals(
            "48b44b0088f6b967c97a7affb8d02b6ebf767992f59058a9f0de743a3228b39f",
            HexFormat.of().formatHex(proof));
    }

    @Test
    void shouldComputeDifferentProofWhenAnyPartDiffers()
    {
        final JobSecret secret = new JobSecret(new byte[]{'k'});
        final byte[] other = new byte[JobSecret.NONCE_LENGTH];
        other[0] = 1;
        final byte[] proof = secret.prove("member", M, NONCE, NONCE);

        assertTrue(JobSecret.matches(proof, secret.prove("member", M, NONCE, NONCE)));
        assertFalse(JobSecret.matches(proof, secret.prove("member", new byte[]{'n'}, NONCE, NONCE)));
        assertFalse(JobSecret.matches(proof, secret.prove("memberm", new byte[0], NONCE, NONCE)));
        assertFalse(JobSecret.matches(proof, secret.prove("member", M, other, NONCE)));
        assertFalse(JobSecret.matches(proof, secret.prove("member", M, NONCE, other)));
        assertFalse(JobSecret.matches(proof, new JobSecret(new byte[]{'j'}).prove("member", M, NONCE, NONCE)));
    }

    @Test
    void shouldGenerateDistinctSecrets()
    {
        assertEquals(32, JobSecret.generate().length());
        assertNotEquals(JobSecret.generate(), JobSecret.generate());
    }
}
