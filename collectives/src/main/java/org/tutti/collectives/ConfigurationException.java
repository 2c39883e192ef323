/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

/**
 * Thrown when a setting is invalid. The message contains the name of the variable or property, its value, the allowed
 * values and an example.
 */
public final class ConfigurationException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message setting, its value and the allowed values.
     */
    public ConfigurationException(final String message)
    {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message setting, its value and the allowed values.
     * @param cause   the underlying exception.
     */
    public ConfigurationException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
