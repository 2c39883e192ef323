/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Implementation of communicators. */
package org.tutti.collectives.comm;
