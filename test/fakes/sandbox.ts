// A sandbox for tests that run no command.

import { NOTHING_INSTALLED } from '../../src/sandbox/installed-packages.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'

export const NO_SANDBOX: Sandbox = {
  unavailableReason: async () => 'there is none',
  installed: async () => NOTHING_INSTALLED,
  run: async () => ({ content: 'sandbox_unavailable', isError: true }),
}
