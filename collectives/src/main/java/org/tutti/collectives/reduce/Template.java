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
 * Makes many kernels of one loop. A loop is fast when the JIT compiler knows what it calls; but a class whose objects
 * do different things has one compiled loop for all of them, which must find out each time. So every kernel gets a copy
 * of its template's class, a hidden class (JEP 371), that holds the arithmetic in a static final field: the compiler
 * takes it for a constant and inlines it.
 * <p>
 * A template is a top-level class with a constructor of no arguments, which reads its arithmetic by {@link #constant}.
 */
final class Template
{
    private Template()
    {
    }

    /**
     * Makes a kernel.
     *
     * @param template class whose loop is copied.
     * @param constant what the copy's {@link #constant} returns.
     * @return an object of a class of its own.
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
     * What a copy was made with: for its static initialiser.
     *
     * @param lookup lookup of the template itself.
     * @param type   type of the constant.
     * @param <T>    the same.
     * @return never null in a copy.
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
