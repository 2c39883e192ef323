/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Requires the two modules whose packages the program imports. */
module consumer
{
    requires org.tutti.bootstrap;
    requires org.tutti.collectives;
}
