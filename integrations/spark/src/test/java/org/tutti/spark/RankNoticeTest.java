/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.junit.jupiter.api.Test;
import org.tutti.collectives.JoinOptions;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RankNoticeTest
{
    private static final String FIRST = RankNotice.ready("spark-3.0", "10.1.0.7:41234", "secret of the job").encode();
    private static final String OTHER = RankNotice.ready("spark-3.0").encode();

    private static String message(final String... notices)
    {
        final List<String> messages = new ArrayList<>();
        for (int rank = 0; rank < notices.length; rank++)
        {
            final int own = rank;
            messages.add(
                assertThrows(IllegalStateException.class, () -> RankNotice.options(notices, own)).getMessage());
        }
        assertEquals(1, messages.stream().distinct().count(), messages.toString());
        return messages.getFirst();
    }

    @Test
    void shouldJoinTheCoordinatorOfRankZero()
    {
        final JoinOptions options = RankNotice.options(new String[] {FIRST, OTHER, OTHER}, 2);

        final Map<String, String> settings = options.settings();
        assertEquals("2", settings.get("tutti.rank"));
        assertEquals("3", settings.get("tutti.size"));
        assertEquals("10.1.0.7:41234", settings.get("tutti.coordinator"));
        assertEquals("secret of the job", settings.get("tutti.secret"));
        assertEquals("spark-3.0", settings.get("tutti.job.id"));
    }

    @Test
    void shouldNameAllRanksThatCannotJoin()
    {
        final String missing = RankNotice.failed("this JVM\nlacks an option").encode();

        assertEquals("ranks 0, 2 cannot join: this JVM lacks an option; rank 3 cannot join: no memory",
            message(missing, OTHER, missing, RankNotice.failed("no memory").encode()));
    }

    @Test
    void shouldNameRanksOnAnotherVersionOfJava()
    {
        final int java = Runtime.version().feature();
        final String newer = OTHER.replace("\n" + java + "\n", "\n" + (java + 1) + "\n");

        assertTrue(message(FIRST, newer, OTHER).startsWith("executors run on different versions of Java: Java " +
            java + " on ranks 0, 2; Java " + (java + 1) + " on rank 1: "));
    }

    @Test
    void shouldRejectNoticeOfAnotherVersion()
    {
        assertTrue(message(FIRST, OTHER + "\nmore").contains("a rank sent 6 fields instead of 5"));
    }

    @Test
    void shouldListenWhereSparkReachesTheExecutor()
    {
        assertEquals("10.1.0.7", address(new String[] {"10.1.0.7", "10.1.0.8"}, true));
        assertEquals("127.0.0.1", address(new String[] {"127.0.0.1", "127.0.0.1"}, true));
    }

    @Test
    void shouldListenOnTheDefaultRouteIfSparksAddressIsOfNoUse()
    {
        assertEquals(null, address(new String[] {"127.0.0.1", "10.1.0.8"}, true));
        assertEquals(null, address(new String[] {"10.1.0.7", "10.1.0.8"}, false));
    }

    private static String address(final String[] hosts, final boolean isOwn)
    {
        return RankNotice.address(hosts, (final InetAddress address) -> isOwn);
    }
}
