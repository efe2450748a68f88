// Guards "secrets of a run are masked in whatever it receives", even in a page that was requested earlier.

import { expect, it } from 'vitest'
import { utf8 } from '../../../src/lib/bytes.ts'
import type { GuardedFetch } from '../../../src/net/fetch.ts'
import { sealer } from '../../../src/secrets/seal.ts'
import { sealSecret } from '../../../src/secrets/stored.ts'
import { RunSecrets } from '../../../src/thread/executor/run-secrets.ts'

it('masks a page that was requested before the first secret was used and arrives afterwards', async () => {
  const seals = sealer(['a-key-of-32-characters-or-more-ok'])
  if (!seals) throw new Error('no key')
  const secret = await sealSecret(seals, 'acme', { name: 'TOKEN', host: 'a.test', value: 'the-secret-value' })
  const workspace = () => ({ sealedSecrets: async () => ({ ok: true, value: [secret] }) })
  const parts = {
    ctx: { storage: { sql: { exec: () => ({ toArray: () => [] }) } } },
    row: { data: { workspace: 'acme', id: 'th_1' } },
    ports: { sealer: seals, workspace },
  }
  // The cast is safe: the tested code uses only these parts of a thread.
  const secrets = new RunSecrets(parts as unknown as ConstructorParameters<typeof RunSecrets>[0], 'run_1')
  const comes = Promise.withResolvers<void>()
  const net: GuardedFetch = async ({ url }) => {
    await comes.promise
    const body = utf8('It is the-secret-value.')
    return { ok: true, value: { status: 200, url, headers: {}, body, cut: false } }
  }
  const terms = { signal: new AbortController().signal, timeoutMs: 1, maxBytes: 1, maxRedirects: 0 }
  const request = { method: 'GET' as const, url: 'https://b.test/', headers: {}, body: null }
  const page = secrets.withMasking(net)(request, terms)
  expect(await secrets.use(['TOKEN'], 'a.test')).toMatchObject({ ok: true })
  comes.resolve()
  const answer = await page
  expect(answer.ok && new TextDecoder().decode(answer.value.body)).toBe('It is [secret TOKEN].')
})
