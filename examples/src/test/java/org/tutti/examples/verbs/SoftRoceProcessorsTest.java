/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToIntFunction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The processors of emulated hosts must execute the current content of memory. A JVM replaces code that other threads
 * are running, such as a method compiled while an interface had one implementation, when a second one is loaded. An
 * emulator with a thread per processor may continue with the old code. A long test, like those of the emulator scripts.
 */
class SoftRoceProcessorsTest
{
    /** With a thread per processor, one in ten failed or crashed the JVM (QEMU 7.2). */
    private static final int ROUNDS = 100;
    private static final int CALLERS = 3;
    private static final int CALLS = 2_000;

    /** Interface of two classes. */
    public interface Step
    {
        /**
         * Makes a step.
         *
         * @param from start of the step.
         * @return end of the step.
         */
        int next(int from);
    }

    /** The only implementation while callers are compiled. */
    public static class First implements Step
    {
        @Override
        public int next(final int from)
        {
            return from + 1;
        }
    }

    /** The implementation that is loaded later. */
    public static class Second implements Step
    {
        @Override
        public int next(final int from)
        {
            return from + 2;
        }
    }

    /** The class whose code is replaced. */
    public static class Caller implements ToIntFunction<Object>
    {
        @Override
        public int applyAsInt(final Object step)
        {
            return twice((Step)step);
        }

        private int twice(final Step step)
        {
            return step.next(step.next(0));
        }
    }

    /** Loads new copies of the four classes, so that each round compiles and replaces its own code. */
    private static final class Round extends ClassLoader
    {
        private static final List<Class<?>> OWN = List.of(Step.class, First.class, Second.class, Caller.class);

        private volatile Object step;
        private volatile boolean isOver;

        Round()
        {
            super(SoftRoceProcessorsTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(final String name, final boolean resolve) throws ClassNotFoundException
        {
            if (OWN.stream().noneMatch(own -> own.getName().equals(name)))
            {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name))
            {
                final Class<?> loaded = findLoadedClass(name);
                return loaded == null ? define(name) : loaded;
            }
        }

        private Class<?> define(final String name) throws ClassNotFoundException
        {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class"))
            {
                final byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            }
            catch (final IOException e)
            {
                throw new ClassNotFoundException(name, e);
            }
        }

        private Object make(final Class<?> type) throws ReflectiveOperationException
        {
            return loadClass(type.getName()).getConstructor().newInstance();
        }

        /** Calls until the second step is used, and then as often again. */
        private int call(final ToIntFunction<Object> caller, final CountDownLatch called)
        {
            final Object first = step;
            try
            {
                for (int i = 0; i < CALLS; i++)
                {
                    call(caller);
                }
            }
            finally
            {
                called.countDown();
            }
            while (step == first && !isOver)
            {
                call(caller);
            }
            int sum = 0;
            for (int i = 0; i < CALLS; i++)
            {
                sum += call(caller);
            }
            return sum;
        }

        private int call(final ToIntFunction<Object> caller)
        {
            final int taken = caller.applyAsInt(step);
            assertTrue(taken == 2 || taken == 4, () -> "two steps lead to " + taken);
            return taken;
        }

        @SuppressWarnings("unchecked")
        void run(final ExecutorService threads) throws Exception
        {
            final ToIntFunction<Object> caller = (ToIntFunction<Object>)make(Caller.class);
            step = make(First.class);
            final CountDownLatch called = new CountDownLatch(CALLERS);
            final List<Future<Integer>> sums = new ArrayList<>();
            try
            {
                for (int i = 0; i < CALLERS; i++)
                {
                    sums.add(threads.submit(() -> call(caller, called)));
                }
                called.await();
                step = make(Second.class);
                for (final Future<Integer> sum : sums)
                {
                    assertEquals(4 * CALLS, sum.get());
                }
            }
            finally
            {
                isOver = true;
            }
        }
    }

    @Test
    @Tag("soft-roce")
    @Tag("torture")
    void shouldRunReplacedCode() throws Exception
    {
        try (ExecutorService threads = Executors.newFixedThreadPool(CALLERS))
        {
            for (int i = 0; i < ROUNDS; i++)
            {
                new Round().run(threads);
            }
        }
    }
}
