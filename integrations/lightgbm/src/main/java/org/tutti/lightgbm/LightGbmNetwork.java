/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import io.github.metarank.lightgbm4j.LGBMBooster;

import org.tutti.collectives.Communicator;

import java.util.Map;
import java.util.Objects;

/**
 * The network of one rank, from {@link TuttiLightGbm#network}. While it is open, LightGBM exchanges bins and histograms
 * with the other ranks in its calls on the thread that opened the network: when it creates a dataset or a booster, and
 * in each update.
 * <p>
 * <b>Errors.</b> A failure must not pass through LightGBM's native code. If a rank dies, or a deadline passes, the
 * native call goes on with the data of this rank alone, at once and without communication, and {@link #call} then
 * throws: make all calls that communicate through {@link #call}.
 * <p>
 * All methods must be called by the thread that opened the network.
 */
public final class LightGbmNetwork implements AutoCloseable
{
    private static final ThreadLocal<LightGbmNetwork> CURRENT = new ThreadLocal<>();


    private final Communicator communicator;
    private final Thread owner;
    private final NetworkFunctions functions;
    private final ParameterNames names;
    private final SettingsComparison comparison;
    /** The booster that was compared last; of a type that can be loaded without LightGBM. */
    private Object latest;
    private boolean open = true;

    /**
     * Calls of LightGBM that communicate.
     *
     * @param <T> type of the result.
     * @param <E> type of exception that the calls throw.
     */
    @FunctionalInterface
    public interface NativeCall<T, E extends Exception>
    {
        /**
         * Calls LightGBM.
         *
         * @return result of the calls.
         * @throws E if LightGBM reports an error.
         */
        T call() throws E;
    }

    private LightGbmNetwork(final Communicator communicator, final LightGbmLibrary library)
    {
        this.communicator = communicator;
        names = library.parameterNames();
        functions = new NetworkFunctions(communicator, library);
        comparison = new SettingsComparison(communicator);
        owner = Thread.currentThread();
    }

    static LightGbmNetwork open(final Communicator communicator)
    {
        Objects.requireNonNull(communicator, "communicator");
        if (Thread.currentThread().isVirtual())
        {
            throw new IllegalStateException("a virtual thread cannot have a network, which LightGBM keeps per " +
                "operating-system thread: call from a platform thread");
        }
        if (CURRENT.get() != null)
        {
            throw new IllegalStateException(
                "this thread has a network already: close it first, or use another thread per rank");
        }
        final LightGbmNetwork network = new LightGbmNetwork(communicator, LightGbmLibrary.load(communicator));
        CURRENT.set(network);
        return network;
    }

    /**
     * Adds the parameters that distributed training needs to those of the caller, and compares those of all ranks. Pass
     * the result to datasets and boosters. Ranks may differ in parameters that concern a rank alone, such as {@code
     * num_threads}, {@code verbosity}, {@code metric} and names of files. Collective.
     *
     * @param own parameters in LightGBM's format, such as {@code objective=binary num_leaves=31}. With {@code
     *            tree_learner=voting}, the trees are built by that algorithm, else by {@code data}.
     * @return these parameters and, unless given, {@code num_machines}, {@code tree_learner}, and
     *         {@code pre_partition=true}, which says that each rank loads other rows.
     * @throws IllegalArgumentException                  on all ranks, if a parameter of some contradicts the
     *                                                   communicator.
     * @throws LightGbmException                         on all ranks, if their parameters differ; the message names the
     *                                                   ranks and the first parameter, with its values.
     * @throws org.tutti.collectives.CollectiveException if a rank failed, in this call or before.
     * @throws IllegalStateException                     if another thread opened the network, or it is closed.
     */
    public String parameters(final String own)
    {
        Objects.requireNonNull(own, "own");
        requireUsable();
        NetworkParameters completed = null;
        IllegalArgumentException problem = null;
        try
        {
            completed = NetworkParameters.complete(own, communicator.size(), names);
        }
        catch (final IllegalArgumentException ex)
        {
            problem = ex;
        }
        comparison.requireEqual(problem == null ? completed.common() :
            Map.of(SettingsComparison.INVALID, problem.getMessage()), "parameters", BoosterSettings.FIX);
        if (problem != null)
        {
            throw problem;
        }
        return completed.text();
    }

    /**
     * Calls LightGBM, and throws the failure of an exchange with other ranks, if there was one in the call. Collective:
     * all ranks make the same calls.
     *
     * @param code calls of LightGBM that communicate, such as {@code booster::updateOneIter}. If an exchange failed,
     *             their result is not valid; it is closed if it can be.
     * @param <T>  type of the result.
     * @param <E>  type of exception that the code throws.
     * @return the code's result.
     * @throws E                                         if the code throws, and no exchange failed.
     * @throws org.tutti.collectives.CollectiveException if an exchange failed, in this call or before; the boosters
     *                                                   that took part must be discarded.
     * @throws LightGbmException                         on all ranks, if their datasets have different numbers of
     *                                                   features, or if the code returns a booster whose parameters
     *                                                   or bins differ between ranks; the message names the ranks.
     * @throws IllegalStateException                     if another thread opened the network, or it is closed.
     */
    public <T, E extends Exception> T call(final NativeCall<T, E> code) throws E
    {
        Objects.requireNonNull(code, "code");
        requireUsable();
        final T result;
        try
        {
            result = code.call();
        }
        catch (final Exception ex)
        {
            functions.throwFailure(ex);
            throw ex;
        }
        if (functions.hasFailed())
        {
            functions.throwFailure(close(result));
        }
        if (result instanceof final LGBMBooster booster && booster != latest && communicator.size() > 1)
        {
            try
            {
                BoosterSettings.requireEqual(booster, comparison);
            }
            catch (final RuntimeException ex)
            {
                addSuppressed(ex, close(booster));
                throw ex;
            }
            latest = booster;
        }
        return result;
    }

    private static void addSuppressed(final Exception first, final Exception second)
    {
        if (second != null)
        {
            first.addSuppressed(second);
        }
    }

    /**
     * Returns the time that exchanges took, waiting for other ranks included.
     *
     * @return nanoseconds since the network was opened.
     */
    public long exchangeNs()
    {
        return functions.exchangeNs();
    }

    /** Frees a result that is not valid; returns the exception that this caused, or null. */
    private static Exception close(final Object result)
    {
        if (result instanceof final AutoCloseable resource)
        {
            try
            {
                resource.close();
            }
            catch (final Exception ex)
            {
                return ex;
            }
        }
        return null;
    }

    /** Throws if this thread cannot use the network, or if an exchange has failed. */
    private void requireUsable()
    {
        requireOwner();
        if (!open)
        {
            throw new IllegalStateException("the network is closed: open another by TuttiLightGbm.network");
        }
        functions.throwFailure(null);
    }

    private void requireOwner()
    {
        if (Thread.currentThread() != owner)
        {
            throw new IllegalStateException("thread " + Thread.currentThread().getName() + " called a network of " +
                "thread " + owner.getName() + ": LightGBM keeps the network per thread, so call from that one");
        }
    }

    /** Ends the thread's network: LightGBM then trains on this rank alone. Idempotent. */
    @Override
    public void close()
    {
        requireOwner();
        if (open)
        {
            open = false;
            latest = null;
            CURRENT.remove();
            functions.close();
        }
    }
}
