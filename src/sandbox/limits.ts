// Limits of the sandbox. A name without a unit is a count.

import { SANDBOX_GRACE_MS, SANDBOX_WALL_MAX_MS } from '../limits/sandbox.ts'

/**
 * Steps that a job may execute per millisecond of its time limit. They replace the clock where it stops while
 * a program computes. Programs execute fewer: 318,000 when copying memory, 150,000 to 320,000 in JavaScript,
 * and 590,000 in a regular expression that backtracks endlessly.
 */
export const SANDBOX_STEPS_PER_MS = 600_000
/** `limits.cpuMs` of the isolates, which the platform enforces in addition to Satchel's limits. */
export const SANDBOX_CPU_MAX_MS = 300_000
/** Maximum output of a command. The model sees the beginning and the end; the complete output is stored as a file. */
export const SANDBOX_OUTPUT_MAX_BYTES = 2_097_152
/** Maximum output of a program within a command. It is higher, because the output may go to a pipe or a file. */
export const SANDBOX_PROGRAM_OUTPUT_MAX_BYTES = 8_388_608
/**
 * Maximum bytes that a command may write to files: two files of the largest size, such as a file and its sorted copy.
 */
export const SANDBOX_WRITE_MAX_BYTES = 200_000_000
/**
 * Maximum bytes that the host stores for a command, including removed and overwritten data: twice what may exist at
 * the same time.
 */
export const SANDBOX_KEPT_MAX_BYTES = 400_000_000
/** Size of the parts in which a large content is copied. 16 commands copy at the same time in a Worker of 128 MB. */
export const SANDBOX_COPY_PART_BYTES = 2_097_152
/**
 * Maximum bytes that a program within a command may write. Together with its output, they fit into one message of 32
 * MiB.
 */
export const SANDBOX_PROGRAM_WRITE_MAX_BYTES = 16_777_216
/**
 * Maximum bytes of a file that a command reads in one message; larger files are read in ranges. 16 commands read at
 * the same time in a Worker of 128 MB.
 */
export const SANDBOX_READ_MAX_BYTES = 8_388_608
/** Maximum number of files that one command may create. */
export const SANDBOX_FILES_MAX = 2_000
/**
 * The heap of a runtime. With the runtime itself (35 MB for Python), it stays below the 128 MB of an isolate.
 */
export const SANDBOX_HEAP_MAX_BYTES = 67_108_864
/** Share of a shell job's memory for one text, or for all data in one pipe, because several copies exist at the same time. */
export const BASH_TEXT_HEAP_SHARE = 0.125
/** Share of a shell job's memory for all variables, in characters, which take up to two bytes. */
export const BASH_VARIABLES_HEAP_SHARE = 0.25
/**
 * Size of Node's heap. An isolate has 128 MB, of which 100 MB is a safe peak. The interpreter and its image take 14 MB, and
 * files take NODE_FILES_MAX_BYTES.
 */
export const NODE_HEAP_MAX_BYTES = 67_108_864
/**
 * Size of Python's heap, of which the image takes 12 MB. An isolate has 128 MB, of which 100 MB is a safe peak. The
 * interpreter, its image and its library take 23 MB, and files take PYTHON_FILES_MAX_BYTES. A text of 20 MB fits, with
 * the bytes from which it is decoded.
 */
export const PYTHON_HEAP_MAX_BYTES = 58_720_256
/** Number of isolates that one workspace keeps for Python, and for Node. The platform bills each as a Worker. */
export const SANDBOX_ISOLATES_MAX = 4
/**
 * The queue for commands in an isolate. `capacity` is the number of concurrent commands, of which one key
 * leaves half to others. With 100 endless loops, a chat on a local server waited 24 s; 190 filled its memory.
 * Most commands take less than a second. A slot expires once its command must have ended.
 */
export const COMMAND_QUEUE = {
  capacity: 16,
  reservedForOthers: 8,
  waitMaxMs: 300_000,
  slotIdleMaxMs: SANDBOX_WALL_MAX_MS + 6 * SANDBOX_GRACE_MS,
}
/** Interval in ms at which a waiting command checks for a free slot; hundreds of commands may wait. */
export const COMMAND_POLL_INTERVAL_MS = 100
/** Maximum number of slots whose count of abandoned isolates is remembered. */
export const SANDBOX_ABANDONED_COUNTS_MAX = 4_096
/** Maximum number of IDs that are tried for a slot whose count was forgotten. */
export const SANDBOX_ISOLATE_ATTEMPTS_MAX = 64
/**
 * Pause between the starts of two isolates on a local server. A start blocks it for about 80 ms; in between, chats continue.
 */
export const ISOLATE_START_SPACING_MS = 160
/**
 * Number of idle shells that a local server keeps. Each takes 8 to 12 MB of the 4 GB that all isolates of workerd
 * share, and starts in 0.15 s.
 */
export const SHELLS_MAX = 48
/**
 * Number of shells discarded before a garbage collection, which takes 10 to 20 ms. A stopped shell may hold hundreds
 * of megabytes, so it triggers a collection immediately.
 */
export const SHELLS_DISCARDED_BEFORE_COLLECT = 8
/**
 * Maximum number of skills listed with only their SKILL.md, because the command does not name them. Skills that it
 * names are listed with all their files.
 */
export const SANDBOX_SKILLS_LISTED_MAX = 500
/**
 * Maximum number of files of a skill whose size is determined before a command runs. For this, each isolate reads the
 * file once.
 */
export const SANDBOX_SKILL_FILES_SIZED_MAX = 200
/** Maximum number of cached skill file sizes; each takes about 100 bytes. */
export const SANDBOX_CACHED_SIZES_MAX = 10_000
/** Maximum number of changed files that a result names; others are only counted. */
export const SANDBOX_CHANGES_SHOWN_MAX = 20

/**
 * Maximum number of times that a program may switch between its two streams while their order is recorded. More would
 * take more memory than the output: 2 MiB allow runs of 8 bytes.
 */
export const WRITE_RUNS_MAX = 262_144
/** Maximum duration of a timer: 2^31 - 1 ms. A longer one would fire immediately. */
export const TIMER_MAX_MS = 2_147_483_647
