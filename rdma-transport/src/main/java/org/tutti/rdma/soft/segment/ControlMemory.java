/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.segment;

/**
 * The memory of a control segment: {@link ControlLayout#LENGTH} bytes of addresses, whose pages are reserved before
 * they are used. Thread-safe.
 */
public interface ControlMemory extends AutoCloseable
{
    /**
     * The address of the first byte.
     *
     * @return a page-aligned address.
     */
    long address();

    /**
     * The length of the range of addresses.
     *
     * @return length in bytes.
     */
    long length();

    /**
     * Reserves pages.
     *
     * @param offset offset of the first page in bytes.
     * @param bytes  length in bytes.
     * @param verb   verb named in errors.
     * @throws org.tutti.rdma.RdmaException with ENOMEM or ENOSPC if there is not enough memory.
     */
    void reserve(long offset, long bytes, String verb);

    /**
     * Frees pages, whose contents are lost.
     *
     * @param offset offset of the first page in bytes.
     * @param bytes  length in bytes.
     */
    void release(long offset, long bytes);

    /** Unmaps the memory, once no thread uses it. */
    @Override
    void close();
}
