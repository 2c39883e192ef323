/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;

/**
 * Upgrades classes in jars that were compiled for Java 5 or older to the class file format of Java 8. Adds stack maps,
 * by which a JVM verifies a class in one pass: CDS and AOT caches store only such classes. The behaviour of the classes
 * is unchanged.
 *
 * <p>Run from source, with the jars as arguments; modifies them in place.
 */
final class UpgradeClasses
{
    private UpgradeClasses()
    {
    }

    /**
     * Upgrades the classes of jars.
     *
     * @param jars the jars to modify.
     * @throws IOException if a jar cannot be read or written.
     */
    public static void main(final String[] jars) throws IOException
    {
        for (final String jar : jars)
        {
            final Path file = Path.of(jar);
            try (URLClassLoader loader = new URLClassLoader(new URL[] {file.toUri().toURL()});
                FileSystem content = FileSystems.newFileSystem(file))
            {
                // A new constant pool forces each method to be written instead of copied.
                final ClassFile classFile = ClassFile.of(ClassFile.ConstantPoolSharingOption.NEW_POOL,
                    ClassFile.ClassHierarchyResolverOption.of(
                        ClassHierarchyResolver.ofResourceParsing(loader).cached()));
                for (final Path each : classes(content))
                {
                    upgrade(classFile, each);
                }
            }
        }
    }

    private static List<Path> classes(final FileSystem content) throws IOException
    {
        try (Stream<Path> files = Files.walk(content.getPath("/")))
        {
            return files.filter(path -> path.toString().endsWith(".class")).toList();
        }
    }

    private static void upgrade(final ClassFile classFile, final Path file) throws IOException
    {
        final ClassModel model = classFile.parse(Files.readAllBytes(file));
        if (model.majorVersion() < ClassFile.JAVA_6_VERSION)
        {
            final FileTime time = Files.getLastModifiedTime(file);
            Files.write(file, classFile.build(model.thisClass().asSymbol(), builder ->
            {
                builder.withVersion(ClassFile.JAVA_8_VERSION, 0);
                model.elementStream().filter(element -> !(element instanceof ClassFileVersion)).forEach(builder::with);
            }));
            // Makes the jar reproducible.
            Files.setLastModifiedTime(file, time);
        }
    }
}
