/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** Three hosts a, b and c for the tests of a class, healed after each test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class HostsFixture
{
    private Path directory;
    private FaultJobs jobs;
    private NamespaceHosts hosts;

    @BeforeAll
    void start(@TempDir final Path work) throws Exception
    {
        directory = work;
        hosts = NamespaceHosts.start(directory, "a", "b", "c");
        jobs = new FaultJobs(hosts, directory);
    }

    @AfterEach
    void heal() throws Exception
    {
        hosts.run("heal");
    }

    @AfterAll
    void close() throws Exception
    {
        if (hosts != null)
        {
            hosts.close();
        }
    }

    /** Directory for files, which all hosts share. */
    final Path directory()
    {
        return directory;
    }

    final FaultJobs jobs()
    {
        return jobs;
    }

    final NamespaceHosts hosts()
    {
        return hosts;
    }
}
