/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.launcher.host.SpawnPrefix;

/** Tests the decisions of the script that finds a JDK, builds and starts Tutti. */
class ScriptTest extends ScriptFixture
{
    private static final long POLL_MS = 5;

    @Test
    void shouldBuildOnFirstUseOnly() throws IOException
    {
        final TuttiProcess.Result first = tutti("run", "a b");
        final TuttiProcess.Result second = tutti("--version");

        assertEquals(0, first.code(), first.err());
        assertTrue(first.err().startsWith("tutti: first use: building Tutti"), first.err());
        assertTrue(first.err().contains("tutti:   Tutti: module [1/1]"), first.err());
        assertEquals(options(1, jdk, "launcher") + "|run|a b|\n", first.out());
        assertEquals("", second.err());
        assertEquals(options(1, jdk, "launcher") + "|--version|\n", second.out());
        assertEquals(List.of(jdk.toString()), builds());
    }

    @Test
    void shouldRebuildWhenSourcesChange() throws IOException
    {
        tutti("--version");
        for (final String changed : List.of("module/src/main/java/A.java", "module/pom.xml", "jvm.options", "tutti"))
        {
            change(changed);
            assertBuildsOnce(changed + " was edited");
        }
        Files.writeString(home.resolve("module/src/main/java/B.java"), "");
        assertBuildsOnce("a file was added");
        Files.move(home.resolve("module/src/main/java/B.java"), home.resolve("module/src/main/java/C.java"));
        assertBuildsOnce("a file was renamed");
        Files.delete(home.resolve("module/src/main/java/C.java"));
        assertBuildsOnce("a file was deleted");
    }

    @Test
    void shouldRebuildWhenEditedFileKeepsItsSizeAndDate() throws IOException
    {
        final Path source = home.resolve("module/src/main/java/A.java");
        Files.writeString(source, "class A {}");
        final FileTime date = FileTime.from(Instant.now().minus(1000, ChronoUnit.DAYS));
        Files.setLastModifiedTime(source, date);
        tutti("--version");

        Files.writeString(source, "class A {)");
        Files.setLastModifiedTime(source, date);

        assertBuildsOnce("an edited file has its old size and date");
    }

    @Test
    void shouldReadFileOnceAndNotRebuildWhenOnlyItsDateChanges() throws IOException
    {
        final Path digests = directory.resolve("digests");
        Files.writeString(digests, "");
        final String tool = SpawnPrefix.find("sha256sum");
        executable(bin.resolve("sha256sum"), "#!/bin/sh\necho >>'" + digests + "'\nexec " + tool + " \"$@\"\n");
        tutti("--version");
        for (final int days : new int[]{-1000, 1000})
        {
            Files.setLastModifiedTime(home.resolve("pom.xml"),
                FileTime.from(Instant.now().plus(days, ChronoUnit.DAYS)));
            final long before = Files.size(digests);

            final TuttiProcess.Result first = tutti("--version");
            final long afterFirst = Files.size(digests);
            final TuttiProcess.Result second = tutti("--version");

            assertEquals("", first.err() + second.err());
            assertTrue(afterFirst > before);
            assertEquals(afterFirst, Files.size(digests), "files were read again");
        }
        assertEquals(1, builds().size());
    }

