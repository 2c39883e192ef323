/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.resource.ResourceProfile;

import java.util.concurrent.TimeUnit;

/** Checks that all partitions can be processed at once. Spark's own check takes ten minutes until it fails a job. */
final class TaskSlots
{
    private static final String WAITING_TIME = "spark.scheduler.maxRegisteredResourcesWaitingTime";
    private static final long POLL_MS = 50;

    private TaskSlots()
    {
    }

    /**
     * Waits until executors have registered enough slots, but not longer than Spark would.
     *
     * @param rdd data.
     * @throws IllegalArgumentException if there are too few.
     */
    static void require(final RDD<?> rdd)
    {
        final SparkContext spark = rdd.context();
        final int partitions = rdd.getNumPartitions();
        final ResourceProfile own = rdd.getResourceProfile();
        final ResourceProfile profile = own == null ? spark.resourceProfileManager().defaultResourceProfile() : own;
        final long timeoutNs = TimeUnit.SECONDS.toNanos(spark.getConf().getTimeAsSeconds(WAITING_TIME, "30s"));
        final long startNs = System.nanoTime();
        int slots = spark.maxNumConcurrentTasks(profile);
        while (slots < partitions && System.nanoTime() - startNs < timeoutNs)
        {
            try
            {
                Thread.sleep(POLL_MS);
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting for " + partitions + " slots for tasks");
            }
            slots = spark.maxNumConcurrentTasks(profile);
        }
        if (slots < partitions)
        {
            throw new IllegalArgumentException("the data has " + partitions + " partitions, but only " + slots +
                " tasks can run at once: barrier mode needs a slot for each partition: call coalesce, or give the " +
                "application more executors or cores");
        }
    }
}
