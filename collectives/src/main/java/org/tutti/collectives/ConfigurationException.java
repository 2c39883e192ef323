/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

/** A setting is wrong: the message names the variable or property, its value, what it may be, and an example. */
public final class ConfigurationException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * With a message.
     *
     * @param message setting, its value and what it may be.
     */
    public ConfigurationException(final String message)
    {
        super(message);
    }

    /**
     * With a message and what caused it.
     *
     * @param message setting, its value and what it may be.
     * @param cause   beneath it.
     */
    public ConfigurationException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
