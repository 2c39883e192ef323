/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Verbs on DiSNI, a library of IBM that calls libibverbs and librdmacm by JNI. This package finds DiSNI's native
 * library, and loads DiSNI and the classes that use DiSNI by a class loader that knows the library's location; those
 * classes are in {@link org.tutti.rdma.disni.impl}. DiSNI is loaded only when a device is opened. It is an optional
 * dependency of this module: programs that use the transport add it.
 */
package org.tutti.rdma.disni;
