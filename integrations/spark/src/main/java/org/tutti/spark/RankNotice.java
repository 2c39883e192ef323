/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.tutti.bootstrap.OwnAddress;
import org.tutti.collectives.JoinOptions;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What a rank tells all others before they join, in the stage's only {@code allGather}.
 *
 * @param problem why the rank cannot join; empty if it can.
 * @param java    feature version of the rank's JVM, such as 25.
 * @param jobName name of the job.
 * @param address address of the coordinator; empty unless the rank runs it.
 * @param secret  secret of the job; empty unless the rank runs the coordinator.
 */
record RankNotice(String problem, int java, String jobName, String address, String secret)
{
    /** The option of the JVM that Spark does not give to executors. */
    static final String OPTION = "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED";
    private static final String SEPARATOR = "\n";
    private static final int FIELDS = 5;

    static RankNotice failed(final String problem)
    {
        return new RankNotice(problem.replaceAll("\\s+", " "), Runtime.version().feature(), "", "", "");
    }

    static RankNotice ready(final String jobName)
    {
        return ready(jobName, "", "");
    }

    static RankNotice ready(final String jobName, final String address, final String secret)
    {
        return new RankNotice("", Runtime.version().feature(), jobName, address, secret);
    }

    String encode()
    {
        return String.join(SEPARATOR, problem, Integer.toString(java), jobName, address, secret);
    }

    private static RankNotice decode(final String text)
    {
        final String[] fields = text.split(SEPARATOR, -1);
        if (fields.length != FIELDS)
        {
            throw new IllegalStateException("executors have different versions of tutti-spark: a rank sent " +
                fields.length + " fields instead of " + FIELDS + ": give all executors the same jars");
        }
        return new RankNotice(fields[0], Integer.parseInt(fields[1]), fields[2], fields[3], fields[4]);
    }

    /**
     * Returns the options by which a rank joins.
     *
     * @param texts notices of all ranks, by rank.
     * @param rank  rank of the caller.
     * @return options.
     * @throws IllegalStateException with the same message on all ranks, if a rank cannot join or runs on another
     *                               version of Java.
     */
    static JoinOptions options(final String[] texts, final int rank)
    {
        final List<RankNotice> notices = Stream.of(texts).map(RankNotice::decode).toList();
        final RankGroups problems = RankGroups.of(notices, RankNotice::problem).without("");
        if (!problems.isEmpty())
        {
            throw new IllegalStateException(problems.describe((problem, ranks) -> ranks + " cannot join: " + problem));
        }
        final RankGroups versions = RankGroups.of(notices, notice -> "Java " + notice.java);
        if (versions.count() > 1)
        {
            throw new IllegalStateException("executors run on different versions of Java: " + versions.describe() +
                ": give all executors the same one, by spark.executorEnv.JAVA_HOME or on each host");
        }
        final RankNotice first = notices.getFirst();
        return JoinOptions.of(rank, notices.size()).jobName(first.jobName).coordinator(first.address)
            .secret(first.secret);
    }

    /**
     * Chooses where the coordinator listens: where Spark's executors reach rank 0.
     *
     * @param hosts hosts of the ranks' executors, as Spark names them, by rank.
     * @param isOwn whether an address is one of this host.
     * @return the address; null, which stands for the address on the default route, if Spark's address is not one of
     *         this host, or is a loopback address although there are other hosts.
     */
    static String address(final String[] hosts, final Predicate<InetAddress> isOwn)
    {
        try
        {
            final InetAddress address = InetAddress.getByName(hosts[0]);
            final boolean isReachable = !address.isLoopbackAddress() || Arrays.stream(hosts).distinct().count() == 1;
            return isOwn.test(address) && isReachable ? OwnAddress.text(address) : null;
        }
        catch (final UnknownHostException ex)
        {
            return null;
        }
    }
}
