/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What carries the data of a case between the ranks of this host. */
enum Wire
{
    /** What each program uses by default: shared memory, or TCP if it has nothing faster. */
    SHM(""),
    /** TCP only, over the loopback interface. */
    TCP("TCP");

    private final String heading;

    Wire(final String heading)
    {
        this.heading = heading;
    }

    /** Name on the command line and in files. */
    String option()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    /** A title with this wire's name, if the wire is not the default. */
    String title(final String text)
    {
        return heading.isEmpty() ? text : text + " over " + heading;
    }

    /**
     * Name of the file of saved results, without its suffix: wires other than the default come first in it.
     *
     * @param name name that the user chose.
     */
    String fileName(final String name)
    {
        final String prefix = this == SHM ? "" : option() + "-";
        return name.startsWith(prefix) ? name : prefix + name;
    }

    /** The wire with a name as on the command line; empty if there is none. */
    static Optional<Wire> of(final String option)
    {
        return Arrays.stream(values()).filter(each -> each.option().equals(option)).findFirst();
    }

    /** All names, as on the command line. */
    static List<String> options()
    {
        return Arrays.stream(values()).map(Wire::option).toList();
    }
}
