/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.tutti.launcher.host.SpawnPrefix;

/** A clone whose script finds programs in place of java and mvn, which record their arguments. */
abstract class ScriptFixture
{
    private static final List<String> TOOLS = List.of(
        "basename", "cat", "cksum", "cp", "env", "find", "flock", "grep", "head", "ln", "mkdir", "mv", "readlink", "rm",
        "sed", "sha256sum", "sleep", "sort", "tail", "touch");

    @TempDir
    Path directory;
    Path home;
    /** Programs that tests provide, before those of the host. */
    Path bin;
    /** The host's programs: links, as a script for each would start another process in each call. */
    Path tools;
    Path jdk;

    @BeforeEach
    void makeAClone() throws IOException
    {
        home = Files.createDirectories(directory.resolve("a clone"));
        bin = Files.createDirectories(directory.resolve("bin"));
        tools = Files.createDirectories(directory.resolve("tools"));
        final Path root = Path.of(System.getProperty("tutti.root"));
        final String script = Files.readString(root.resolve("tutti"))
            .replace("/usr/lib/jvm", directory.resolve("jvm").toString()).replace("/opt/", "/nonexistent/");
        executable(home.resolve("tutti"), script);
        Files.copy(root.resolve("jvm.options"), home.resolve("jvm.options"));
        Files.writeString(home.resolve("pom.xml"), "");
        Files.createDirectories(home.resolve("module/src/main/java"));
        Files.writeString(home.resolve("module/pom.xml"), "");
        Files.writeString(home.resolve("module/src/main/java/A.java"), "");
        for (final String tool : TOOLS)
        {
            Files.createSymbolicLink(tools.resolve(tool), Path.of(SpawnPrefix.find(tool)));
        }
        executable(bin.resolve("mvn"), """
            #!/bin/sh
            echo "$JAVA_HOME" >>"$MAVEN_LOG"
            echo "[INFO] Building Tutti: module 0.1                   [1/1]"
            while [ -n "$MAVEN_WAITS_FOR" ] && [ ! -e "$MAVEN_WAITS_FOR" ]; do sleep 0.05; done
            if [ -n "$MAVEN_FAILS" ]; then echo "[ERROR] A.java: what is wrong"; exit 1; fi
            for word; do case $word in -Dtutti.lib=*) mkdir -p "${word#*=}"; : >"${word#*=}/a.jar" ;; esac; done
            """);
        jdk = makeJdk("jvm/jdk-25", "25.0.1");
    }

    TuttiProcess.Result tutti(final String... arguments) throws IOException
    {
        return run(start("A=B", home.resolve("tutti"), arguments));
    }

    Process start(final String variable, final Path script, final String... arguments) throws IOException
    {
        final ProcessBuilder builder = new ProcessBuilder(script.toString());
        builder.command().addAll(List.of(arguments));
        builder.directory(home.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", bin + File.pathSeparator + tools);
        builder.environment().put("MAVEN_LOG", directory.resolve("builds").toString());
        builder.environment().put("MAVEN_FAILS", "");
        final String[] assignment = variable.split("=", 2);
        builder.environment().put(assignment[0], assignment[1]);
        return builder.start();
    }

    /** Waits for a script with a timeout, then reads its output, which fits into a pipe. */
    static TuttiProcess.Result run(final Process process) throws IOException
    {
        try
        {
            assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the script has not ended");
            return new TuttiProcess.Result(
                process.exitValue(),
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8),
                new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    List<String> builds() throws IOException
    {
        return Files.readAllLines(directory.resolve("builds"));
    }

    /** Returns the recorded arguments of java: the options of a build, and the main class. */
    String options(final int build, final Path java, final String kind)
    {
        return "@" + home + "/target/tutti/build-" + build + "/jdk" + java.toString().replace('/', '-') + "/" + kind +
            ".options|org.tutti.launcher.cli.Main";
    }

    void change(final String file) throws IOException
    {
        Files.writeString(home.resolve(file), "\n", StandardOpenOption.APPEND);
    }

    Path makeJdk(final String name, final String version) throws IOException
    {
        final Path made = Files.createDirectories(directory.resolve(name));
        Files.createDirectories(made.resolve("bin"));
        executable(made.resolve("bin/javac"), "#!/bin/sh\n");
        executable(made.resolve("bin/java"), """
            #!/bin/sh
            for word; do printf '%s|' "$word"; done
            echo
            while [ -n "$WAIT_FOR" ] && [ ! -e "$WAIT_FOR" ]; do sleep 0.05; done
            [ -z "$SHOW_LOCALE" ] || echo "$LC_ALL,$TUTTI_LC_ALL"
            """);
        Files.writeString(made.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
        return made;
    }

    static void executable(final Path file, final String text) throws IOException
    {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
