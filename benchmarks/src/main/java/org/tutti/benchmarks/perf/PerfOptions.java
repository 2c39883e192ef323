/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.launcher.ByteSize;
import org.tutti.launcher.OptionRules;
import org.tutti.tools.options.SizeOptions;
import org.tutti.tools.options.SizeSweep;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Options of {@code tutti perf}, named as in nccl-tests and with the same meaning. */
final class PerfOptions
{
    private static final String ALL = "all";
    private static final String TYPES =
        "int8, uint8, int16, uint16, int32, uint32, int64, uint64, half, bfloat16, fp8_e4m3, fp8_e5m2, float, " +
        "double, float_int32, double_int64, int32_int32, int64_int64 or all";
    private static final String OPS =
        "sum, prod, min, max, avg, mulsum, band, bor, bxor, land, lor, lxor, minloc, maxloc or all; all " +
        "selects those of the type";
    private static final int UNTIL_COMPILED = -1;
    private static final int MOST_WARM_UP_SECONDS = 3600;
    private static final int MOST_WINDOW = 1 << 16;

    @Mixin
    private final SizeOptions sizes = new SizeOptions("8", "64M", 4);

    @Mixin
    private IterationOptions iterations;

    @Mixin
    private CountsOption counts;

    @Option(names = { "-i", "--stepbytes" }, paramLabel = "SIZE", converter = ByteSize.Converter.class,
        defaultValue = "0",
        description = "Increment between sizes; 0 multiplies by -f instead (default: ${DEFAULT-VALUE}).")
    private ByteSize stepBytes;

    @Option(names = "--warmup", paramLabel = "SECONDS",
        description = "Duration of the warm-up by unprinted rows before the table; -1 warms up until the JVM has " +
            "compiled the code, for at most about 20 s, for each type. Rows are then repeated, up to ten times, if " +
            "the JVM compiles or the host of a virtual machine takes time meanwhile (default: -1, but 0 with -w).")
    private Integer warmUpSeconds;

    @Option(names = "--cold",
        description = "Times the first 1, 10, 100, 1000, 10000 and 30000 calls of each size in a process that has " +
            "just started; out of place if supported. No call precedes the first one. Only the first size is cold: " +
            "later sizes show the first calls of another kind. With long buffers, calls end after 1 GiB in total, " +
            "but not before 10 calls. Reports the slowest rank, whatever -a is.")
    private boolean cold;

    @Option(names = { "-c", "--check" }, paramLabel = "0|1", arity = "0..1", defaultValue = "1", fallbackValue = "1",
        description = "Checks the data bitwise on all ranks; without a value: 1 " +
            "(default: ${DEFAULT-VALUE}).")
    private int check;

    @Option(names = { "-d", "--datatype" }, paramLabel = "TYPE", defaultValue = "float",
        description = TYPES + " (default: ${DEFAULT-VALUE}).")
    private String dataType;

    @Option(names = { "-o", "--op" }, paramLabel = "OP", defaultValue = "sum",
        description = OPS + " (default: ${DEFAULT-VALUE}).")
    private String op;

    @Option(names = { "-r", "--root" }, paramLabel = "RANK", defaultValue = "0",
        description = "Root rank of rooted collectives; -1 for each rank in turn (default: ${DEFAULT-VALUE}).")
    private int root;

    @Option(names = { "-a", "--average" }, paramLabel = "0|1|2|3", defaultValue = "1",
        description = "Which time to report: 0 = rank 0, 1 = mean, 2 = minimum, 3 = maximum over ranks " +
            "(default: ${DEFAULT-VALUE}).")
    private int average;

    @Option(names = { "-T", "--timeout" }, paramLabel = "SECONDS", defaultValue = "0",
        description = "Timeout of each call; 0 keeps the communicator's (default: ${DEFAULT-VALUE}).")
    private int timeoutSeconds;

    @Option(names = "--mode", paramLabel = "MODE",
        description = "How calls are made: blocking; persistent, initialized once and then started repeatedly; or " +
            "nonblocking, with a computation in between and the overlap as defined by OSU's benchmarks " +
            "(default: as implied by an OSU name of the operation, else blocking).")
    private String mode;

    @Option(names = "--tests", paramLabel = "N", defaultValue = "0",
        description = "Number of tests of the request during the computation of a nonblocking call " +
            "(default: ${DEFAULT-VALUE}).")
    private int tests;

