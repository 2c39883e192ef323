/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.Bootstraps;
import org.tutti.bootstrap.CoordinatorContext;
import org.tutti.bootstrap.JobSecret;
import org.tutti.bootstrap.Ranks;

class AdmissionTest
{
    private LaunchedJob job;

    @BeforeEach
    void startJob()
    {
        job = new LaunchedJob(2);
    }

    @AfterEach
    void endJob()
    {
        job.close();
    }

    @Test
    void shouldRefuseAnotherSecret()
    {
        assertRefused("TUTTI_SECRET", "guess", "another secret: check TUTTI_SECRET");
    }

    @Test
    void shouldRefuseAnotherJob()
    {
        assertRefused("TUTTI_JOB_ID", "other",
            "it belongs to job 'other', the coordinator to job '" + job.jobId + "': check TUTTI_JOB_ID");
    }

    @Test
    void shouldRefuseAnotherWorldSize()
    {
        assertRefused("WORLD_SIZE", "3", "it believes that the job has 3 ranks, the coordinator 2: check WORLD_SIZE");
    }

    @Test
    void shouldRefuseARankThatJoinsTwice()
    {
        try (Bootstrap first = job.join(0))
        {
            assertEquals(0, first.rank());
            assertRefused("RANK", "0", "another process with this number has joined already, on ");
        }
    }

    @Test
    void shouldNotBelieveAMemberThatDoesNotCheckTheCoordinator()
    {
        final Admission admission = new Admission(
            new CoordinatorContext().jobId("j").size(2).secret(new byte[]{1}), List.of());
        final JobSecret guess = new JobSecret(new byte[]{2});
        final JobSecret secret = new JobSecret(new byte[]{1});
        final byte[] memberNonce = JobSecret.nonce();
        final byte[] nonce = JobSecret.nonce();
        final String subject = Protocol.member("j", "rank", 1, 2);
        final JoinRequestText request = JoinRequests.of(Protocol.VERSION, 1, memberNonce);

        assertTrue(admission.refusal(request, nonce, guess.prove(Protocol.MEMBER, subject, memberNonce, nonce))
            .contains("does not know the secret"));
        // The coordinator's own proof, sent back, proves nothing.
        assertTrue(admission.refusal(request, nonce, secret.prove(Protocol.COORDINATOR, subject, memberNonce, nonce))
            .contains("does not know the secret"));
        assertTrue(admission.refusal(request, nonce, secret.prove(Protocol.MEMBER, subject, nonce, memberNonce))
            .contains("does not know the secret"));
        assertNull(admission.refusal(request, nonce, secret.prove(Protocol.MEMBER, subject, memberNonce, nonce)));
    }

    @Test
    void shouldRefuseAnotherVersionNamingBoth()
    {
        final Admission admission = new Admission(
            new CoordinatorContext().jobId("j").size(2).secret(new byte[]{1}), List.of());

        final String refusal = admission.refusal(JoinRequests.of(Protocol.VERSION + 1, 0, JobSecret.nonce()));

        assertTrue(refusal.contains("version " + (Protocol.VERSION + 1)), refusal);
        assertTrue(refusal.contains("the coordinator version " + Protocol.VERSION), refusal);
    }

    @Test
    void shouldSayThatThereIsNoDriver()
    {
        final Map<String, String> environment = job.environment(0);
        environment.put("TUTTI_JOB_DIR", "/nowhere/at/all");
        environment.put("TUTTI_JOIN_TIMEOUT", "0.1");

        final BootstrapException refusal = assertThrows(
            BootstrapException.class, () -> Bootstraps.fromEnvironment(environment));

        assertTrue(refusal.getMessage().contains("no media driver in /nowhere/at/all/aeron"), refusal.getMessage());
    }

    @Test
    void shouldServeTheOthersAfterRefusingSome() throws Exception
    {
        shouldRefuseAnotherSecret();
        shouldRefuseAnotherWorldSize();

        final List<Bootstrap> ranks = job.joinAll();
        Ranks.run(
            ranks,
            (rank) ->
            {
                rank.barrier("after", TimeUnit.SECONDS.toNanos(60));
                rank.close();
                return null;
            });

        assertNull(job.coordinator.failure());
    }

    private void assertRefused(final String variable, final String value, final String reason)
    {
        final Map<String, String> environment = job.environment(0);
        environment.put(variable, value);
        final BootstrapException refusal = assertThrows(
            BootstrapException.class, () -> Bootstraps.fromEnvironment(environment));
        assertTrue(refusal.getMessage().startsWith("rank 0 cannot join job '"), refusal.getMessage());
        assertTrue(refusal.getMessage().contains(reason), refusal.getMessage());
    }
}
