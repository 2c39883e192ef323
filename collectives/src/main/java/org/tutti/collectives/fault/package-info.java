/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Diagnosis of failures: finds the cause and describes it in the error message. */
package org.tutti.collectives.fault;
