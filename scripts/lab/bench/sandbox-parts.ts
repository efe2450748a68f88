// The parts of the bench that are about commands, by name: each measures one thing and answers its lines.

import { measureSandboxHostile } from './sandbox-hostile.ts'
import { measureMemory } from './sandbox-memory.ts'
import { measureRuntimes } from './sandbox-runtimes.ts'
import { measureTool } from './sandbox-tool.ts'
import { measureWork } from './sandbox-work.ts'
import type { Measured, Tell } from './part.ts'

/** Each takes one to two minutes. */
export const SANDBOX_PARTS = {
  'sandbox-tool': measureTool,
  'sandbox-runtimes': measureRuntimes,
  'sandbox-work': measureWork,
  'sandbox-memory': measureMemory,
  'sandbox-hostile': measureSandboxHostile,
} as const satisfies Readonly<Record<string, (tell: Tell) => Promise<Measured>>>
