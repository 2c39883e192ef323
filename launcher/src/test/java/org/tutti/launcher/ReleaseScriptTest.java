/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;

/** Tests how the script of a release finds Java and starts Tutti: it never builds. */
class ReleaseScriptTest extends ScriptFixture
{
    @Test
    void shouldStartReleaseWithArgumentsThatContainItsPaths() throws IOException
    {
        final Path release = makeRelease();
        Files.delete(jdk.resolve("bin/javac"));

        final TuttiProcess.Result first = run(start("A=B", release.resolve("bin/tutti"), "run", "a b"));
        final TuttiProcess.Result second = run(start("A=B", release.resolve("bin/tutti"), "run", "a b"));
        final TuttiProcess.Result rank = run(start("RANK=0", release.resolve("bin/tutti"), "perf"));

        final Path lib = release.resolve("lib/tutti");
        final String caches = lib + "/jdk" + jdk.toString().replace('/', '-');
        final String paths = "-cp|" + lib + "/b.jar:" + lib + "/a.jar|-Dtutti.home=" + release + "/bin|";
        final String expected = "@" + caches + "/launcher.options|" + paths +
            "-Dtutti.build=4294967295|-Dtutti.rank.options=" + caches + "/rank.options|-Dtutti.rank.arguments=" +
            paths.substring(0, paths.length() - 1).replace('|', '\n') + "|org.tutti.launcher.cli.Main|run|a b|\n";
        assertEquals(new TuttiProcess.Result(0, expected,
            "tutti: first use with this Java: creating class caches in " + lib + "\n"), first);
        assertEquals(new TuttiProcess.Result(0, expected, ""), second);
        assertEquals("@" + caches + "/rank.options|" + paths + "org.tutti.launcher.cli.Main|perf|\n", rank.out());
        assertFalse(Files.exists(directory.resolve("builds")), "Maven was called");
    }

    @Test
    void shouldCreateNoCachesOfReleaseForRanksAndAgents() throws IOException
    {
        final Path release = makeRelease();

        final TuttiProcess.Result rank = run(start("RANK=0", release.resolve("bin/tutti"), "perf"));
        final TuttiProcess.Result agent = run(start("A=B", release.resolve("bin/tutti"), "agent"));

        assertEquals("", rank.err() + agent.err());
        assertTrue(rank.out().startsWith("@" + release + "/lib/tutti/rank.options|-cp|"), rank.out());
        assertTrue(agent.out().startsWith("@" + release + "/lib/tutti/launcher.options|-cp|"), agent.out());
    }

    @Test
    void shouldUseRuntimeAndCachesOfRelease() throws IOException
    {
        final Path release = makeRelease();
        final Path cache = Files.createDirectories(release.resolve("lib/tutti/cache"));
        for (final String file : List.of("launcher.options", "rank.options", "launcher.aot", "rank.jsa"))
        {
            Files.writeString(cache.resolve(file), "");
        }
        makeJdk("a release/lib/tutti/runtime", "25");
        Files.delete(jdk.resolve("release"));

        final TuttiProcess.Result result = run(start("JAVA_HOME=/nonexistent", release.resolve("bin/tutti"), "run"));

        assertEquals("", result.err());
        assertTrue(result.out().startsWith("@" + cache + "/launcher.options|"), result.out());
        assertTrue(result.out().contains("|-XX:AOTCache=" + cache + "/launcher.aot|"), result.out());
        assertTrue(result.out().contains("\n-XX:SharedArchiveFile=" + cache + "/rank.jsa|"), result.out());
    }

    @Test
    void shouldReportMissingJavaOfRelease() throws IOException
    {
        final Path script = makeRelease().resolve("bin/tutti");
        Files.delete(jdk.resolve("release"));
        final Path old = makeJdk("old", "21.0.2");

        final TuttiProcess.Result missing = run(start("A=B", script, "--version"));
        final TuttiProcess.Result nowhere = run(start("JAVA_HOME=/nonexistent", script, "--version"));
        final TuttiProcess.Result tooOld = run(start("JAVA_HOME=" + old, script, "--version"));

        final String needs = "tutti: needs Java 25 or newer in JAVA_HOME, on the PATH or in " +
            directory.resolve("jvm") + ", found ";
        final String fix = "; install one (openjdk-25-jre-headless or temurin-25-jre) or set JAVA_HOME\n";
        assertEquals(new TuttiProcess.Result(2, "", needs + "none" + fix), missing);
        assertEquals(new TuttiProcess.Result(2, "", needs + "JAVA_HOME=/nonexistent, which does not exist" + fix),
            nowhere);
        assertEquals(new TuttiProcess.Result(2, "", needs + "Java 21 in " + old + fix), tooOld);
    }

    /** Makes the files of a release, with a name that contains a space. */
    private Path makeRelease() throws IOException
    {
        final Path release = Files.createDirectories(directory.resolve("a release"));
        final Path lib = Files.createDirectories(release.resolve("lib/tutti"));
        Files.createDirectories(release.resolve("bin"));
        executable(release.resolve("bin/tutti"), Files.readString(home.resolve("tutti")));
        Files.writeString(lib.resolve("classpath"), "b.jar\na.jar\n");
        Files.writeString(lib.resolve("build"), "4294967295\n");
        Files.writeString(lib.resolve("launcher.options"), "");
        Files.writeString(lib.resolve("rank.options"), "");
        return release;
    }
}
