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
            RemoteOptions.sshCommand(List.of("/usr/bin/ssh", "-o", "BatchMode=no")));
        assertEquals(List.of("rsh", "-l", "me"), RemoteOptions.sshCommand(List.of("rsh", "-l", "me")));
        assertEquals(List.of("ssh", "node0", "exec '/opt/my tutti/tutti' agent"),
            new RemoteOptions(List.of("ssh"), Path.of("/opt/my tutti"), null, null).tuttiCommand("node0", "agent"));
    }
}
