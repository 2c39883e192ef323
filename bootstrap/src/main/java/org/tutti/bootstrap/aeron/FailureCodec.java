/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import org.tutti.bootstrap.RankFailure;
import org.tutti.bootstrap.codec.FailureDecoder;

/** Decodes the output of {@link MessageWriter#failure}. */
final class FailureCodec
{
    private FailureCodec()
    {
    }

    static RankFailure decode(final FailureDecoder decoder)
    {
        // Variable-length fields must be read in order.
        final String host = decoder.host();
        return new RankFailure(decoder.rank(), host, decoder.pid(), decoder.cause());
    }
}
