/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.Request;
import org.tutti.collectives.util.Backoff;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;

/** The forms of a call on registered memory. */
enum CallForm
{
    BLOCKING, NONBLOCKING, PERSISTENT;

    /** Returns a communicator whose blocking calls are made in this form, if it exists. */
    Communicator of(final Communicator communicator)
    {
        return this == BLOCKING ? communicator : (Communicator)Proxy.newProxyInstance(
            CallForm.class.getClassLoader(), new Class<?>[] {Communicator.class}, (_, method, arguments) ->
            {
                final Optional<Method> form = form(method);
                try
                {
                    if (form.isEmpty())
                    {
                        return method.invoke(communicator, arguments);
                    }
                    await((Request)form.get().invoke(communicator, arguments));
                    return null;
                }
                catch (final InvocationTargetException e)
                {
                    throw e.getCause();
                }
            });
    }

    /** Returns the method that makes the same call in this form. */
    Optional<Method> form(final Method blocking)
    {
        final String name = blocking.getName();
        try
        {
            return Optional.of(Communicator.class.getMethod(switch (this)
            {
                case BLOCKING -> name;
                case NONBLOCKING -> "i" + name;
                case PERSISTENT -> name + "Init";
            }, blocking.getParameterTypes()));
        }
        catch (final NoSuchMethodException none)
        {
            return Optional.empty();
        }
    }

    private void await(final Request request)
    {
        if (request instanceof final PersistentRequest persistent && this == PERSISTENT)
        {
            persistent.run();
            persistent.close();
            return;
        }
        for (int attempt = 0; !request.test(); attempt++)
        {
            Backoff.FOR_THREADS.pause(attempt);
        }
        request.await();
    }
}
