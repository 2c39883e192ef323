/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Tests the script that makes a release, in a repository of its own and mostly with a program in place of Maven. */
class ReleaseTest
{
    private static final String VERSION = "7.8.9";
    private static final String NEXT = "7.8.10-SNAPSHOT";
    private static final String SNAPSHOT = "1.2.3-SNAPSHOT";

    @TempDir
    private Path directory;
    private Path clone;

    @BeforeEach
    void makeRepository() throws IOException
    {
        clone = Files.createDirectories(directory.resolve("a clone"));
        final Path maven = directory.resolve("bin/mvn");
        Files.createDirectories(maven.getParent());
        Files.writeString(maven, """
            #!/bin/sh
            [ ! -e ../fail ] || exit 3
            echo "$*" >../maven
            sed -n 's:^  <version>\\(.*\\)</version>$:\\1:p' pom.xml >>../maven
            """);
        assertTrue(maven.toFile().setExecutable(true));
        for (final Path file :
            Project.files("([a-z-]+/){0,2}pom\\.xml|CHANGELOG\\.md|docs/[a-z]+\\.md|distribution/release"))
        {
            final Path copy = clone.resolve(Project.ROOT.relativize(file));
            Files.createDirectories(copy.getParent());
            Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
        }
        useVersion(SNAPSHOT);
        git("init", "-q", "-b", "trunk");
        git("add", ".");
        git("commit", "-q", "-m", "Begin");
    }

    @Test
    void shouldCommitAndTagReleaseThenBeginNextSnapshot() throws IOException
    {
        final String before = changes();
        final Result result = release(VERSION);

        assertEquals(0, result.code, result.output);
        assertEquals(List.of("-B -ntp clean verify -Pdist,site", VERSION),
            Files.readAllLines(directory.resolve("maven")));
        assertEquals(List.of("Begin " + NEXT, "Release " + VERSION, "Begin"), git("log", "--format=%s"));
        assertEquals(git("rev-parse", "HEAD~1"), git("rev-parse", "v" + VERSION + "^{commit}"));
        assertEquals(List.of(), git("status", "--porcelain"));
        assertEquals(before.replace("## Unreleased\n",
            "## Unreleased\n\n## [7.8.9] - " + LocalDate.now(ZoneOffset.UTC) + "\n"), changes());

        final List<String> files = git("grep", "-lF", "<version>" + NEXT + "</version>");
        assertTrue(
            files.containsAll(List.of("bom/pom.xml", "docs/embedding.md", "stress-tests/pom.xml")), files::toString);
        assertEquals(git("ls-files", "*pom.xml").size() + 1, files.size());
        git("checkout", "-q", "v" + VERSION);
        assertEquals(files, git("grep", "-lF", "<version>" + VERSION + "</version>"));
        assertEquals(List.of(), git("grep", "-lF", SNAPSHOT));
    }

    @Test
    void shouldKeepVersionsOfLibrariesThatEqualThatOfTheRelease() throws IOException
    {
        Files.writeString(
            clone.resolve("bom/pom.xml"), "<version>" + VERSION + "</version>\n", StandardOpenOption.APPEND);
        git("commit", "-q", "-a", "-m", "Use a library");

        final Result result = release(VERSION, "--skip-tests");

        assertEquals(0, result.code, result.output);
        assertEquals("-B -ntp clean verify -Pdist,site -DskipTests",
            Files.readAllLines(directory.resolve("maven")).getFirst());
        assertTrue(Files.readString(clone.resolve("bom/pom.xml")).endsWith("<version>" + VERSION + "</version>\n"));
    }

    @Test
    void shouldOnlyPrintStepsOfDryRun() throws IOException
    {
        final Result result = release("--dry-run", VERSION);

        assertEquals(0, result.code, result.output);
        assertTrue(result.output.contains("would set version 7.8.9 in "), result.output);
        assertTrue(
            result.output.contains("\nrelease: would run mvn -B -ntp clean verify -Pdist,site\n"), result.output);
        assertTrue(result.output.endsWith("""
            release: would commit 'Release 7.8.9' on trunk and tag it v7.8.9
            release: would set version 7.8.10-SNAPSHOT and commit 'Begin 7.8.10-SNAPSHOT'
            """), result.output);
        assertUnchanged();
        assertFalse(Files.exists(directory.resolve("maven")));
    }

