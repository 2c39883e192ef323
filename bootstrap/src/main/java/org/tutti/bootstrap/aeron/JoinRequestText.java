/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

import org.agrona.DirectBuffer;
import org.tutti.bootstrap.JobSecret;
import org.tutti.bootstrap.codec.JoinRequestDecoder;
import org.tutti.bootstrap.codec.MessageHeaderDecoder;

/**
 * A decoded join request, with a valid proof; it may still be for another job. The proof covers the encoded bytes of
 * the message, so that the proof can be verified before the bytes are decoded:
 * <pre>
 *   | header (8) | proof (32) | protocol version, rank, … |
 *     ^^^^^^^^^^                ^^^^^^^^^^^^^^^^^^^^^^^^^^ covered by the proof
 * </pre>
 */
final class JoinRequestText
{
    private static final int PROOF_OFFSET =
        MessageHeaderDecoder.ENCODED_LENGTH + JoinRequestDecoder.proofEncodingOffset();
    private static final int PROOF_END = PROOF_OFFSET + JobSecret.PROOF_LENGTH;

    final int version;
    final int memberId;
    final int worldSize;
    final long pid;
    final int streamId;
    final byte[] nonce = new byte[JobSecret.NONCE_LENGTH];
    /** The proof: covers the whole request including its nonce, so keys bound to the proof are bound to the request. */
    final byte[] proof = new byte[JobSecret.PROOF_LENGTH];
    final String channel;
    final String jobId;
    final String host;

    private JoinRequestText(final JoinRequestDecoder decoder)
    {
        version = decoder.protocolVersion();
        memberId = decoder.memberId();
        worldSize = decoder.worldSize();
        pid = decoder.pid();
        streamId = decoder.responseStreamId();
        decoder.getNonce(nonce, 0, nonce.length);
        decoder.getProof(proof, 0, proof.length);
        channel = channel(decoder);
        jobId = decoder.jobId();
        host = decoder.host();
    }

    /**
     * Builds the channel from a binary address, so that the sender cannot cause name resolution or set other channel
     * parameters.
     */
    private static String channel(final JoinRequestDecoder decoder)
    {
        final byte[] address = new byte[decoder.responseAddressLength()];
        decoder.getResponseAddress(address, 0, address.length);
        try
        {
            return address.length == 0 ?
                Protocol.IPC_CHANNEL : Protocol.udpChannel(InetAddress.getByAddress(address), decoder.responsePort());
        }
        catch (final UnknownHostException ex)
        {
            throw new IllegalArgumentException(
                "invalid address length: " + address.length + ": must be 0, 4 or 16 bytes", ex);
        }
    }

    /**
     * Returns the request in a frame of an unknown sender, or null if the frame is not a request with a valid proof.
     */
    static JoinRequestText open(
        final JobSecret secret, final DirectBuffer buffer, final int offset, final int length)
    {
        final MessageHeaderDecoder header = new MessageHeaderDecoder().wrap(buffer, offset);
        if (length <= PROOF_END ||
            header.schemaId() != MessageHeaderDecoder.SCHEMA_ID ||
            header.templateId() != JoinRequestDecoder.TEMPLATE_ID)
        {
            return null;
        }
        final byte[] message = new byte[length];
        buffer.getBytes(offset, message);
        final byte[] proof = new byte[JobSecret.PROOF_LENGTH];
        buffer.getBytes(offset + PROOF_OFFSET, proof);
        return JobSecret.matches(proof(secret, message), proof) ?
            new JoinRequestText(new JoinRequestDecoder().wrapAndApplyHeader(buffer, offset, header)) : null;
    }

    /** Sets the proof of an encoded request. */
    static byte[] seal(final JobSecret secret, final byte[] message)
    {
        System.arraycopy(proof(secret, message), 0, message, PROOF_OFFSET, JobSecret.PROOF_LENGTH);
        return message;
    }

    /** Returns the proof of a sealed request. */
    static byte[] proof(final byte[] sealed)
    {
        return Arrays.copyOfRange(sealed, PROOF_OFFSET, PROOF_END);
    }

    private static byte[] proof(final JobSecret secret, final byte[] message)
    {
        return secret.prove(
            Protocol.REQUEST, Arrays.copyOf(message, PROOF_OFFSET),
            Arrays.copyOfRange(message, PROOF_END, message.length));
    }
}
