/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** The failure of a verb: the verb's name, the {@code errno}, and how to fix the failure. */
public class RdmaException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final int errno;
    private final String verb;

    /**
     * Creates the exception of a failed verb.
     *
     * @param errno  one of {@link Errno}.
     * @param verb   verb as libibverbs spells it: {@code ibv_reg_mr}, ….
     * @param detail the value, the limit, and the fix.
     */
    public RdmaException(final int errno, final String verb, final String detail)
    {
        super(verb + ": " + detail + " (" + Errno.name(errno) + ")");
        this.errno = errno;
        this.verb = verb;
    }

    /**
     * The cause of the failure.
     *
     * @return one of {@link Errno}.
     */
    public final int errno()
    {
        return errno;
    }

    /**
     * The verb that failed.
     *
     * @return name as libibverbs spells it.
     */
    public final String verb()
    {
        return verb;
    }
}
