/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni;

import org.agrona.DirectBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.rdma.RdmaException;

import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** DiSNI and its logging API are optional dependencies: a program that uses the transport has to add them. */
class MissingArtefactTest
{
    @ParameterizedTest
    @CsvSource({
        "'', com.ibm.disni:disni:2.1",
        "com.ibm.disni.verbs.RdmaCm, org.slf4j:slf4j-api"})
    void shouldNameTheArtefactWhenItIsNotOnTheClassPath(final String present, final String missing) throws Exception
    {
        final List<URL> path = new ArrayList<>(List.of(jar(DisniProvider.class), jar(DirectBuffer.class)));
        if (!present.isEmpty())
        {
            path.add(jar(Class.forName(present, false, getClass().getClassLoader())));
        }
        try (URLClassLoader program =
            new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader()))
        {
            final Object provider = program.loadClass(DisniProvider.class.getName()).getConstructor().newInstance();

            final Throwable failure = assertThrows(InvocationTargetException.class,
                () -> provider.getClass().getMethod("devices").invoke(provider)).getCause();

            assertEquals(RdmaException.class.getName(), failure.getClass().getName());
            assertEquals("load_provider: transport disni needs " + missing + ", which is not on the class path: add " +
                "the dependency, or choose another transport (ENOENT)", failure.getMessage());
        }
    }

    private static URL jar(final Class<?> member)
    {
        return member.getProtectionDomain().getCodeSource().getLocation();
    }
}
