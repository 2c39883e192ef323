/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni;

import org.tutti.rdma.Context;
import org.tutti.rdma.Device;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/**
 * Redefines DiSNI's classes and those of Tutti that use them, so that DiSNI's call of {@link System#loadLibrary} finds
 * the library bundled with Tutti. The class path's loader searches only {@code java.library.path}, which is fixed when
 * the JVM starts.
 */
final class DisniLoader extends ClassLoader
{
    private static final String LIBRARY = "disni";
    private static final String DISNI = "com.ibm.disni.";
    private static final String ARTEFACT = "com.ibm.disni:disni:2.1";
    private static final String LOGGING_ARTEFACT = "org.slf4j:slf4j-api";
    private static final String OPENER = "org.tutti.rdma.disni.impl.DeviceOpener";

    private static DisniLoader loader;
    private static BiFunction<Device, Context, Context> opener;

    private final Path library;
    private final Set<String> packages = ConcurrentHashMap.newKeySet();

    private DisniLoader(final ClassLoader parent, final Path library)
    {
        super("disni", parent);
        this.library = library;
    }

    /**
     * Checks that the optional dependencies are on the class path, without loading them.
     *
     * @throws RdmaException if one is not; the message names it.
     */
    static void requireArtefacts()
    {
        require("com/ibm/disni/verbs/RdmaProvider.class", ARTEFACT);
        require("org/slf4j/Logger.class", LOGGING_ARTEFACT);
    }

    private static void require(final String resource, final String artefact)
    {
        if (DisniLoader.class.getClassLoader().getResource(resource) == null)
        {
            throw new RdmaException(Errno.ENOENT, "load_provider", "transport disni needs " + artefact +
                ", which is not on the class path: add the dependency, or choose another transport");
        }
    }

    /**
     * Loads DiSNI and returns the function that opens devices.
     *
     * @return a function of a device and an open context for queries; the returned context owns that open context.
     * @throws RdmaException if DiSNI or its native library cannot be loaded; the message contains the fix.
     */
    @SuppressWarnings("unchecked")
    static synchronized BiFunction<Device, Context, Context> opener()
    {
        if (opener == null)
        {
            requireArtefacts();
            final Path library = NativeLibrary.find(LIBRARY, System.getProperty("java.library.path", ""));
            try
            {
                loader = new DisniLoader(DisniLoader.class.getClassLoader(), library);
                opener = make(OPENER, BiFunction.class);
            }
            finally
            {
                NativeLibrary.remove(library);
            }
        }
        return opener;
    }

    /**
     * Creates an instance of a class defined by this loader, together with its package.
     *
     * @param name name of the class.
     * @param type type to return.
     * @param <T>  type of the object.
     * @return an instance created by the public constructor.
     */
    static synchronized <T> T newInstance(final String name, final Class<T> type)
    {
        opener();
        return make(name, type);
    }

    private static <T> T make(final String name, final Class<T> type)
    {
        loader.packages.add(packageOf(name));
        try
        {
            return Class.forName(name, true, loader).asSubclass(type).getConstructor().newInstance();
        }
        catch (final InvocationTargetException e)
        {
            if (e.getCause() instanceof RdmaException failure)
            {
                throw failure;
            }
            throw failure(name, e);
        }
        catch (final ReflectiveOperationException e)
        {
            throw failure(name, e);
        }
    }

    private static RdmaException failure(final String name, final Exception cause)
    {
        return new RdmaException(Errno.ENOENT, "load_provider", name + " cannot be loaded: " + cause +
            ": add " + ARTEFACT + " to the class path");
    }

    private static String packageOf(final String name)
    {
        return name.substring(0, name.lastIndexOf('.'));
    }

    @Override
    protected Class<?> loadClass(final String name, final boolean resolve) throws ClassNotFoundException
    {
        if (!isOwn(name))
        {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name))
        {
            final Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }
    }

    private boolean isOwn(final String name)
    {
        return name.startsWith(DISNI) || (name.indexOf('.') > 0 && packages.contains(packageOf(name)));
    }

    private Class<?> define(final String name) throws ClassNotFoundException
    {
        try (InputStream input = getParent().getResourceAsStream(name.replace('.', '/') + ".class"))
        {
            if (input == null)
            {
                throw new ClassNotFoundException(name);
            }
            final byte[] bytes = input.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length, DisniLoader.class.getProtectionDomain());
        }
        catch (final IOException e)
        {
            throw new ClassNotFoundException(name, e);
        }
    }

    /** Null if the library is on {@code java.library.path}, which the JVM searches next. */
    @Override
    protected String findLibrary(final String name)
    {
        return name.equals(LIBRARY) && library != null ? library.toString() : null;
    }
}
