/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script that finds a JDK, builds and starts Tutti: what it decides, with programs in the places of java and mvn
 * that say what they were called with.
 */
class ScriptTest
{
    private static final List<String> TOOLS = List.of(
        "basename", "cat", "cp", "find", "flock", "grep", "head", "mkdir", "mv", "readlink", "rm", "sleep", "tail");

    @TempDir
    private Path directory;
    private Path home;
    private Path bin;
    private Path jdk;

    @BeforeEach
    void makeAClone() throws IOException
    {
        home = Files.createDirectories(directory.resolve("a clone"));
        bin = Files.createDirectories(directory.resolve("bin"));
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
            executable(bin.resolve(tool), "#!/bin/sh\nexec " + Executables.find(tool) + " \"$@\"\n");
        }
        executable(bin.resolve("mvn"), """
            #!/bin/sh
            echo "$JAVA_HOME" >>"$MAVEN_LOG"
            echo "[INFO] Building Tutti: module 0.1                   [1/1]"
            sleep 0.5
            if [ -n "$MAVEN_FAILS" ]; then echo "[ERROR] A.java: what is wrong"; exit 1; fi
            for word; do case $word in -Dtutti.lib=*) mkdir -p "${word#*=}"; : >"${word#*=}/a.jar" ;; esac; done
            """);
        jdk = makeJdk("jvm/jdk-25", "25.0.1");
    }

    @Test
    void shouldBuildAtTheFirstUseOnly() throws IOException
    {
        final TuttiProcess.Result first = tutti("run", "a b");
        final TuttiProcess.Result second = tutti("--version");

        assertEquals(0, first.code(), first.err());
        assertTrue(first.err().startsWith("tutti: first use: building Tutti"), first.err());
        assertTrue(first.err().contains("tutti:   Tutti: module [1/1]"), first.err());
        assertEquals("@" + home + "/target/tutti/launcher.options|org.tutti.launcher.Main|run|a b|\n", first.out());
        assertEquals("", second.err());
        assertEquals("@" + home + "/target/tutti/launcher.options|org.tutti.launcher.Main|--version|\n", second.out());
        assertEquals(List.of(jdk.toString()), builds());
    }

    @Test
    void shouldBuildAgainWhenSomethingThatItIsMadeOfChanged() throws IOException
    {
        tutti("--version");
        for (final String changed : List.of(
            "module/src/main/java/A.java", "module/src/main/java", "module/pom.xml", "jvm.options", "tutti"))
        {
            final int before = builds().size();
            makeInstallationOld();
            Files.setLastModifiedTime(home.resolve(changed), FileTime.from(Instant.now().minusSeconds(5)));

            final TuttiProcess.Result result = tutti("--version");

            assertTrue(result.err().startsWith("tutti: sources changed: building Tutti"), changed + result.err());
            assertEquals(before + 1, builds().size(), changed);
        }
        assertEquals("", tutti("--version").err());
    }

    @Test
    void shouldBuildAgainForAnotherJdk() throws IOException
    {
        tutti("--version");
        final Path other = makeJdk("other", "26");

        final TuttiProcess.Result result = run(start("JAVA_HOME=" + other, home.resolve("tutti"), "--version"));

        assertEquals(0, result.code(), result.err());
        assertEquals(List.of(jdk.toString(), other.toString()), builds());
    }

    @Test
    void shouldBuildOnceWhenTwoStartTogether() throws IOException
    {
        for (final boolean hasFlock : new boolean[] {true, false})
        {
            if (!hasFlock)
            {
                Files.delete(bin.resolve("flock"));
                Files.delete(home.resolve("target/tutti/stamp"));
                Files.delete(directory.resolve("builds"));
            }
            final Process one = start("A=B", home.resolve("tutti"), "run");
            final Process two = start("A=B", home.resolve("tutti"), "run");

            final TuttiProcess.Result first = run(one);
            final TuttiProcess.Result second = run(two);

            assertEquals(0, first.code(), first.err());
            assertEquals(0, second.code(), second.err());
            assertEquals(first.out(), second.out());
            assertEquals(1, builds().size(), first.err() + second.err());
            assertTrue((first.err() + second.err()).contains("another process builds Tutti; waiting for it"));
        }
    }

    @Test
    void shouldTakeOverTheLockOfOneThatDied() throws IOException
    {
        Files.delete(bin.resolve("flock"));
        final Path lock = Files.createDirectories(home.resolve("target/tutti/lock.d"));
        Files.writeString(lock.resolve("pid"), "999999999\n");

        assertEquals(0, tutti("--version").code());
        assertTrue(Files.notExists(lock));
    }

    @Test
    void shouldShowWhyABuildFailedAndTryAgain() throws IOException
    {
        final TuttiProcess.Result failed = run(start("MAVEN_FAILS=yes", home.resolve("tutti"), "--version"));
        final TuttiProcess.Result again = tutti("--version");

        assertEquals(1, failed.code());
        assertTrue(failed.err().contains("[ERROR] A.java: what is wrong\n"), failed.err());
        assertTrue(failed.err().endsWith("all of its output is in " + home + "/target/tutti/build.log\n"));
        assertEquals("", failed.out());
        assertEquals(0, again.code(), again.err());
    }

    @Test
    void shouldSayWhatToInstall() throws IOException
    {
        Files.delete(bin.resolve("mvn"));
        final TuttiProcess.Result withoutMaven = tutti("--version");
        Files.delete(jdk.resolve("release"));
        final TuttiProcess.Result withoutJdk = tutti("--version");
        final Path old = makeJdk("old", "17.0.2");
        final TuttiProcess.Result withOldJdk = run(start("JAVA_HOME=" + old, home.resolve("tutti"), "--version"));

        assertEquals(1, withoutMaven.code());
        assertTrue(withoutMaven.err().endsWith(
            "tutti: needs Maven (mvn) 3.8 or newer to build itself, and it is not on the PATH; install it " +
            "(apt-get install maven)\n"), withoutMaven.err());
        assertEquals(1, withoutJdk.code());
        assertEquals("tutti: needs a JDK 25 or newer in JAVA_HOME, on the PATH or in " + directory.resolve("jvm") +
            ", and found none; install one (openjdk-25-jdk or temurin-25-jdk) or set JAVA_HOME\n", withoutJdk.err());
        assertEquals(1, withOldJdk.code());
        assertTrue(withOldJdk.err().contains("and found Java 17 in " + old + "; install one"), withOldJdk.err());
    }

    @Test
    void shouldFindItsHomeThroughLinks() throws IOException
    {
        final Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("a clone/tutti"));
        final Path other = Files.createSymbolicLink(bin.resolve("tutti"), link);

        final TuttiProcess.Result result = run(start("A=B", other, "--version"));

        assertEquals("@" + home + "/target/tutti/launcher.options|org.tutti.launcher.Main|--version|\n", result.out());
    }

    @Test
    void shouldStartAJobAsARankWhereSomethingElseStartedTheRanks() throws IOException
    {
        tutti("--version");

        final TuttiProcess.Result rank = run(start("SLURM_STEP_NUM_TASKS=2", home.resolve("tutti"), "perf", "barrier"));
        final TuttiProcess.Result launcher = run(start("SLURM_STEP_NUM_TASKS=2", home.resolve("tutti"), "run"));

        assertEquals("@" + home + "/target/tutti/rank.options|org.tutti.launcher.Main|perf|barrier|\n", rank.out());
        assertTrue(launcher.out().contains("launcher.options"), launcher.out());
    }

    @Test
    void shouldGiveTheLauncherALocaleThatKeepsItsArguments() throws IOException
    {
        tutti("--version");

        final TuttiProcess.Result result = run(start("SHOW_LOCALE=yes", home.resolve("tutti"), "run", "ü"));

        assertTrue(result.out().endsWith("|ü|\nC.UTF-8,\n"), result.out());
    }

    private TuttiProcess.Result tutti(final String... arguments) throws IOException
    {
        return run(start("A=B", home.resolve("tutti"), arguments));
    }

    private Process start(final String variable, final Path script, final String... arguments) throws IOException
    {
        final ProcessBuilder builder = new ProcessBuilder(script.toString());
        builder.command().addAll(List.of(arguments));
        builder.environment().clear();
        builder.environment().put("PATH", bin.toString());
        builder.environment().put("MAVEN_LOG", directory.resolve("builds").toString());
        builder.environment().put("MAVEN_FAILS", "");
        final String[] assignment = variable.split("=", 2);
        builder.environment().put(assignment[0], assignment[1]);
        return builder.start();
    }

    private static TuttiProcess.Result run(final Process process) throws IOException
    {
        final String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        final String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try
        {
            return new TuttiProcess.Result(process.waitFor(), out, err);
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private List<String> builds() throws IOException
    {
        return Files.readAllLines(directory.resolve("builds"));
    }

    /** Sources must be able to be newer than the installation without being newer than now. */
    private void makeInstallationOld() throws IOException
    {
        final FileTime old = FileTime.from(Instant.now().minusSeconds(10));
        for (final String file : List.of("pom.xml", "jvm.options", "tutti", "module/pom.xml", "module/src/main/java",
            "module/src/main/java/A.java", "module/src/main", "target/tutti/stamp"))
        {
            Files.setLastModifiedTime(home.resolve(file), old);
        }
        Files.setLastModifiedTime(jdk.resolve("release"), old);
    }

    private Path makeJdk(final String name, final String version) throws IOException
    {
        final Path made = Files.createDirectories(directory.resolve(name));
        Files.createDirectories(made.resolve("bin"));
        executable(made.resolve("bin/javac"), "#!/bin/sh\n");
        executable(made.resolve("bin/java"), """
            #!/bin/sh
            for word; do printf '%s|' "$word"; done
            echo
            [ -z "$SHOW_LOCALE" ] || echo "$LC_ALL,$TUTTI_LC_ALL"
            """);
        Files.writeString(made.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
        return made;
    }

    private static void executable(final Path file, final String text) throws IOException
    {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
