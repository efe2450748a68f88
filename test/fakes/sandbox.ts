// A sandbox for tests that run no command.

import type { Sandbox } from '../../src/sandbox/sandbox.ts'

export const NO_SANDBOX: Sandbox = {
  unavailableReason: async () => 'there is none',
  run: async () => ({ content: 'sandbox_unavailable', isError: true }),
}
