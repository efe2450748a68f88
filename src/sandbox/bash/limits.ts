// Limits of the shell. A name without a unit is a count.

/** Steps between two readings of the clock, which take about 20 µs, or 2 ms if each step handles a long text. */
export const BASH_SLICE_STEPS = 500
/**
 * How much of a slice's time counts toward BASH_STRETCH_MS. A longer slice means that the process waited for a busy
 * machine.
 */
export const BASH_SLICE_MAX_MS = 2
/** Maximum time without a pause in any case: longer than a busy machine keeps a process waiting. */
export const BASH_BLOCKED_MAX_MS = 10_000
/** Interval at which a shell yields, so that a chat beside eight shells waits less than half a second for its first text. */
export const BASH_YIELD_EVERY_MS = 5
/** Steps after which a shell yields on platforms whose clock stops during computation; they take about 50 ms. */
export const BASH_YIELD_EVERY_STEPS = 1_000_000
/** Interval at which a waiting shell reports that it is active. */
export const BASH_HEARTBEAT_MS = 70
/** After this time without activity, a shell counts as abandoned; a command blocks it for at most a second. */
export const BASH_ABANDONED_AFTER_MS = 3_000
/** Time and steps that a stopped shell may take to end before it is ended by force. */
export const BASH_GRACE_MS = 200
export const BASH_GRACE_STEPS = 2_000_000
/**
 * Maximum depth of programs that wait for each other, such as a script that starts a script. Each takes an isolate of
 * up to 128 MB, and a workspace keeps 4 of them.
 */
export const BASH_PROGRAM_DEPTH_MAX = 4
/**
 * Time after which a job triggers a garbage collection when it ends. It may leave a hundred megabytes of garbage, and
 * collecting them takes a few milliseconds.
 */
export const BASH_COLLECT_AFTER_MS = 250
/** Output is streamed in pieces of this size, or whenever the shell yields. */
export const BASH_PROGRESS_BYTES = 16_384
/** Size of the largest file of the host that is read at once and cached. Larger ones are read in ranges. */
export const BASH_WHOLE_READ_MAX_BYTES = 8_388_608
/** Size of the first range of a large file, which is enough for `head`, of the largest range, and how many are requested ahead. */
export const BASH_FIRST_RANGE_BYTES = 131_072
export const BASH_RANGE_MAX_BYTES = 2_097_152
export const BASH_RANGES_AHEAD = 2
/** How much of what a job writes is kept in memory. The host stores the rest, in parts of BASH_KEPT_PART_BYTES. */
export const BASH_WRITTEN_IN_MEMORY_MAX_BYTES = 8_388_608
export const BASH_KEPT_PART_BYTES = 2_097_152
/** Size of the largest file that a command can load completely (`shuf`, `zip`) along with a copy of it, in 128 MB. */
export const BASH_FILE_IN_MEMORY_MAX_BYTES = 25_165_824

/** How many links of each kind the message at the end of a call names. More would not help a model. */
export const LINKS_NAMED_MAX = 5