    @Option(names = { "-W", "--window" }, paramLabel = "N", defaultValue = "64",
        description = "Puts or gets per flush, in put_bw and get_bw (default: ${DEFAULT-VALUE}).")
    private int window;

    @Option(names = "--requests", paramLabel = "N", defaultValue = "1",
        description = "Requests in progress at once: each iteration starts N requests with separate buffers, " +
            "and then awaits all; with --mode blocking, it makes N blocking calls instead. The time is that of one " +
            "(default: ${DEFAULT-VALUE}, a blocking call).")
    private int requests;

    @Option(names = "--memory", paramLabel = "KIND", defaultValue = "allocated",
        description = "Memory of the buffers: allocated by the communicator; registered, allocated by the caller " +
            "outside the Java heap; or heap, arrays. Data in heap, and within a host also in registered memory, is " +
            "copied through the communicator's memory (default: ${DEFAULT-VALUE}).")
    private String memory;

    @Option(names = "--json", paramLabel = "FILE", description = "Also writes the results to FILE, as one JSON object.")
    private Path json;

    @Option(names = "--jfr", paramLabel = "DIRECTORY",
        description = "Also records each rank with the JDK flight recorder, into DIRECTORY/rank-N.jfr, for " +
            "'jfr summary', 'jfr view hot-methods' and JDK Mission Control. Recording slows ranks down.")
    private Path jfr;

    @Option(names = "--percentiles",
        description = "Times each iteration separately and writes percentiles of rank 0 to the JSON file. In put_bw " +
            "and get_bw an iteration is a window, whose time is divided by its messages.")
    private boolean percentiles;

