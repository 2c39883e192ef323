/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.deploy;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import io.fabric8.kubernetes.api.model.batch.v1.JobTemplateSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The manifests have only fields of Kubernetes, and their names, numbers, ports, labels and paths agree. */
class ManifestsTest
{
    private static final Path DIRECTORY = Path.of(System.getProperty("tutti.root"), "deploy/kubernetes");
    /** Fields with keys that the user chooses. */
    private static final Set<String> FREE = Set.of("labels", "annotations", "matchLabels", "limits", "requests");

    /** A part of a manifest that Kubernetes defines, and the class of its model. */
    private record Part(JsonNode node, Class<?> model)
    {
    }

    @ParameterizedTest
    @ValueSource(strings = {"job.yaml", "jobset.yaml", "mpijob.yaml"})
    void shouldHaveOnlyFieldsOfKubernetes(final String file) throws IOException
    {
        final List<Part> parts = parts(file);
        assertFalse(parts.isEmpty());
        for (final Part part : parts)
        {
            assertDoesNotThrow(() -> StrictModels.read(part.node(), part.model()));
        }
    }

    /** Else the test above would prove nothing: the models accept unknown fields by default. */
    @ParameterizedTest
    @ValueSource(strings = {"job.yaml", "jobset.yaml", "mpijob.yaml"})
    void shouldRefuseUnknownFieldInEachObject(final String file) throws IOException
    {
        for (final Part part : parts(file))
        {
            final List<ObjectNode> objects = objects(part.node());
            assertTrue(objects.size() >= 3, () -> part.node().toString());
            for (final ObjectNode object : objects)
            {
                object.put("unknown", "value");
                final JsonMappingException ex = assertThrows(JsonMappingException.class,
                    () -> StrictModels.read(part.node(), part.model()), object::toString);
                assertTrue(ex.getMessage().contains("\"unknown\""), ex.getMessage());
                object.remove("unknown");
            }
        }
    }

    @Test
    void shouldRefuseNumberAsTextAndTextAsNumber() throws IOException
    {
        final JsonNode job = StrictModels.documents(DIRECTORY.resolve("job.yaml")).get(1);
        final ObjectNode variable = (ObjectNode)job.at("/spec/template/spec/containers/0/env/1");
        final String value = variable.get("value").textValue();
        variable.put("value", 600);
        assertThrows(JsonMappingException.class, () -> StrictModels.read(job, Job.class));
        variable.put("value", value);
        assertDoesNotThrow(() -> StrictModels.read(job, Job.class));

        ((ObjectNode)job.get("spec")).put("completions", "3");
        assertThrows(JsonMappingException.class, () -> StrictModels.read(job, Job.class));
    }

    @Test
    void shouldFindPodsOfJobByTheirService() throws IOException
    {
        final List<JsonNode> documents = StrictModels.documents(DIRECTORY.resolve("job.yaml"));
        final Service service = StrictModels.read(documents.get(0), Service.class);
        final Job job = StrictModels.read(documents.get(1), Job.class);
        final PodTemplateSpec template = job.getSpec().getTemplate();

        assertEquals("None", service.getSpec().getClusterIP());
        assertTrue(service.getSpec().getPublishNotReadyAddresses());
        assertEquals(service.getMetadata().getName(), template.getSpec().getSubdomain());
        assertEquals(Set.of(), differences(service.getSpec().getSelector(), template.getMetadata().getLabels()));
        // Names of pods, with index and job, are labels of DNS.
        assertTrue(job.getMetadata().getName().matches("[a-z]([a-z0-9-]{0,50}[a-z0-9])?"));
        checkNodes(job.getSpec(), job.getMetadata().getName() + "-0." + service.getMetadata().getName());
    }

    @Test
    void shouldFindPodsOfJobSetByTheServiceThatItsControllerCreates() throws IOException
    {
        final JsonNode jobSet = StrictModels.documents(DIRECTORY.resolve("jobset.yaml")).getFirst();
        final JsonNode network = jobSet.at("/spec/network");
        final JsonNode replicated = jobSet.at("/spec/replicatedJobs/0");
        final JobSpec job = StrictModels.read(replicated.get("template"), JobTemplateSpec.class).getSpec();

        assertTrue(network.get("enableDNSHostnames").booleanValue());
        assertTrue(network.get("publishNotReadyAddresses").booleanValue());
        assertEquals(1, jobSet.at("/spec/replicatedJobs").size());
        assertEquals(1, replicated.get("replicas").intValue());
        checkNodes(job, jobSet.at("/metadata/name").textValue() + "-" + replicated.get("name").textValue() +
            "-0-0." + network.get("subdomain").textValue());
    }

