/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.deploy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads manifests into the models of Kubernetes as strictly as {@code kubectl apply --validate=strict} does. */
final class StrictModels
{
    private static final JsonMapper MAPPER = JsonMapper.builder()
        .annotationIntrospector(new WithoutUnknownFields())
        .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .enable(DeserializationFeature.FAIL_ON_IGNORED_PROPERTIES)
        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
        .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
        .withCoercionConfig(LogicalType.Textual, text ->
        {
            for (final CoercionInputShape shape : List.of(
                CoercionInputShape.Boolean, CoercionInputShape.Integer, CoercionInputShape.Float))
            {
                text.setCoercion(shape, CoercionAction.Fail);
            }
        })
        .build();

    /** The models keep unknown fields, for servers that are newer than they are. */
    private static final class WithoutUnknownFields extends JacksonAnnotationIntrospector
    {
        private static final long serialVersionUID = 1;

        @Override
        public Boolean hasAnySetter(final Annotated member)
        {
            return Boolean.FALSE;
        }
    }

    private StrictModels()
    {
    }

    /** Reads the documents of a file of YAML 1.1, in which no key may occur twice. */
    static List<JsonNode> documents(final Path file) throws IOException
    {
        final LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        final List<JsonNode> documents = new ArrayList<>();
        try (Reader reader = Files.newBufferedReader(file))
        {
            new Yaml(options).loadAll(reader).forEach(document -> documents.add(MAPPER.valueToTree(document)));
        }
        return documents;
    }

    /**
     * Reads a part of a document.
     *
     * @throws JsonProcessingException if a field is unknown or has another type; the message has its path.
     */
    static <T> T read(final JsonNode part, final Class<T> model) throws JsonProcessingException
    {
        return MAPPER.treeToValue(part, model);
    }
}
