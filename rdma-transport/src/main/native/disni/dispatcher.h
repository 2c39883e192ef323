/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * The native half of DiSNI 2.1: the functions that com.ibm.disni.verbs.impl.NativeDispatcher declares, on libibverbs and
 * librdmacm. Java knows native objects by their addresses. What fails throws an IOException whose text ends with the
 * errno in words and as a number; functions that Java declares without it return -1.
 */
#ifndef TUTTI_DISNI_DISPATCHER_H
#define TUTTI_DISNI_DISPATCHER_H

#include <jni.h>
#include <stdint.h>

/* A function of NativeDispatcher. Java's names begin with an underscore, which JNI spells _1. */
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
