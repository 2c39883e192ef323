/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import ai.djl.engine.Engine;

import org.tutti.collectives.Communicator;

import java.util.Locale;
import java.util.function.Supplier;

/** Loads PyTorch on all ranks, or reports which ranks cannot. */
public final class TorchEngine
{
    private static final String NAME = "PyTorch";

    private TorchEngine()
    {
    }

    /**
     * Loads the engine. Collective. Without this call, the first use of DJL loads the engine, and a rank that lacks the
     * native library leaves the others waiting for it. With {@code -Dai.djl.offline=true} DJL downloads nothing: a
     * library that is missing is an error at once.
     *
     * @param communicator the ranks.
     * @return the engine.
     * @throws DistributedTrainingException on all ranks if some cannot load it; the message names them.
     */
    public static Engine load(final Communicator communicator)
    {
        return load(communicator, () -> Engine.getEngine(NAME));
    }

    static Engine load(final Communicator communicator, final Supplier<Engine> loader)
    {
        Engine engine = null;
        String problem = "";
        Throwable cause = null;
        try
        {
            engine = loader.get();
        }
        catch (final RuntimeException | LinkageError | AssertionError ex)
        {
            problem = RankTexts.describe(ex);
            cause = ex;
        }
        RankTexts.requireNone(communicator, "cannot load PyTorch", problem,
            "add ai.djl.pytorch:pytorch-engine, pytorch-jni, and pytorch-native-cpu with the classifier " + platform() +
            " to the class path of each rank", cause);
        return engine;
    }

    private static String platform()
    {
        final String architecture = System.getProperty("os.arch");
        return System.getProperty("os.name").toLowerCase(Locale.ROOT) + "-" +
            ("amd64".equals(architecture) ? "x86_64" : architecture);
    }
}