    /**
     * Validates the values except the root, whose range depends on the number of ranks.
     *
     * @param operation operation to measure.
     * @param spec      command specification, for the error.
     * @return the configuration.
     * @throws ParameterException naming the option, its value and the valid values.
     */
    PerfConfig conclude(final Operation operation, final CommandSpec spec)
    {
        sizes.check(spec, 0, "");
        iterations.check(spec);
        require(spec, warmUpSeconds == null ||
            (warmUpSeconds >= UNTIL_COMPILED && warmUpSeconds <= MOST_WARM_UP_SECONDS), "--warmup",
            warmUpSeconds, "from -1 to " + MOST_WARM_UP_SECONDS);
        require(spec, !cold || (iterations.areBySize() && warmUpSeconds == null && !percentiles && tests == 0),
            "--cold", cold, "given without -n, -w, --warmup, --percentiles and --tests: " +
            "it times the first calls exactly as they occur");
        require(spec, !cold || !operation.isOneSided(), "--cold", cold, "given with a collective or sendrecv: " +
            operation.label() + " needs a window, which the ranks create collectively before the first call");
        require(spec, check == 0 || check == 1, "-c", check, "0 or 1");
        require(spec, root >= -1, "-r", root, "a rank, or -1 for each in turn");
        require(spec, average >= 0 && average <= 3, "-a", average, "from 0 to 3");
        require(spec, timeoutSeconds >= 0, "-T", timeoutSeconds, "at least 0");
        if (json != null)
        {
            require(spec, isWritable(json.toAbsolutePath()), "--json", json,
                "a writable file in an existing directory");
        }
        require(spec, jfr == null || !Files.exists(jfr) || (Files.isDirectory(jfr) && Files.isWritable(jfr)),
            "--jfr", jfr, "a writable directory, or one that can be created");
        final Mode implied = Mode.of(nameUsed(spec));
        final Optional<Mode> asked = mode == null ?
            Optional.of(requests > 1 && implied == Mode.BLOCKING ? Mode.OVERLAPPING : implied) :
            Stream.of(Mode.values()).filter(value -> value.label().equals(mode)).findFirst();
        require(spec, asked.isPresent() && (mode == null || asked.get() != Mode.OVERLAPPING), "--mode", mode,
            "blocking, persistent or nonblocking");
        require(spec, requests >= 1 && requests <= MOST_WINDOW, "--requests", requests, "from 1 to " + MOST_WINDOW);
        require(spec, requests == 1 || (asked.get() != Mode.NONBLOCKING && operation.has(Mode.NONBLOCKING) && !cold &&
            operation != Operation.BARRIER && !operation.isOneSided()), "--requests", requests,
            "1, or given with an operation that has requests and buffers, and without --mode nonblocking and --cold");
        require(spec, operation.has(asked.get()), "--mode", mode, operation.has(Mode.NONBLOCKING) ?
            "blocking or nonblocking: " + operation.label() + " has no other form" :
            "blocking: " + operation.label() + " has no other form");
        require(spec, tests >= 0, "--tests", tests, "at least 0");
        require(spec, tests == 0 || asked.get() == Mode.NONBLOCKING, "--tests", tests, "given with --mode nonblocking");
        require(spec, window >= 1 && window <= MOST_WINDOW, "-W", window, "from 1 to " + MOST_WINDOW);
        final Optional<MemoryKind> kind =
            Stream.of(MemoryKind.values()).filter(value -> value.label().equals(memory)).findFirst();
        require(spec, kind.isPresent(), "--memory", memory, "allocated, registered or heap");
        require(spec, kind.get().suits(operation, asked.get()), "--memory", memory,
            "allocated" + (operation.isOneSided() ? "" : " or registered") + ": " + operation.label() + " has no " +
            asked.get().label() + " form for other memory");
        final CountsRule rule = counts.rule(spec, List.of(operation)).orElse(CountsRule.EVEN);
        require(spec, !percentiles || asked.get() != Mode.NONBLOCKING, "--percentiles", percentiles,
            "given with --mode blocking or persistent: nonblocking reports means only");
        require(spec, json != null || !percentiles, "--percentiles", percentiles,
            "given with --json FILE, where they are written");
        final List<DataType> types = Stream.of(DataType.values())
            .filter(type -> dataType.equals(ALL) || dataType.equals(type.shortName()))
            .toList();
        require(spec, !types.isEmpty(), "-d", dataType, TYPES);
        final List<ReduceOp> ops = Stream.concat(Stream.of(ReduceOp.values()), Stream.of(PerfConfig.MULSUM))
            .filter(value -> op.equals(ALL) || op.equals(PerfConfig.label(value)))
            .toList();
        require(spec, !ops.isEmpty(), "-o", op, OPS);
        require(spec, types.stream().anyMatch(
            type -> ops.stream().anyMatch(value -> operation.takes(value, type))), "-o", op,
            "defined on -d, which is " + dataType + ": bitwise and logical operations need integers, minloc and " +
                "maxloc need pairs such as float_int32, the others numbers; scans have no avg and mulsum");
        return new PerfConfig(
            operation, new SizeSweep(sizes.min(), sizes.max(), stepBytes.bytes(), sizes.factor()), types, ops,
            // As in nccl-tests, operations without a root ignore the option.
            operation.hasRoot() ? root : 0,
            iterations.timed(), iterations.untimed(), warmUp(), check == 1, PerfConfig.Average.values()[average],
            timeoutSeconds == 0 ? null : Duration.ofSeconds(timeoutSeconds), json, percentiles,
            asked.get(), tests, window, requests, rule, kind.get());
    }

    /** Whether to measure the first calls. */
    boolean isCold()
    {
        return cold;
    }

    /** Directory of the flight recordings, or null for none. */
    Path jfr()
    {
        return jfr;
    }

    /** Name by which the user called the command: its own name or an alias. */
    private static String nameUsed(final CommandSpec spec)
    {
        final ParseResult parsed = spec.parent() == null ? null : spec.parent().commandLine().getParseResult();
        return parsed == null ? spec.name() :
            parsed.originalArgs().stream().filter(spec.names()::contains).findFirst().orElse(spec.name());
    }

    private WarmUp warmUp()
    {
        if (warmUpSeconds == null)
        {
            // With -w a user gets exactly that many untimed iterations.
            return iterations.untimed() < 0 ? WarmUp.UNTIL_COMPILED : WarmUp.NONE;
        }
        final Duration asked = Duration.ofSeconds(warmUpSeconds);
        return warmUpSeconds == UNTIL_COMPILED ? WarmUp.UNTIL_COMPILED : new WarmUp(asked, asked);
    }

    private static boolean isWritable(final Path file)
    {
        return Files.exists(file) ? !Files.isDirectory(file) && Files.isWritable(file) :
            Files.isDirectory(file.getParent()) && Files.isWritable(file.getParent());
    }

    private static void require(
        final CommandSpec spec, final boolean condition, final String option, final Object value, final String range)
    {
        OptionRules.require(spec, condition, option + "=" + value, "must be " + range);
    }
}