    @Test
    void shouldCompareContentsWhenListOfFilesCannotBeWritten() throws IOException
    {
        tutti("--version");
        final Path list = home.resolve("target/tutti/current/sources");
        Files.deleteIfExists(list);
        // A directory in place of the file, as root can write any file.
        Files.createDirectory(list);

        assertEquals("", tutti("--version").err());
        change("pom.xml");
        assertBuildsOnce("a file was edited");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRebuildWhenFileIsEditedDuringBuild(final boolean isReverted) throws Exception
    {
        final Path source = home.resolve("module/src/main/java/A.java");
        final String before = Files.readString(source);
        final Path release = directory.resolve("release");
        final Process build = start("MAVEN_WAITS_FOR=" + release, home.resolve("tutti"), "--version");
        while (!Files.exists(directory.resolve("builds")))
        {
            assertTrue(build.isAlive());
            Thread.sleep(POLL_MS);
        }
        change("module/src/main/java/A.java");
        if (isReverted)
        {
            Files.writeString(source, before);
        }
        Files.writeString(release, "");
        assertEquals(0, run(build).code());

        assertBuildsOnce("a file was edited during the build");
    }

    @Test
    void shouldRetryWhenRebuildFailed() throws IOException
    {
        tutti("--version");
        change("pom.xml");

        final TuttiProcess.Result failed = run(start("MAVEN_FAILS=yes", home.resolve("tutti"), "--version"));
        final TuttiProcess.Result failedAgain = run(start("MAVEN_FAILS=yes", home.resolve("tutti"), "--version"));

        assertEquals(1, failed.code());
        assertEquals(1, failedAgain.code());
        assertBuildsOnce("the build had failed");
    }

    @Test
    void shouldReuseBuildWithAnyJdkThatIsNotOlder() throws IOException
    {
        final Path old = makeJdk("old", "25");
        final Path other = makeJdk("other", "26");
        tutti("--version");

        final TuttiProcess.Result first = run(start("JAVA_HOME=" + other, home.resolve("tutti"), "--version"));
        final TuttiProcess.Result second = run(start("JAVA_HOME=" + other, home.resolve("tutti"), "--version"));
        final TuttiProcess.Result before = tutti("--version");

        assertEquals(new TuttiProcess.Result(0, options(1, other, "launcher") + "|--version|\n",
            "tutti: different JDK: creating its class caches\n"), first);
        assertEquals("", second.err() + before.err());
        assertEquals(options(1, jdk, "launcher") + "|--version|\n", before.out());
        assertEquals(List.of(jdk.toString()), builds());

        change("pom.xml");
        run(start("JAVA_HOME=" + other, home.resolve("tutti"), "--version"));
        run(start("JAVA_HOME=" + old, home.resolve("tutti"), "--version"));

        assertEquals(List.of(jdk.toString(), other.toString(), old.toString()), builds());
    }

    @Test
    void shouldKeepBuildWhileInUse() throws Exception
    {
        tutti("--version");
        final Path release = directory.resolve("release");
        final Process user = start("WAIT_FOR=" + release, home.resolve("tutti"), "run");
        while (user.getInputStream().available() == 0 && user.isAlive())
        {
            Thread.sleep(POLL_MS);
        }
        for (int build = 2; build <= 3; build++)
        {
            change("pom.xml");
            tutti("--version");
        }

        assertTrue(user.isAlive());
        assertEquals(List.of("build-1", "build-2", "build-3"), buildDirectories());
        Files.writeString(release, "");
        assertEquals(options(1, jdk, "launcher") + "|run|\n", run(user).out());
        change("pom.xml");
        assertEquals(options(4, jdk, "launcher") + "|run|\n", tutti("run").out());
        assertEquals(List.of("build-3", "build-4"), buildDirectories());
    }

    @Test
    void shouldBuildOnceWhenStartedTwiceConcurrently() throws Exception
    {
        final Path release = directory.resolve("release");
        final Process one = start("MAVEN_WAITS_FOR=" + release, home.resolve("tutti"), "run");
        final Process two = start("MAVEN_WAITS_FOR=" + release, home.resolve("tutti"), "run");
        // One process has reported that it builds, the other that it waits.
        while (one.getErrorStream().available() == 0 || two.getErrorStream().available() == 0)
        {
            assertTrue(one.isAlive() && two.isAlive());
            Thread.sleep(POLL_MS);
        }
        Files.writeString(release, "");

        final TuttiProcess.Result first = run(one);
        final TuttiProcess.Result second = run(two);

        assertEquals(0, first.code(), first.err());
        assertEquals(0, second.code(), second.err());
        assertEquals(first.out(), second.out());
        assertEquals(1, builds().size(), first.err() + second.err());
        assertTrue((first.err() + second.err()).contains("another process builds Tutti; waiting for it"));
    }

    @Test
    void shouldShowBuildErrorsAndRetry() throws IOException
    {
        final TuttiProcess.Result failed = run(start("MAVEN_FAILS=yes", home.resolve("tutti"), "--version"));
        final TuttiProcess.Result again = tutti("--version");

        assertEquals(1, failed.code());
        assertTrue(failed.err().contains("[ERROR] A.java: what is wrong\n"), failed.err());
        assertTrue(failed.err().endsWith("the full output is in " + home + "/target/tutti/build.log\n"));
        assertEquals("", failed.out());
        assertEquals(0, again.code(), again.err());
    }

    @Test
    void shouldReportMissingPrograms() throws IOException
    {
        Files.move(tools.resolve("flock"), tools.resolve("no-flock"));
        final TuttiProcess.Result withoutFlock = tutti("--version");
        Files.move(tools.resolve("no-flock"), tools.resolve("flock"));
        Files.delete(bin.resolve("mvn"));
        final TuttiProcess.Result withoutMaven = tutti("--version");
        Files.delete(jdk.resolve("release"));
        final TuttiProcess.Result withoutJdk = tutti("--version");
        final Path old = makeJdk("old", "17.0.2");
        final Path runtime = makeJdk("jre", "25");
        Files.delete(runtime.resolve("bin/javac"));
        final TuttiProcess.Result withJre = run(start("JAVA_HOME=" + runtime, home.resolve("tutti"), "--version"));
        final TuttiProcess.Result withOldJdk = run(start("JAVA_HOME=" + old, home.resolve("tutti"), "--version"));

        assertEquals(
            new TuttiProcess.Result(
                1, "", "tutti: the build needs flock, which is not on the PATH: install util-linux\n"), withoutFlock);
        assertEquals(1, withoutMaven.code());
        assertTrue(withoutMaven.err().endsWith(
            "tutti: the build needs Maven (mvn) 3.8 or newer, which is not on the PATH: install it " +
            "(apt-get install maven)\n"), withoutMaven.err());
        assertEquals(2, withoutJdk.code());
        assertEquals("tutti: needs JDK 25 or newer in JAVA_HOME, on the PATH or in " + directory.resolve("jvm") +
            ", found none; install one (openjdk-25-jdk or temurin-25-jdk) or set JAVA_HOME\n", withoutJdk.err());
        assertEquals(2, withJre.code());
        assertTrue(withJre.err().contains(", found " + runtime + ", which has no bin/javac; install one"));
        assertEquals(2, withOldJdk.code());
        assertTrue(withOldJdk.err().contains(", found Java 17 in " + old + "; install one"), withOldJdk.err());
    }

    @Test
    void shouldFailWhenBuildDirectoryIsNotWritable() throws IOException
    {
        Files.writeString(home.resolve("target"), "a file, as root can write to any directory");

        assertEquals(new TuttiProcess.Result(1, "", "tutti: cannot build in " + home +
            ": directory is not writable; make it writable, or copy the clone\n"), tutti("--version"));
    }

    @Test
    void shouldFindHomeThroughSymbolicLinks() throws IOException
    {
        final Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("a clone/tutti"));
        final Path other = Files.createSymbolicLink(bin.resolve("tutti"), link);

        final TuttiProcess.Result result = run(start("A=B", other, "--version"));

        assertEquals(options(1, jdk, "launcher") + "|--version|\n", result.out());
        assertEquals(result.out(), run(start("A=B", Path.of("sh"), "tutti", "--version")).out());
    }

