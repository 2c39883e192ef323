/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * The native library of DiSNI 2.1: the functions declared by com.ibm.disni.verbs.impl.NativeDispatcher, on libibverbs
 * and librdmacm. Java identifies native objects by address. Failures throw an IOException whose text ends with the
 * errno as text and number; functions that Java declares without the exception return -1.
 */
#ifndef TUTTI_DISNI_DISPATCHER_H
#define TUTTI_DISNI_DISPATCHER_H

#include <jni.h>
#include <stdint.h>

/* A function of NativeDispatcher. Java's names start with an underscore, which JNI encodes as _1. */
#define DISPATCHER(type, name) JNIEXPORT type JNICALL Java_com_ibm_disni_verbs_impl_NativeDispatcher__1##name

static inline void *pointer(jlong id)
{
    return (void *)(intptr_t)id;
}

static inline jlong id_of(const void *object)
{
    return (jlong)(intptr_t)object;
}

/* Throws an IOException for a call that failed with an errno. */
void throw_errno(JNIEnv *env, const char *call, int error);

#endif
