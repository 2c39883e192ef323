/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

/** Why a rank cannot load LightGBM; ranks exchange the ordinal. */
enum LibraryProblem
{
    /** The library is loaded. */
    NONE(""),
    /** The class path lacks lightgbm4j. */
    NO_JAR("lightgbm4j is not on the class path: add io.github.metarank:lightgbm4j:4.3.0-1"),
    /** The run-time library of OpenMP is missing. */
    NO_LIBGOMP("libgomp.so.1 is missing: install it, on Debian and Ubuntu by apt-get install libgomp1, on Fedora and " +
        "Red Hat by dnf install libgomp"),
    /** The native library is missing, or is one for another platform. */
    NO_LIBRARY("lib_lightgbm.so is missing, or is not for this platform: use Linux on x86-64 with glibc, which " +
        "io.github.metarank:lightgbm4j:4.3.0-1 has it for, and unset LIGHTGBM_NATIVE_LIB_PATH"),
    /** The library is another version. */
    NO_FUNCTION("lib_lightgbm.so lacks the functions for networks: use io.github.metarank:lightgbm4j:4.3.0-1");

    private final String text;

    LibraryProblem(final String text)
    {
        this.text = text;
    }

    /**
     * Returns what is wrong, and the fix.
     *
     * @return text; empty for {@link #NONE}.
     */
    String text()
    {
        return text;
    }
}
