/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "dispatcher.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void throw_errno(JNIEnv *env, const char *call, int error)
{
    char message[160];
    /* Some drivers return negative errnos, like the kernel. */
    int positive = abs(error);
    jclass io_exception = (*env)->FindClass(env, "java/io/IOException");

    if (io_exception != NULL)
    {
        snprintf(message, sizeof message, "%s: %s (errno %d)", call, strerror(positive), positive);
        (*env)->ThrowNew(env, io_exception, message);
    }
}
