/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserClassesTest
{
    @Test
    void shouldReadJvmOptionsFromManifest(@TempDir final Path directory) throws IOException
    {
        final Path jar = directory.resolve("a.jar");
        final Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Add-Opens", "java.base/java.lang java.base/java.io");
        manifest.getMainAttributes().putValue("Add-Exports", "java.base/sun.nio.ch");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();

        assertEquals(
            List.of(
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.io=ALL-UNNAMED",
                "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED"),
            UserClasses.jvmArgs(jar.toString()));
    }
}