    @Test
    void shouldUndoEditsWhenBuildFails() throws IOException
    {
        Files.writeString(directory.resolve("fail"), "");

        assertEquals(3, release(VERSION).code);

        assertUnchanged();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "'' | no version: give one, such as 0.1.0 (see --help)",
        "1.2 | version '1.2' is not three numbers separated by dots: give one such as 0.1.0",
        "01.2.3 | version '01.2.3' is not three numbers separated by dots: give one such as 0.1.0",
        "1.2.3-SNAPSHOT | version '1.2.3-SNAPSHOT' is not three numbers separated by dots: give one such as 0.1.0",
        "1.2.2 | version '1.2.2' is older than 1.2.3-SNAPSHOT in pom.xml: give 1.2.3 or a newer one",
        "1.2.3 1.2.4 | more than one version: '1.2.3' and '1.2.4': give one",
        "--force 1.2.3 | unknown option '--force' (see --help)"})
    void shouldRejectArguments(final String arguments, final String error) throws IOException
    {
        assertRejects(error, arguments.replace("'", "").split(" ", -1));
    }

    @Test
    void shouldRejectRepositoryThatIsNotReady() throws IOException
    {
        git("tag", "v" + VERSION);
        assertRejects("tag v7.8.9 exists: give a version that is not yet released", VERSION);
        git("tag", "-d", "v" + VERSION);

        Files.writeString(clone.resolve("a file"), "");
        assertRejects(
            "files that are changed or untracked: 1, such as '\"a file\"': commit, stash or remove them", VERSION);
        Files.delete(clone.resolve("a file"));

        commitChanges("# Changes\n\n## 0.1.0\n- old\n");
        assertRejects("CHANGELOG.md has no section '## Unreleased': add it, with the changes since the last release",
            VERSION);
        commitChanges("# Changes\n\n## Unreleased\n\n## 0.1.0\n- old\n");
        assertRejects("CHANGELOG.md has no changes below '## Unreleased': add lines that start with '- '", VERSION);

        useVersion("7.8.9");
        git("commit", "-q", "-a", "-m", "Set a version");
        assertRejects("version '7.8.9' in pom.xml is not a snapshot: set it to a version that ends with -SNAPSHOT",
            VERSION);

        git("checkout", "-q", "--detach");
        assertRejects("HEAD is detached at " + git("rev-parse", "--short", "HEAD").getFirst() +
            ": check out the branch to release from", VERSION);
    }

    /** The real build of what is committed: minutes, so not in each run. */
    @Test
    @Tag("torture")
    void shouldBuildArtefactsTarballsAndSite() throws IOException
    {
        git("clone", "-q", Project.ROOT.toString(), "../a full clone");
        clone = directory.resolve("a full clone");
        git("checkout", "-q", "-B", "trunk");
        Files.delete(directory.resolve("bin/mvn"));

        final Result result = release(VERSION, "--skip-tests");

        assertEquals(0, result.code, result.output);
        for (final String file : List.of("distribution/target/tutti-7.8.9.tar.gz",
            "distribution/target/tutti-7.8.9-linux-x86_64.tar.gz", "site/target/site/index.html",
            "collectives/target/tutti-collectives-7.8.9-javadoc.jar"))
        {
            assertTrue(Files.exists(clone.resolve(file)), file);
        }
    }

    private void assertRejects(final String error, final String... arguments) throws IOException
    {
        final List<String> before = git("log", "--format=%H");
        assertEquals(new Result(2, "release: " + error + "\n"), release(arguments));
        assertEquals(before, git("log", "--format=%H"));
    }

    private void assertUnchanged() throws IOException
    {
        assertEquals(List.of("Begin"), git("log", "--format=%s"));
        assertEquals(List.of(), git("status", "--porcelain"));
        assertEquals(List.of(), git("tag"));
    }

    private void commitChanges(final String text) throws IOException
    {
        Files.writeString(clone.resolve("CHANGELOG.md"), text);
        git("commit", "-q", "-a", "-m", "Change");
    }

    private String changes() throws IOException
    {
        return Files.readString(clone.resolve("CHANGELOG.md"));
    }

    /** Replaces the version of the project, whatever it is, in all files. */
    private void useVersion(final String version) throws IOException
    {
        final String old = Files.readAllLines(clone.resolve("pom.xml")).stream()
            .filter(line -> line.startsWith("  <version>")).findFirst().orElseThrow().strip();
        try (Stream<Path> files = Files.walk(clone))
        {
            for (final Path file : files.filter(each -> each.toString().matches(".*\\.(xml|md)")).toList())
            {
                Files.writeString(file, Files.readString(file).replace(old, "<version>" + version + "</version>"));
            }
        }
    }

    private Result release(final String... arguments) throws IOException
    {
        final List<String> command = new ArrayList<>(List.of("distribution/release"));
        Stream.of(arguments).filter(each -> !each.isEmpty()).forEach(command::add);
        return run(command);
    }

    private List<String> git(final String... arguments) throws IOException
    {
        final List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        final Result result = run(command);
        assertTrue(result.code <= 1, () -> command + ": " + result.output);
        return result.output.lines().toList();
    }

    private Result run(final List<String> command) throws IOException
    {
        final Path output = directory.resolve("output");
        final ProcessBuilder builder = new ProcessBuilder(command).directory(clone.toFile())
            .redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().merge("PATH", directory.resolve("bin") + ":", (path, bin) -> bin + path);
        builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
        for (final String role : List.of("AUTHOR", "COMMITTER"))
        {
            builder.environment().put("GIT_" + role + "_NAME", "Test");
            builder.environment().put("GIT_" + role + "_EMAIL", "test@example.org");
        }
        try
        {
            final int code = builder.start().waitFor();
            return new Result(code, Files.readString(output));
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private record Result(int code, String output)
    {
    }
}
