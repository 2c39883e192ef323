/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.PointToPoint;
import org.tutti.collectives.Request;
import org.tutti.collectives.schedule.Collective;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Requests of all collectives, many at once, give the results of blocking calls. */
@Timeout(120)
class RequestsOfAllTest
{
    private static final int ROUNDS = 20;

    @ParameterizedTest
    @EnumSource(value = CallForm.class, names = "BLOCKING", mode = EnumSource.Mode.EXCLUDE)
    void shouldHaveAFormOfEveryCollectiveOnRegisteredMemory(final CallForm way)
    {
        final List<Method> blocking = Arrays.stream(Communicator.class.getMethods())
            .filter(method -> method.getReturnType() == void.class &&
                method.getDeclaringClass() != PointToPoint.class)
            .filter(method -> method.getName().equals("barrier") ||
                (method.getParameterCount() > 0 && method.getParameterTypes()[0] == DataBuffer.class))
            .toList();

        assertEquals(List.of(), Arrays.stream(Collective.values()).map(RequestsOfAllTest::methodOf)
            .filter(name -> blocking.stream().noneMatch(method -> method.getName().equals(name))).toList());
        assertEquals(List.of(), blocking.stream().filter(method -> way.form(method).isEmpty()).toList());
    }

    /** Returns the name of the collective in camel case: {@code reduceScatter}. */
    private static String methodOf(final Collective collective)
    {
        final String name = collective.name().toLowerCase(Locale.ROOT);
        return Pattern.compile("_(.)").matcher(name).replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void shouldCompleteAllStartedRequestsInAnyOrder(final int size)
    {
        final long seed = seed();
        try (Ranks ranks = new Ranks(size))
        {
            ranks.run(communicator ->
            {
                final List<RequestCase> cases = RequestCase.all(communicator, size - 1);
                cases.addAll(RequestCase.all(communicator, 0));
                cases.forEach(aCase -> aCase.fill(0));
                final List<Request> requests = new ArrayList<>(cases.stream().map(RequestCase::start).toList());
                Collections.shuffle(requests, new Random(seed + communicator.rank()));
                requests.forEach(Request::await);

                cases.forEach(RequestCase::requireSameAsBlocking);
                cases.forEach(RequestCase::close);
            });
        }
    }

    @Test
    void shouldCompleteAllWhenVirtualThreadsWaitConcurrently()
    {
        try (Ranks ranks = new Ranks(3))
        {
            ranks.run(communicator ->
            {
                final List<RequestCase> cases = RequestCase.all(communicator, 1);
                cases.forEach(aCase -> aCase.fill(0));
                final List<Future<?>> waits = new ArrayList<>();
                try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor())
                {
                    for (final RequestCase aCase : cases)
                    {
                        waits.add(threads.submit(aCase.start()::await));
                    }
                }
                for (final Future<?> wait : waits)
                {
                    wait.get();
                }
                cases.forEach(RequestCase::requireSameAsBlocking);
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void shouldStartAllPersistentRequestsRepeatedly(final int size)
    {
        final long seed = seed();
        try (Ranks ranks = new Ranks(size))
        {
            ranks.run(communicator ->
            {
                final Random same = new Random(seed);
                final Random own = new Random(seed + communicator.rank());
                final List<RequestCase> cases = RequestCase.all(communicator, size / 2);
                final List<PersistentRequest> requests =
                    new ArrayList<>(cases.stream().map(RequestCase::init).toList());
                assertThrows(IllegalStateException.class, cases.getFirst()::close);
                for (int round = 0; round < ROUNDS; round++)
                {
                    final long salt = round;
                    cases.forEach(aCase -> aCase.fill(salt));
                    Collections.shuffle(requests, same);
                    requests.forEach(PersistentRequest::start);
                    final List<Request> inOwnOrder = new ArrayList<>(requests);
                    Collections.shuffle(inOwnOrder, own);
                    inOwnOrder.forEach(Request::await);
                    cases.forEach(RequestCase::requireSameAsBlocking);
                }
                requests.forEach(PersistentRequest::close);
                cases.forEach(RequestCase::close);
            });
        }
    }

    @Test
    void shouldCancelAnyRequestThatHasNotBegun()
    {
        final CountDownLatch cancelled = new CountDownLatch(1);
        try (Ranks ranks = new Ranks(2, Map.of("TUTTI_OUTSTANDING", "1")))
        {
            ranks.run(communicator ->
            {
                if (communicator.rank() == 1)
                {
                    assertTrue(cancelled.await(60, TimeUnit.SECONDS));
                    communicator.barrier();
                    communicator.barrier();
                    return;
                }
                final Request first = communicator.ibarrier();
                final List<RequestCase> cases = RequestCase.all(communicator, 0);
                final List<Request> requests = cases.stream().map(RequestCase::start).toList();
                for (final Request request : requests.reversed())
                {
                    assertTrue(request.cancel());
                }
                cases.forEach(RequestCase::close);
                cancelled.countDown();
                first.await();
                communicator.barrier();
            });
        }
    }

    private static long seed()
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        System.out.println("seed " + seed);
        return seed;
    }
}
