/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

/** Checks the options of the JVM before any class needs them. */
public final class RequiredJvmOptions
{
    private static final String OPENED = "jdk.internal.misc";
    private static final String AGRONA = "org.agrona";

    private RequiredJvmOptions()
    {
    }

    /**
     * Checks that Agrona can access memory. It does so through an internal package of the JDK; without access, its
     * classes fail to initialize, with errors that do not name the option.
     *
     * @throws BootstrapException if the option is missing.
     */
    public static void check()
    {
        final Module agrona = agrona();
        if (!Object.class.getModule().isOpen(OPENED, agrona))
        {
            throw new BootstrapException("this JVM does not let Agrona access memory: start it with --add-opens " +
                "java.base/" + OPENED + "=" + (agrona.isNamed() ? agrona.getName() : "ALL-UNNAMED"));
        }
    }

    /** Returns Agrona's module, without loading a class of it. */
    private static Module agrona()
    {
        final Module own = RequiredJvmOptions.class.getModule();
        return own.getLayer() == null ? RequiredJvmOptions.class.getClassLoader().getUnnamedModule() :
            own.getLayer().modules().stream().filter(module -> module.getName().startsWith(AGRONA)).findFirst()
            .orElseGet(() -> RequiredJvmOptions.class.getClassLoader().getUnnamedModule());
    }
}
