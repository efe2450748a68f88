// Limits of this folder: the unit is in the name; the comment has the reason and the source.

import { SANDBOX_GRACE_MS, SANDBOX_WALL_MAX_MS } from '../limits/sandbox.ts'

/**
 * Steps for each millisecond of a job's time: more than programs take (copying memory: 318,000; JavaScript 150,000
 * to 320,000; a regular expression that backtracks endlessly 590,000). They apply where the clock stops while a
 * program computes.
 */
export const SANDBOX_STEPS_PER_MS = 600_000
/** `limits.cpuMs` of the isolates: the platform's limit behind Satchel's own. */
export const SANDBOX_CPU_MS = 300_000
/** The maximum that a command may print. The model sees its start and end; the rest goes to a file. */
export const SANDBOX_OUTPUT_BYTES = 2_097_152
/** The maximum that a program within a command may print, because a pipe or a file takes it. */
export const SANDBOX_PROGRAM_OUTPUT_BYTES = 8_388_608
/** The maximum that a command may write. Together with its output or piped data it fits into one message of 32 MiB. */
export const SANDBOX_WRITE_BYTES = 16_777_216
/**
 * The largest file that a command can read: fits into one message of 32 MiB, and into an isolate of 128 MB next to
 * its runtime.
 */
export const SANDBOX_READ_BYTES = 25_165_824
/** Files that one command may create: more than a person wants to look through. */
export const SANDBOX_FILES_MAX = 2_000
/** The heap of a runtime. With the runtime itself (some 35 MB for Python) it stays below the 128 MB of an isolate. */
export const SANDBOX_HEAP_BYTES = 67_108_864
/** Isolates of Python, and of Node, that one workspace keeps. Each further one costs an extra Worker. */
export const SANDBOX_POOL = 4
/**
 * Commands that run at once in an isolate (`bytes`); one key leaves half to others. 100 endless loops made a chat
 * on a local server wait 24 s, 190 filled its memory (16 with a program of 100 MB each stay below the 3 GB). Most
 * commands take less than a second. A slot expires when its command must be over.
 */
export const COMMAND_QUEUE = {
  bytes: 16,
  reserve: 8,
  timeoutMs: 300_000,
  heldMs: SANDBOX_WALL_MAX_MS + 6 * SANDBOX_GRACE_MS,
}
/** How often a waiting command checks for a slot (ms): hundreds may wait. */
export const COMMAND_LOOK_MS = 100
/** Isolates that an owner used up and that are remembered; also how many ids are skipped if none is remembered. */
export const SANDBOX_SPENT_KEPT = 4_096
export const SANDBOX_SPENT_PASSED = 64
/**
 * Idle shells that a local server keeps: 8 to 12 MB each of the 4 GB that all isolates of workerd share. A new one
 * starts in 0.15 s.
 */
export const SHELLS_KEPT = 48
/**
 * Discarded shells before a garbage collection, which takes 10 to 20 ms. A stopped shell may hold hundreds of
 * megabytes, so it triggers one at once.
 */
export const SHELLS_COLLECT_AFTER = 8
/**
 * Skills whose SKILL.md is listed although the command does not name them. A named skill is listed with all its
 * files.
 */
export const SANDBOX_SKILLS_LISTED = 500
/** Skill files whose size is looked up before a command runs: each has to be read for it once per isolate. */
export const SANDBOX_SKILL_FILES_SIZED = 200
/** Cached sizes of skill files: some 100 bytes each. */
export const SANDBOX_SIZES_KEPT = 10_000
/** Changed files that a result names; the rest is only counted. */
export const SANDBOX_CHANGES_SHOWN = 20
