/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Bootstrap of jobs: discovery of ranks and hosts, and out-of-band exchange of endpoint addresses. */
package org.tutti.bootstrap;
