// The numbers of this folder: unit in the name, then reason and source.

import { SANDBOX_GRACE_MS, SANDBOX_WALL_MAX_MS } from '../limits/sandbox.ts'

/**
 * Steps for each millisecond of a job's time: more than programs make (copying memory: 318,000; JavaScript 150,000 to
 * 320,000; a regular expression that backtracks without end 590,000). They count where a clock stands still while a program
 * computes.
 */
export const SANDBOX_STEPS_PER_MS = 600_000
/** `limits.cpuMs` of the isolates: behind their own limits, the platform's. */
export const SANDBOX_CPU_MS = 300_000
/** What a command may print; the model gets the ends of it, the rest goes to a file. */
export const SANDBOX_OUTPUT_BYTES = 2_097_152
/** What a program within a command may print: a pipe or a file takes it. */
export const SANDBOX_PROGRAM_OUTPUT_BYTES = 8_388_608
/** All that a command writes. With its output, or with what a pipe hands on, it fits into one message of 32 MiB. */
export const SANDBOX_WRITE_BYTES = 16_777_216
/** One file that is read: one message of 32 MiB takes it, and an isolate of 128 MB holds it beside its runtime. */
export const SANDBOX_READ_BYTES = 25_165_824
/** Files that a command makes: more than a person wants to look through. */
export const SANDBOX_FILES_MAX = 2_000
/** Of a runtime's heap: with what it is made of (some 35 MB of Python) it stays below the 128 MB of an isolate. */
export const SANDBOX_HEAP_BYTES = 67_108_864
/** Isolates of Python, and of Node, that one workspace keeps. More at once each cost a Worker of their own. */
export const SANDBOX_POOL = 4
/**
 * Commands that run at once in an isolate (`bytes`), of which one key leaves half to others: 100 endless loops made a chat on a
 * local server wait 24 s, 190 filled its memory (16 with a program of 100 MB each stay below the 3 GB). Most commands
 * take less than a second. A slot ends by itself once its command must be over.
 */
export const COMMAND_QUEUE = {
  bytes: 16,
  reserve: 8,
  timeoutMs: 300_000,
  heldMs: SANDBOX_WALL_MAX_MS + 6 * SANDBOX_GRACE_MS,
}
/** How often a command looks whether its turn came (ms): hundreds may wait. */
export const COMMAND_LOOK_MS = 100
/** Isolates that an owner used up and that are remembered; and how many are passed over where none is remembered. */
export const SANDBOX_SPENT_KEPT = 4_096
export const SANDBOX_SPENT_PASSED = 64
/**
 * Shells that a local server keeps beside those that have a job: 8 to 12 MB each of the 4 GB that all isolates of workerd
 * share. The next begins in 0.15 s.
 */
export const SHELLS_KEPT = 48
/**
 * Shells that were given up before memory is looked through for them, which takes 10 to 20 ms. After one that was stopped,
 * which may hold hundreds of megabytes, it is at once.
 */
export const SHELLS_COLLECT_AFTER = 8
/** Skills whose SKILL.md is listed although no command named them; one that is named is there with all its files. */
export const SANDBOX_SKILLS_LISTED = 500
/** Files of skills whose size is looked up before a command runs: each has to be read for it, once an isolate. */
export const SANDBOX_SKILL_FILES_SIZED = 200
/** Sizes of skills' files that are remembered: some 100 bytes each. */
export const SANDBOX_SIZES_KEPT = 10_000
/** Changed files that a result names; the rest is counted. */
export const SANDBOX_CHANGES_SHOWN = 20
