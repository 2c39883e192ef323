/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Verbs on DiSNI, a library of IBM's that reaches libibverbs and librdmacm by JNI. This package finds DiSNI's native
 * half and gives DiSNI, with the classes that use it, a class loader that knows where that is; the provider itself is
 * in {@link org.tutti.rdma.disni.impl}. It is loaded only when the transport {@code disni} is asked for.
 */
package org.tutti.rdma.disni;
