/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import java.lang.module.ModuleFinder;

/**
 * Loads the Vector API. The option {@code --add-modules} would do it too, but then each JVM prints a warning of
 * incubator modules, which no option silences. The JDK loads modules that an agent needs later by the same method as
 * this class, without a word; the JIT compiler makes the same instructions of vectors either way.
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
     * Whether {@link #load} would succeed; loads nothing.
     *
     * @return whether the module is loaded, or both exists and can be loaded.
     */
    static boolean isAvailable()
    {
        return ModuleLayer.boot().findModule(NAME).isPresent() ||
            (Object.class.getModule().isExported(LOADER_PACKAGE, VectorModule.class.getModule()) &&
            ModuleFinder.ofSystem().find(NAME).isPresent());
    }

    /**
     * Loads the module, unless an option did.
     *
     * @return false if the JDK has no such module, or if this JVM lacks the option
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
