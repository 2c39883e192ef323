/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import org.tutti.collectives.Communicator;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;

/** A communicator that reports the name of each method before or after it is called. */
final class InterceptedCommunicator
{
    private InterceptedCommunicator()
    {
    }

    /**
     * Creates a view.
     *
     * @param communicator communicator that is called.
     * @param interceptor  called with the name of each method; if it throws, the method throws, too.
     */
    static Communicator of(final Communicator communicator, final Consumer<String> interceptor)
    {
        return of(communicator, interceptor, method -> {});
    }

    /**
     * Creates a view.
     *
     * @param communicator communicator that is called.
     * @param before       called with the name of each method; if it throws, the method throws, too.
     * @param after        called with the name of each method that has returned.
     */
    static Communicator of(
        final Communicator communicator, final Consumer<String> before, final Consumer<String> after)
    {
        return (Communicator)Proxy.newProxyInstance(InterceptedCommunicator.class.getClassLoader(),
            new Class<?>[] {Communicator.class}, (proxy, method, arguments) ->
            {
                before.accept(method.getName());
                try
                {
                    final Object result = method.invoke(communicator, arguments);
                    after.accept(method.getName());
                    return result;
                }
                catch (final InvocationTargetException ex)
                {
                    throw ex.getCause();
                }
            });
    }

    /** Whether a method is one that LightGBM's exchanges call. */
    static boolean isExchange(final String method)
    {
        return "alltoallv".equals(method) || "allgatherv".equals(method);
    }
}
