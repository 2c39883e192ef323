/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Support for providers: checks of attributes, the attributes of a queue pair, and the tracking of parents and
 * children. Not for users of verbs.
 */
package org.tutti.rdma.spi;
