/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** The agent that starts the ranks of one host, and the messages between it and the launcher. */
package org.tutti.launcher.agent;
