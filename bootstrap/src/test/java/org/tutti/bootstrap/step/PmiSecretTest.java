/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.bootstrap.JobEnvironment;

class PmiSecretTest
{
    private static final int RANKS = 3;

    /** A server of PMI-2 for a rank, with the key-value space that all share. */
    private static final class PmiServer
    {
        private final Map<String, String> space;
        private final CyclicBarrier fence;
        private final PipedOutputStream toRank = new PipedOutputStream();
        private final PipedInputStream fromServer = new PipedInputStream(toRank, 1 << 16);
        private final PipedOutputStream toServer = new PipedOutputStream();
        private final PipedInputStream fromRank = new PipedInputStream(toServer, 1 << 16);
        private final List<String> requests = new ArrayList<>();

        PmiServer(final Map<String, String> space, final CyclicBarrier fence) throws IOException
        {
            this.space = space;
            this.fence = fence;
        }

        PmiConnection connection()
        {
            return connectionOf(fromServer, toServer);
        }

        /** Serves until the rank has finalized; returns its requests. */
        List<String> serve() throws Exception
        {
            final StringBuilder line = new StringBuilder();
            for (int c = fromRank.read(); c != '\n'; c = fromRank.read())
            {
                line.append((char)c);
            }
            requests.add(line.toString());
            toRank.write("cmd=response_to_init pmi_version=2 pmi_subversion=0 rc=0\n".getBytes(
                StandardCharsets.US_ASCII));
            while (!requests.getLast().equals("cmd=finalize;"))
            {
                final int length = Integer.parseInt(text(6).strip());
                requests.add(text(length));
                answer(requests.getLast());
            }
            return requests;
        }

        private String text(final int length) throws IOException
        {
            return new String(fromRank.readNBytes(length), StandardCharsets.US_ASCII);
        }

        private void answer(final String request) throws Exception
        {
            final Matcher name = Pattern.compile("cmd=([^;]*);.*").matcher(request);
            assertTrue(name.matches(), request);
            String more = "";
            switch (name.group(1))
            {
                case "kvs-put" -> space.put(field(request, "key"), field(request, "value"));
                case "kvs-fence" -> fence.await();
                case "kvs-get" -> more = "found=TRUE;value=" + space.get(field(request, "key")) + ";";
                default -> more = "";
            }
            final String response = "cmd=" + name.group(1) + "-response;rc=0;" + more;
            toRank.write(String.format("%6d%s", response.length(), response).getBytes(StandardCharsets.US_ASCII));
        }

        private static String field(final String request, final String name)
        {
            final Matcher field = Pattern.compile(";" + name + "=([^;]*);").matcher(request);
            assertTrue(field.find(), request);
            return field.group(1);
        }
    }

    private static PmiConnection connectionOf(final InputStream in, final PipedOutputStream out)
    {
        return new PmiConnection()
        {
            @Override
            public int read(final byte[] bytes, final int offset, final int length) throws IOException
            {
                return Math.max(0, in.read(bytes, offset, Math.min(length, 5)));
            }

            @Override
            public void write(final byte[] bytes) throws IOException
            {
                if (out != null)
                {
                    out.write(bytes);
                    out.flush();
                }
            }
        };
    }

    private static JobEnvironment environment(final int rank)
    {
        return JobEnvironment.read(Map.of("SLURM_PROCID", Integer.toString(rank),
            "SLURM_STEP_NUM_TASKS", Integer.toString(RANKS), "SLURM_JOB_ID", "7", "SLURM_STEP_ID", "0",
            "SLURM_STEP_NUM_NODES", "2", "SLURM_STEP_NODELIST", "n[1-2]", "PMI_FD", "99", "PMI_JOBID", "7.0"));
    }

    @Test
    void shouldGiveAllRanksTheSecretOfRankZero() throws Exception
    {
        final Map<String, String> space = new ConcurrentHashMap<>();
        final CyclicBarrier fence = new CyclicBarrier(RANKS);
        final List<Future<String>> secrets = new ArrayList<>();
        final List<Future<List<String>>> requests = new ArrayList<>();
        try (ExecutorService threads = Executors.newCachedThreadPool())
        {
            for (int rank = 0; rank < RANKS; rank++)
            {
                final PmiServer server = new PmiServer(space, fence);
                final JobEnvironment environment = environment(rank);
                requests.add(threads.submit(server::serve));
                secrets.add(threads.submit(() -> PmiSecret.exchange(server.connection(), environment)));
            }
        }
        final String secret = secrets.getFirst().get();
        assertEquals(32, secret.length());
        assertEquals(Map.of("tutti-secret", secret), space);
        for (int rank = 0; rank < RANKS; rank++)
        {
            assertEquals(secret, secrets.get(rank).get());
            final List<String> expected = new ArrayList<>(List.of("cmd=init pmi_version=2 pmi_subversion=0",
                "cmd=fullinit;pmijobid=7.0;pmirank=" + rank + ";threaded=FALSE;"));
            if (rank == 0)
            {
                expected.add("cmd=kvs-put;key=tutti-secret;value=" + secret + ";");
            }
            expected.addAll(List.of(
                "cmd=kvs-fence;", "cmd=kvs-get;jobid=7.0;srcid=-1;key=tutti-secret;", "cmd=finalize;"));
            assertEquals(expected, requests.get(rank).get());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "cmd=response_to_init pmi_version=1 rc=-1~|PMI-2 is refused: 'cmd=response_to_init pmi_version=1 rc=-1'",
        "HTTP/1.1 400~|PMI-2 is refused: 'HTTP/1.1 400'",
        "cmd=response_to_init rc=0~abc123|PMI-2 sends a length of 'abc123'",
        "cmd=response_to_init rc=0~    31cmd=fullinit-response;rc=1;a=b;|PMI-2 refuses fullinit: " +
            "{cmd=fullinit-response, rc=1, a=b}",
        "cmd=response_to_init rc=0~    99cmd|the server of PMI-2 has closed the connection"})
    void shouldReportWhatTheServerSays(final String said, final String problem)
    {
        final PmiConnection connection = connectionOf(
            new ByteArrayInputStream(said.replace('~', '\n').getBytes(StandardCharsets.US_ASCII)), null);

        final JobEnvironment environment = environment(0);

        assertEquals(problem,
            assertThrows(IOException.class, () -> PmiSecret.exchange(connection, environment)).getMessage());
    }
}
