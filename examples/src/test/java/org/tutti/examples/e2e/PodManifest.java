/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.yaml.snakeyaml.Yaml;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What Kubernetes would start for an Indexed Job: names, arguments and variables of its pods.
 *
 * @param name        name of the job.
 * @param service     name of the headless service.
 * @param pods        number of pods.
 * @param arguments   arguments of the image's entry point, with references to variables.
 * @param environment variables that all pods have.
 * @param secretMode  mode of the mounted secret, for {@code chmod}.
 * @param group       group that may read the secret.
 */
record PodManifest(
    String name,
    String service,
    int pods,
    List<String> arguments,
    Map<String, String> environment,
    String secretMode,
    int group)
{
    private static final Path FILE = Path.of(System.getProperty("tutti.root"), "deploy/kubernetes/job.yaml");

    /** Reads the manifest, whose fields the tests of the module {@code deploy} check. */
    static PodManifest read() throws IOException
    {
        try (Reader reader = Files.newBufferedReader(FILE))
        {
            final List<Object> documents = new ArrayList<>();
            new Yaml().loadAll(reader).forEach(documents::add);
            final Object job = documents.get(1);
            final Object pod = at(job, "spec", "template", "spec");
            final Object container = ((List<?>)at(pod, "containers")).getFirst();
            final Map<String, String> environment = new LinkedHashMap<>();
            for (final Object variable : (List<?>)at(container, "env"))
            {
                environment.put(text(variable, "name"), text(variable, "value"));
            }
            final Object secret = ((List<?>)at(pod, "volumes")).stream()
                .filter(volume -> ((Map<?, ?>)volume).containsKey("secret")).findFirst().orElseThrow();
            return new PodManifest(
                text(job, "metadata", "name"),
                text(documents.get(0), "metadata", "name"),
                (Integer)at(job, "spec", "completions"),
                ((List<?>)at(container, "args")).stream().map(Object::toString).toList(),
                environment,
                Integer.toOctalString((Integer)at(secret, "secret", "defaultMode")),
                (Integer)at(pod, "securityContext", "fsGroup"));
        }
    }

    /** Name of the host of a pod. */
    String host(final int index)
    {
        return name + "-" + index;
    }

    /** Arguments of a pod, in which the variables are replaced by their values. */
    List<String> arguments(final int index)
    {
        return arguments.stream().map(word ->
        {
            String text = word;
            for (final Map.Entry<String, String> variable : environment(index).entrySet())
            {
                text = text.replace("$(" + variable.getKey() + ")", variable.getValue());
            }
            return text;
        }).toList();
    }

    /** Variables of a pod. */
    Map<String, String> environment(final int index)
    {
        final Map<String, String> all = new LinkedHashMap<>(environment);
        all.put("JOB_COMPLETION_INDEX", Integer.toString(index));
        return all;
    }

    /** Path of the secret in each pod. */
    Path secretFile()
    {
        return Path.of(environment.get("TUTTI_SECRET_FILE"));
    }

    private static String text(final Object node, final String... path)
    {
        return at(node, path).toString();
    }

    private static Object at(final Object node, final String... path)
    {
        Object value = node;
        for (final String key : path)
        {
            value = ((Map<?, ?>)value).get(key);
        }
        return value;
    }
}
