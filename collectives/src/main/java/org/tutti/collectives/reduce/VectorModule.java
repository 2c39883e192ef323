/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import java.lang.module.ModuleFinder;

/**
 * Loads the Vector API. The option {@code --add-modules} would load it too, but then every JVM prints a warning about
 * incubator modules that no option silences. This class calls the JDK's internal method for loading a module into a
 * running JVM, which prints nothing; the JIT compiler generates the same vector instructions either way.
 */
final class VectorModule
{
    private static final String NAME = "jdk.incubator.vector";
    private static final String LOADER_PACKAGE = "jdk.internal.module";
    private static final String LOADER = LOADER_PACKAGE + ".Modules";

    private VectorModule()
    {
    }

    /**
     * Whether {@link #load} would succeed. Loads nothing.
     *
     * @return true if the module is loaded, or exists and can be loaded.
     */
    static boolean isAvailable()
    {
        return ModuleLayer.boot().findModule(NAME).isPresent() ||
            (Object.class.getModule().isExported(LOADER_PACKAGE, VectorModule.class.getModule()) &&
            ModuleFinder.ofSystem().find(NAME).isPresent());
    }

    /**
     * Returns the option without which this JVM cannot load the module, although it has it.
     *
     * @return the option as for the command line; null if no option would help.
     */
    static String missingOption()
    {
        final Module own = VectorModule.class.getModule();
        return isAvailable() || ModuleFinder.ofSystem().find(NAME).isEmpty() ? null :
            "--add-exports java.base/" + LOADER_PACKAGE + "=" + (own.isNamed() ? own.getName() : "ALL-UNNAMED");
    }

    /**
     * Loads the module unless an option already has.
     *
     * @return false if the JDK has no such module, or this JVM lacks the option
     *     {@code --add-exports=java.base/jdk.internal.module=ALL-UNNAMED}, which {@code jvm.options} has.
     */
    static boolean load()
    {
        if (ModuleLayer.boot().findModule(NAME).isPresent())
        {
            return true;
        }
        try
        {
            Class.forName(LOADER).getMethod("loadModule", String.class).invoke(null, NAME);
            return true;
        }
        catch (final ReflectiveOperationException ex)
        {
            // Plain loops give the same results.
            return false;
        }
    }
}
