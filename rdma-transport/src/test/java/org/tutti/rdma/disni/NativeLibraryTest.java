/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Tests that DiSNI's native library is found and complete. Needs no RDMA device. */
class NativeLibraryTest
{
    private static final String DISPATCHER = "com.ibm.disni.verbs.impl.NativeDispatcher";

    @Test
    void shouldExportEveryFunctionThatDisniDeclares() throws Exception
    {
        final Path library = bundled();
        final List<String> missing = new ArrayList<>();
        int count = 0;
        try (Arena arena = Arena.ofConfined())
        {
            final SymbolLookup lookup = SymbolLookup.libraryLookup(library, arena);
            for (final Method method : Class.forName(DISPATCHER, false, getClass().getClassLoader())
                .getDeclaredMethods())
            {
                if (Modifier.isNative(method.getModifiers()))
                {
                    final String symbol = "Java_" + DISPATCHER.replace('.', '_') + "_" +
                        method.getName().replace("_", "_1");
                    count++;
                    if (lookup.find(symbol).isEmpty())
                    {
                        missing.add(symbol);
                    }
                }
            }
        }
        finally
        {
            NativeLibrary.remove(library);
        }
        assertEquals(List.of(), missing);
        assertTrue(count > 40, "count " + count);
    }

    @Test
    void shouldMatchDisniVersionAndLeaveNoFile() throws IOException
    {
        NativeLibrary.remove(bundled());
        final List<Path> before = copies();

        assertNotNull(DisniLoader.opener());

        assertEquals(before, copies());
    }

    @Test
    void shouldPreferLibraryOnTheLibraryPath(@TempDir final Path directory) throws IOException
    {
        Files.createFile(directory.resolve(System.mapLibraryName("disni")));

        assertNull(NativeLibrary.find("disni", "/nowhere" + File.pathSeparator + directory));
    }

    @Test
    void shouldNameTheFixWhenLibraryIsMissing()
    {
        final RdmaException ex =
            assertThrows(RdmaException.class, () -> NativeLibrary.find("no-such-library", "/nowhere"));

        assertEquals(Errno.ENOENT, ex.errno());
        assertTrue(ex.getMessage().contains("java.library.path"), ex::getMessage);
        assertFalse(ex.getMessage().contains("null"), ex::getMessage);
    }

    /** A copy of the bundled library; without one, the test is skipped. */
    private static Path bundled()
    {
        Path library = null;
        try
        {
            library = NativeLibrary.find("disni", "");
        }
        catch (final RdmaException ex)
        {
            System.err.println("skipped: " + ex.getMessage());
        }
        assumeTrue(library != null);
        return library;
    }

    private static List<Path> copies() throws IOException
    {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir"))))
        {
            return files.filter((file) -> file.getFileName().toString().startsWith("tutti-disni-")).sorted().toList();
        }
    }
}
