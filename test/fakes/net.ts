// A network for tests that send nothing: every request fails.

import type { GuardedFetch } from '../../src/net/fetch.ts'

export const NO_NET: GuardedFetch = async ({ url }) => ({
  ok: false,
  error: { code: 'unreachable', detail: `${url} cannot be reached.`, sent: false },
})
