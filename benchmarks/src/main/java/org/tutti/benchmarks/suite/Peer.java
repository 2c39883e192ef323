/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.util.List;

/** A program that does what a case says and reports how long it took: Tutti or a {@link PeerKind}. Stateless. */
interface Peer
{
    /** Its name on the command line and in messages. */
    String name();

    /** Whether it has such a collective in such a form. */
    boolean takes(Case of);

    /**
     * What to run.
     *
     * @param of    a case that it takes.
     * @param sizes sizes as options: {@code -b 4 -e 64M -f 4} and more.
     * @return a program and its words.
     */
    List<String> command(Case of, List<String> sizes);

    /**
     * Reads what the program said, all of it.
     *
     * @return the label of what ran, and its times.
     * @throws SuiteException if data was wrong, or the text is not what such a program says.
     */
    Reading read(Case of, String output);
}
