/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.AbstractBlock;
import ai.djl.nn.Parameter;
import ai.djl.training.ParameterStore;
import ai.djl.util.PairList;

/** Multiplies by a parameter, and may add another. */
final class TwoParametersBlock extends AbstractBlock
{
    private final boolean adds;
    private final Parameter first;
    private final Parameter second;

    /**
     * Creates a block.
     *
     * @param isSwapped whether the second parameter comes before the first.
     * @param adds      whether the second parameter is used.
     */
    TwoParametersBlock(final boolean isSwapped, final boolean adds)
    {
        this.adds = adds;
        final Parameter early = isSwapped ? addSecond() : addFirst();
        final Parameter late = isSwapped ? addFirst() : addSecond();
        first = isSwapped ? late : early;
        second = isSwapped ? early : late;
    }

    private Parameter addFirst()
    {
        return addParameter(Parameter.builder().setName("first").setType(Parameter.Type.GAMMA)
            .optShape(new Shape(ToyTraining.FEATURES)).build());
    }

    private Parameter addSecond()
    {
        return addParameter(Parameter.builder().setName("second").setType(Parameter.Type.BIAS)
            .optShape(new Shape(ToyTraining.FEATURES)).build());
    }

    @Override
    protected NDList forwardInternal(final ParameterStore store, final NDList inputs,
        final boolean training, final PairList<String, Object> params)
    {
        final NDArray data = inputs.singletonOrThrow();
        final NDArray product = data.mul(store.getValue(first, data.getDevice(), training));
        return new NDList(adds ? product.add(store.getValue(second, data.getDevice(), training)) : product);
    }

    @Override
    public Shape[] getOutputShapes(final Shape[] inputs)
    {
        return inputs;
    }
}
