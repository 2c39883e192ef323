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
 * The processors of emulated hosts run what memory holds. A JVM replaces code that other threads run: a method that was
 * compiled while an interface had one implementation, at the moment that another is loaded. An emulator whose
 * processors have threads of their own may go on with what that code was.
 */
class SoftRoceProcessorsTest
{
    /** One in ten of which failed, or crashed the JVM, where processors had threads of their own (QEMU 7.2). */
    private static final int ROUNDS = 100;
    private static final int CALLERS = 3;
    private static final int CALLS = 2_000;

    /** What two classes implement. */
    public interface Step
    {
        /**
         * Takes the step.
         *
         * @param from where from.
         * @return where to.
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

    /** The one that comes later. */
    public static class Second implements Step
    {
        @Override
        public int next(final int from)
        {
            return from + 2;
        }
    }

    /** Whose code is replaced. */
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

    /** Loads the four anew, so that each round compiles and replaces code of its own. */
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

        /** Calls until it gets the second step, and then as often again. */
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
    void shouldRunCodeThatWasReplacedWhileItRan() throws Exception
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