    @Test
    void shouldStartJobAsRankWhenAnotherLauncherStartedTheRanks() throws IOException
    {
        tutti("--version");

        final TuttiProcess.Result rank = run(start("SLURM_STEP_NUM_TASKS=2", home.resolve("tutti"), "perf", "barrier"));
        final TuttiProcess.Result launcher = run(start("SLURM_STEP_NUM_TASKS=2", home.resolve("tutti"), "run"));

        assertEquals(options(1, jdk, "rank") + "|perf|barrier|\n", rank.out());
        assertTrue(launcher.out().contains("launcher.options"), launcher.out());
    }

    @Test
    void shouldStartAgentFromExistingBuildAndNeverBuild() throws IOException
    {
        final TuttiProcess.Result before = tutti("agent");
        tutti("--version");
        change("pom.xml");
        final TuttiProcess.Result after = tutti("agent");

        assertEquals(new TuttiProcess.Result(1, "", "tutti: no build for Java 25 in " + home + ": run '" +
            home + "/tutti --version' there once\n"), before);
        assertEquals(options(1, jdk, "launcher").replace("|", "|-XX:+DisplayVMOutputToStderr|") + "|agent|\n",
            after.out());
        assertEquals("", after.err());
        assertEquals(1, builds().size());
    }

    @Test
    void shouldIdentifyBuildByChecksumOfItsJars() throws IOException
    {
        tutti("--version");
        final String options = Files.readString(home.resolve("target/tutti/build-1/launcher.options"));

        // The checksum of a build with one empty jar.
        assertTrue(options.endsWith("-Dtutti.home=\"" + home + "\"\n-Dtutti.build=4294967295\n"), options);
    }

    @Test
    void shouldRunLauncherInUtf8Locale() throws IOException
    {
        tutti("--version");

        final TuttiProcess.Result result = run(start("SHOW_LOCALE=yes", home.resolve("tutti"), "run", "ü"));

        assertTrue(result.out().endsWith("|ü|\nC.UTF-8,\n"), result.out());
    }

    private List<String> buildDirectories() throws IOException
    {
        try (Stream<Path> files = Files.list(home.resolve("target/tutti")))
        {
            return files.map(file -> file.getFileName().toString()).filter(name -> name.startsWith("build-")).sorted()
                .toList();
        }
    }

    private void assertBuildsOnce(final String why) throws IOException
    {
        final int before = builds().size();

        final TuttiProcess.Result first = tutti("--version");
        final TuttiProcess.Result second = tutti("--version");

        assertTrue(first.err().startsWith("tutti: sources changed: building Tutti"), why + ": " + first.err());
        assertEquals("", second.err(), why);
        assertEquals(before + 1, builds().size(), why);
    }
}
