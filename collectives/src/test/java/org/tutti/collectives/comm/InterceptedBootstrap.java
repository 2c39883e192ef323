/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapRequest;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;

/** Bootstraps with some calls intercepted by a test. */
public final class InterceptedBootstrap
{
    /** Calls the intercepted bootstrap. */
    @FunctionalInterface
    public interface Call
    {
        /**
         * Calls the method.
         *
         * @param arguments arguments of the method; null for none.
         * @return result of the method.
         */
        Object with(Object... arguments) throws Throwable;
    }

    /** Replaces a call. */
    @FunctionalInterface
    public interface Interceptor
    {
        /**
         * Replaces a call.
         *
         * @param method    name of the method.
         * @param arguments arguments of the method; null for none.
         * @param call      the original call.
         * @return result for the caller.
         */
        Object intercept(String method, Object[] arguments, Call call) throws Throwable;
    }

    private InterceptedBootstrap()
    {
    }

    /** Returns a bootstrap whose calls go through an interceptor. */
    public static Bootstrap of(final Bootstrap bootstrap, final Interceptor interceptor)
    {
        return (Bootstrap)Proxy.newProxyInstance(InterceptedBootstrap.class.getClassLoader(),
            new Class<?>[] {Bootstrap.class}, (proxy, method, arguments) ->
            interceptor.intercept(method.getName(), arguments, passed ->
            {
                try
                {
                    return method.invoke(bootstrap, passed);
                }
                catch (final InvocationTargetException e)
                {
                    throw e.getCause();
                }
            }));
    }

    /** Returns a bootstrap that records the keys that were put and not removed. */
    public static Bootstrap recording(final Bootstrap bootstrap, final Set<String> keys)
    {
        return of(bootstrap, (method, arguments, call) ->
        {
            if (method.equals("put") || method.equals("putAsync"))
            {
                keys.add((String)arguments[0]);
            }
            final Object result = call.with(arguments);
            // An in-memory bootstrap answers at once.
            final Object value = result instanceof final BootstrapRequest request ? request.value() : result;
            if (method.startsWith("take") && value != null)
            {
                keys.remove((String)arguments[0]);
            }
            return result;
        });
    }
}
