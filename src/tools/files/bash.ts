// bash: runs a command in separate isolates, on the thread's files and the skills.

import * as z from 'zod'
import { SANDBOX_GRACE_MS, SANDBOX_WALL_MAX_MS } from '../../limits/sandbox.ts'
import { SANDBOX_COMMAND_MAX_CHARS, SANDBOX_WALL_DEFAULT_MS } from './limits.ts'
import { builtin } from '../record/builtin.ts'

export const BASH = builtin({
  name: 'bash',
  group: 'files',
  label: { icon: 'code', now: 'Running', past: 'Ran', failed: 'Ran, with an error:', many: 'commands' },
  description:
    'Runs a bash command in a sandbox: the common text commands (grep, sed, awk, jq, sort, find, xargs, tar …), python3 (standard library) and node (JavaScript, TypeScript). It starts in /mnt/user-data/workspace and may write below /mnt/user-data/uploads, /mnt/user-data/workspace and /mnt/user-data/outputs, and in /tmp, which is deleted after the call. Skills are read-only under /mnt/skills: run a script by its full path. There is no network, nothing can be installed, and nothing continues in the background.',
  input: z.strictObject({
    command: z
      .string()
      .min(1)
      .max(SANDBOX_COMMAND_MAX_CHARS)
      .describe('The command, as you would type it into bash; it may have several lines.'),
    timeout_s: z
      .int()
      .min(1)
      .max(SANDBOX_WALL_MAX_MS / 1000)
      .optional()
      .describe(
        `Timeout in seconds: ${SANDBOX_WALL_DEFAULT_MS / 1000} by default, at most ${SANDBOX_WALL_MAX_MS / 1000}. A command that takes longer is stopped and changes nothing.`,
      ),
  }),
  effect: 'idempotent',
  // Longer than the command's own timeout, which ends the command first.
  timeoutMs: SANDBOX_WALL_MAX_MS + 2 * SANDBOX_GRACE_MS,
  limitsResults: false,
  run: ({ files, skills, sandbox }, { command, timeout_s }, call) =>
    sandbox.run(
      {
        command,
        wallMs: timeout_s === undefined ? SANDBOX_WALL_DEFAULT_MS : timeout_s * 1000,
        files,
        skills,
      },
      call,
    ),
})
