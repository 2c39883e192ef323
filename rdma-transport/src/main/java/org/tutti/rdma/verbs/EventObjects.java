/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The objects of a context that asynchronous events can concern, by native address. Thread-safe. */
final class EventObjects
{
    private final Map<Long, Object> objects = new ConcurrentHashMap<>();

    void add(final long handle, final Object object)
    {
        objects.put(handle, object);
    }

    /**
     * Removes a freed object.
     *
     * @param handle former native address of the object, which another object may have now.
     * @param object object that was destroyed.
     */
    void remove(final long handle, final Object object)
    {
        objects.remove(handle, object);
    }

    Object find(final long handle)
    {
        return objects.get(handle);
    }
}
