/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Collectives inside a barrier stage of Apache Spark: the tasks of the stage are the ranks of a job. Also regression
 * and clustering, which use them.
 */
package org.tutti.spark;
