/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import java.io.Serializable;

/**
 * What a training sends to the driver: a model, or why there is none. Not a record, which Kryo cannot read.
 *
 * @param <M> type of the model.
 */
final class TrainingOutcome<M extends Serializable> implements Serializable
{
    private static final long serialVersionUID = 1L;

    private final M model;
    private final String problem;

    private TrainingOutcome(final M model, final String problem)
    {
        this.model = model;
        this.problem = problem;
    }

    static <M extends Serializable> TrainingOutcome<M> of(final M model)
    {
        return new TrainingOutcome<>(model, null);
    }

    static <M extends Serializable> TrainingOutcome<M> failed(final InvalidDataException problem)
    {
        return new TrainingOutcome<>(null, problem.getMessage());
    }

    /** Returns the model. */
    M model()
    {
        if (problem != null)
        {
            throw new InvalidDataException(problem);
        }
        return model;
    }
}
