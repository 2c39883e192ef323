/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

class VectorLoopTest
{
    /**
     * A vector that is passed to or returned by a call that is not inlined is an object in memory. The vectors' own
     * methods are always inlined; whether others are depends on what the process did before, so some processes would
     * reduce ten times slower than others.
     */
    @ParameterizedTest
    @ValueSource(classes = {
        BFloat16VectorLoop.class,
        ByteVectorLoop.class,
        DoubleVectorLoop.class,
        FloatVectorLoop.class,
        IntVectorLoop.class,
        LongVectorLoop.class,
        ShortVectorLoop.class})
    void shouldPassVectorsOnlyToTheirOwnMethods(final Class<?> loop) throws IOException
    {
        final ClassModel model;
        try (InputStream file = loop.getResourceAsStream(loop.getSimpleName() + ".class"))
        {
            model = ClassFile.of().parse(file.readAllBytes());
        }
        final List<String> passVectors = model.methods().stream()
            .filter((method) -> method.methodType().stringValue().contains("jdk/incubator/vector/"))
            .map((method) -> method.methodName().stringValue())
            .toList();

        assertEquals(List.of(), passVectors);
    }
}
