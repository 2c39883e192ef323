/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;

class RemoteOptionsTest
{
    @Test
    void shouldDisablePromptsOfSshUnlessUserOverrides()
    {
        assertEquals(
            List.of("/usr/bin/ssh", "-o", "BatchMode=no", "-T", "-x", "-o", "BatchMode=yes", "-o", "ConnectTimeout=20"),
            SshShell.of(List.of("/usr/bin/ssh", "-o", "BatchMode=no")).words());
        assertEquals(List.of("rsh", "-l", "me"), SshShell.of(List.of("rsh", "-l", "me")).words());
        assertEquals(List.of("ssh", "node0", "exec '/opt/my tutti/tutti' agent"),
            new RemoteOptions(new SshShell(List.of("ssh")), Path.of("/opt/my tutti"), null, null)
                .tuttiCommand("node0", "agent"));
    }
}
