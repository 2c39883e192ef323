/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A job that needs a jar. */
@Command(name = "sample-jars", mixinStandardHelpOptions = true, description = "Prints the end of its class path.")
public final class SampleJarsJob implements JobCommand
{
    private static final String JAR = "/needed.jar";

    @Option(names = "--words", description = "Words to print.")
    private String words;

    @Override
    public String classPath()
    {
        if ("none".equals(System.getenv("SAMPLE_JARS")))
        {
            throw new IllegalStateException("sample-jars needs a jar: install it");
        }
        return JAR;
    }

    @Override
    public Integer call()
    {
        final String[] path = System.getProperty("java.class.path").split(":", -1);
        System.out.println(path.length > 1 ? words + path[path.length - 1] : "alone");
        return 0;
    }
}