    @Test
    void shouldStartRanksOfMpiJobOnTheHostsOfItsOperator() throws IOException
    {
        final JsonNode spec = StrictModels.documents(DIRECTORY.resolve("mpijob.yaml")).getFirst().get("spec");
        final PodSpec launcher = StrictModels.read(
            spec.at("/mpiReplicaSpecs/Launcher/template"), PodTemplateSpec.class).getSpec();
        final PodSpec worker = StrictModels.read(
            spec.at("/mpiReplicaSpecs/Worker/template"), PodTemplateSpec.class).getSpec();
        final Container daemon = worker.getContainers().getFirst();

        assertEquals("/etc/mpi/hostfile", option(launcher.getContainers().getFirst().getArgs(), "--hostfile"));
        assertEquals(launcher.getContainers().getFirst().getImage(), daemon.getImage());
        assertEquals(daemon.getReadinessProbe().getTcpSocket().getPort().getIntVal(),
            daemon.getPorts().getFirst().getContainerPort());
        // Keys and configuration of sshd are in the home of the user that the pods run as.
        final String home = spec.get("sshAuthMountPath").textValue().replaceFirst("/\\.ssh$", "");
        assertEquals(home + "/.sshd_config", daemon.getCommand().getLast());
        assertEquals(launcher.getContainers().getFirst().getSecurityContext(), daemon.getSecurityContext());
        assertTrue(daemon.getSecurityContext().getRunAsNonRoot());
        checkPrivileges(daemon);
        checkMemory(worker, spec.get("slotsPerWorker").intValue());
    }

    /** Pods that run {@code tutti run --nnodes}. */
    private static void checkNodes(final JobSpec job, final String coordinator) throws IOException
    {
        final PodSpec pod = job.getTemplate().getSpec();
        final Container container = pod.getContainers().getFirst();
        final List<String> arguments = container.getArgs();

        assertEquals("Indexed", job.getCompletionMode());
        assertEquals(job.getCompletions(), job.getParallelism());
        assertEquals(job.getCompletions().toString(), option(arguments, "--nnodes"));
        // Which Kubernetes sets, and expands.
        assertEquals("$(JOB_COMPLETION_INDEX)", option(arguments, "--node-rank"));
        // A pod that is started again cannot join.
        assertEquals("Never", pod.getRestartPolicy());
        assertEquals(0, job.getBackoffLimitPerIndex());

        final Set<String> ports = new TreeSet<>();
        for (final ContainerPort port : container.getPorts())
        {
            ports.add(port.getProtocol());
            assertEquals(coordinator + ":" + port.getContainerPort(), option(arguments, "--coordinator"));
        }
        assertEquals(Set.of("TCP", "UDP"), ports);
        checkSecret(pod, container);
        checkPrivileges(container);
        checkMemory(pod, Integer.parseInt(option(arguments, "-np")));
        for (final VolumeMount mount : container.getVolumeMounts())
        {
            assertTrue(volumes(pod).containsKey(mount.getName()), mount.getName());
        }
    }

    private static void checkSecret(final PodSpec pod, final Container container) throws IOException
    {
        final String file = container.getEnv().stream().filter(each -> each.getName().equals("TUTTI_SECRET_FILE"))
            .map(EnvVar::getValue).findFirst().orElseThrow();
        final VolumeMount mount = container.getVolumeMounts().stream()
            .filter(each -> file.startsWith(each.getMountPath() + "/")).findFirst().orElseThrow();
        final Volume volume = volumes(pod).get(mount.getName());
        // Owned by root, so only the group of the pod makes it readable.
        assertEquals(0440, volume.getSecret().getDefaultMode());
        assertEquals(pod.getSecurityContext().getRunAsGroup(), pod.getSecurityContext().getFsGroup());
        assertTrue(pod.getSecurityContext().getRunAsNonRoot());
        final String create = "kubectl create secret generic " + volume.getSecret().getSecretName() +
            " --from-literal=" + file.substring(mount.getMountPath().length() + 1) + "=";
        assertTrue(Files.readString(DIRECTORY.resolve("README.md")).contains(create), create);
    }

