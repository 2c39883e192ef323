/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.util.List;

/** A program that runs a case and reports its times: Tutti or a {@link PeerKind}. Stateless. */
interface Peer
{
    /** Name on the command line and in messages. */
    String name();

    /** Whether this peer supports a case. */
    boolean takes(Case of);

    /**
     * Builds the command line.
     *
     * @param of    a supported case.
     * @param sizes options for sizes and iterations, such as {@code -b 4 -e 64M -f 4}.
     * @return the program and its arguments.
     */
    List<String> command(Case of, List<String> sizes);

    /**
     * Parses the output of the program.
     *
     * @return label of the program and its times.
     * @throws SuiteException if data was wrong or the output cannot be parsed.
     */
    PeerOutput read(Case of, String output);
}
