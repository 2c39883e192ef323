/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import org.tutti.bootstrap.Coordinator;
import org.tutti.bootstrap.RankFailure;

/** For ranks that join nothing: any program can be run before the bootstrap serves jobs. */
final class NoCoordinator implements Coordinator
{
    private RankFailure failure;

    @Override
    public void rankFailed(final RankFailure failed)
    {
        failure = failed;
    }

    @Override
    public void rankExited(final int rank)
    {
        // Nobody joined.
    }

    @Override
    public void abort(final String cause)
    {
        failure = new RankFailure(-1, "", 0, cause);
    }

    @Override
    public RankFailure failure()
    {
        return failure;
    }

    @Override
    public void close()
    {
        // There is nothing to end.
    }
}