    private static void checkPrivileges(final Container container)
    {
        assertFalse(container.getSecurityContext().getAllowPrivilegeEscalation());
        assertEquals(List.of("ALL"), container.getSecurityContext().getCapabilities().getDrop());
    }

    /** Heaps take half of the limit, as the launcher divides it: the rest is for shared memory and the JVMs. */
    private static void checkMemory(final PodSpec pod, final int ranks) throws IOException
    {
        final VolumeMount mount = pod.getContainers().getFirst().getVolumeMounts().stream()
            .filter(each -> each.getMountPath().equals("/dev/shm")).findFirst().orElseThrow();
        final Volume volume = volumes(pod).get(mount.getName());
        assertEquals("Memory", volume.getEmptyDir().getMedium());
        final ResourceRequirements resources = pod.getContainers().getFirst().getResources();
        final BigDecimal shared = volume.getEmptyDir().getSizeLimit().getNumericalAmount();
        final BigDecimal needed = new Quantity("256Mi").getNumericalAmount().multiply(BigDecimal.valueOf(ranks))
            .add(shared).multiply(BigDecimal.TWO);
        final BigDecimal limit = resources.getLimits().get("memory").getNumericalAmount();

        assertTrue(limit.compareTo(needed) >= 0, () -> limit + " < " + needed);
        assertTrue(shared.compareTo(new Quantity("12Mi").getNumericalAmount().add(
            new Quantity("30Mi").getNumericalAmount().multiply(BigDecimal.valueOf(ranks)))) >= 0);
        // Else the kernel may kill a process below the limit, when the node is out of memory.
        assertEquals(resources.getLimits().get("memory"), resources.getRequests().get("memory"));
        assertTrue(Files.readString(DIRECTORY.resolve("README.md")).contains(
            "limit ≥ 2 × (size of `/dev/shm` + 256 MiB × ranks)"));
    }

    private static Map<String, Volume> volumes(final PodSpec pod)
    {
        return pod.getVolumes().stream().collect(Collectors.toMap(Volume::getName, Function.identity()));
    }

    private static String option(final List<String> arguments, final String name)
    {
        final int index = arguments.indexOf(name);
        assertTrue(index >= 0, () -> name + " is not in " + arguments);
        return arguments.get(index + 1);
    }

    /** The entries of a selector that labels lack. */
    private static Set<String> differences(final Map<String, String> selector, final Map<String, String> labels)
    {
        assertFalse(selector.isEmpty());
        return selector.entrySet().stream().filter(entry -> !entry.getValue().equals(labels.get(entry.getKey())))
            .map(Map.Entry::toString).collect(Collectors.toSet());
    }

    /** Objects with fields that Kubernetes defines. */
    private static List<ObjectNode> objects(final JsonNode node)
    {
        final List<ObjectNode> objects = new ArrayList<>();
        if (node instanceof final ObjectNode object)
        {
            objects.add(object);
            object.properties().forEach(field ->
            {
                // The selector of a Service is a map, too.
                if (!FREE.contains(field.getKey()) && !field.getKey().equals("selector"))
                {
                    objects.addAll(objects(field.getValue()));
                }
            });
        }
        node.forEach(element ->
        {
            if (node.isArray())
            {
                objects.addAll(objects(element));
            }
        });
        return objects;
    }

    /** All of a Service and a Job, and the templates of jobs and pods of other resources. */
    private static List<Part> parts(final String file) throws IOException
    {
        final List<Part> parts = new ArrayList<>();
        for (final JsonNode document : StrictModels.documents(DIRECTORY.resolve(file)))
        {
            final String kind = document.get("apiVersion").textValue() + " " + document.get("kind").textValue();
            switch (kind)
            {
                case "v1 Service" -> parts.add(new Part(document, Service.class));
                case "batch/v1 Job" -> parts.add(new Part(document, Job.class));
                case "jobset.x-k8s.io/v1alpha2 JobSet" -> document.at("/spec/replicatedJobs").forEach(
                    each -> parts.add(new Part(each.get("template"), JobTemplateSpec.class)));
                case "kubeflow.org/v2beta1 MPIJob" -> document.at("/spec/mpiReplicaSpecs").forEach(
                    each -> parts.add(new Part(each.get("template"), PodTemplateSpec.class)));
                default -> throw new AssertionError(file + " has a " + kind + ": add its model");
            }
        }
        return parts;
    }
}
