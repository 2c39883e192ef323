/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import java.io.IOException;
import java.io.InputStream;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Creates specialized copies of a loop. A loop is fast if the JIT compiler knows which arithmetic it calls; but a class
 * whose objects have different arithmetic has one compiled loop for all of them, which must look up the arithmetic each
 * time. So every copy of the template's class is a hidden class (JEP 371) that holds the arithmetic in a static final
 * field, which the compiler treats as a constant and inlines.
 * <p>
 * A template is a top-level class with a constructor without arguments that gets its arithmetic from {@link #constant}.
 */
final class LoopTemplate
{
    private LoopTemplate()
    {
    }

    /**
     * Creates a copy of a template.
     *
     * @param template class whose loop is copied.
     * @param constant value that {@link #constant} returns in the copy.
     * @return instance of a new class.
     */
    static BlockReducer copy(final Class<? extends BlockReducer> template, final Object constant)
    {
        try (InputStream file = template.getResourceAsStream(template.getSimpleName() + ".class"))
        {
            final MethodHandles.Lookup copy =
                MethodHandles.lookup().defineHiddenClassWithClassData(file.readAllBytes(), constant, true);
            return (BlockReducer)copy
                .findConstructor(copy.lookupClass(), MethodType.methodType(void.class)).invoke();
        }
        catch (final IOException e)
        {
            throw new IllegalStateException("cannot read " + template, e);
        }
        catch (final RuntimeException | Error e)
        {
            throw e;
        }
        catch (final Throwable e)
        {
            throw new IllegalStateException("cannot copy " + template, e);
        }
    }

    /**
     * Returns the constant of a copy, for its static initializer.
     *
     * @param lookup lookup of the template itself.
     * @param type   type of the constant.
     * @param <T>    type of the constant.
     * @return the constant, never null in a copy.
     */
    static <T> T constant(final MethodHandles.Lookup lookup, final Class<T> type)
    {
        try
        {
            return MethodHandles.classData(lookup, ConstantDescs.DEFAULT_NAME, type);
        }
        catch (final IllegalAccessException e)
        {
            throw new IllegalStateException(e);
        }
    }
}
