/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** A verb failed: which one, with which {@code errno}, and what to do about it. */
public class RdmaException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final int errno;
    private final String verb;

    /**
     * For a verb that failed.
     *
     * @param errno  one of {@link Errno}.
     * @param verb   verb as libibverbs spells it: {@code ibv_reg_mr}, ….
     * @param detail what the value was, what the limit is, and the fix.
     */
    public RdmaException(final int errno, final String verb, final String detail)
    {
        super(verb + ": " + detail + " (" + Errno.name(errno) + ")");
        this.errno = errno;
        this.verb = verb;
    }

    /**
     * Why.
     *
     * @return one of {@link Errno}.
     */
    public final int errno()
    {
        return errno;
    }

    /**
     * Which verb.
     *
     * @return as libibverbs spells it.
     */
    public final String verb()
    {
        return verb;
    }
}
