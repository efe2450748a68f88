// Guards the secrets in the rows of hooks and endpoints: whoever reads the rows cannot sign, and a lost ENCRYPTION_KEY is reported
// as what it is, and can be repaired.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { Endpoint } from '../../src/callbacks/endpoint.ts'
import { newId } from '../../src/lib/ids.ts'
import { ok } from '../../src/lib/result.ts'
import { newSecret } from '../../src/webhooks/schemes/secret.ts'
import { BUILD, config, inside, signed, Threads, UNKNOWN } from './hook-fixture.ts'

const OTHER = { ENCRYPTION_KEY: 'another-encryption-key-of-the-tests' }
const BOTH = { ...OTHER, ENCRYPTION_KEY_PREVIOUS: env.ENCRYPTION_KEY ?? '' }
const NONE = { ENCRYPTION_KEY: '' }
const UNREADABLE = { ok: false, error: { code: 'not_configured' } }

function rowsOf(state: DurableObjectState, table: string): string {
  return JSON.stringify(state.storage.sql.exec(`SELECT * FROM ${table}`).toArray())
}

describe('a hook', () => {
  it('stores its secrets only sealed, also after a replacement, and verifies with both', async () => {
    const hook = config()
    await inside(hook, new Threads(), async (object, state) => {
      await object.configure(hook)
      const rotated = await object.rotate('default', null, 3600)
      const secret = rotated.ok ? rotated.value.secret : ''
      for (const one of [hook.secret, secret]) {
        const { headers, body } = signed({ ...hook, secret: one }, `msg_${one}`)
        expect(await object.deliver(headers, body, BUILD)).toMatchObject({ ok: true })
        expect(rowsOf(state, 'hook')).not.toContain(one.slice('whsec_'.length))
      }
    })
  })

  it('cannot be created without an ENCRYPTION_KEY, and nothing is stored', async () => {
    const hook = config()
    await inside(
      hook,
      new Threads(),
      async (object) => {
        expect(await object.configure(hook)).toMatchObject(UNREADABLE)
        expect(await object.view('default')).toEqual(UNKNOWN)
      },
      NONE,
    )
  })

  it('whose key is lost blames no sender, and works again with a new secret', async () => {
    const hook = config()
    await inside(hook, new Threads(), async (object) => void (await object.configure(hook)))
    await inside(
      hook,
      new Threads(),
      async (object) => {
        const { headers, body } = signed(hook, 'msg_1')
        expect(await object.deliver(headers, body, BUILD)).toMatchObject(UNREADABLE)
        expect(await object.deliverTest('default', '{}', {}, BUILD)).toMatchObject(UNREADABLE)
        expect(await object.view('default')).toMatchObject({ value: { secret_readable: false } })
        const rotated = await object.rotate('default', null, 3600)
        expect(rotated).toMatchObject({ value: { secret_readable: true } })
        const again = signed({ ...hook, secret: rotated.ok ? rotated.value.secret : '' }, 'msg_1')
        expect(await object.deliver(again.headers, again.body, BUILD)).toMatchObject({ ok: true })
      },
      OTHER,
    )
  })

  it('is sealed again with a new key when it is shown', async () => {
    const hook = config()
    await inside(hook, new Threads(), async (object) => void (await object.configure(hook)))
    for (const keys of [BOTH, OTHER])
      await inside(
        hook,
        new Threads(),
        async (object) => {
          expect(await object.view('default')).toMatchObject({ value: { secret_readable: true } })
          const { headers, body } = signed(hook, 'msg_1')
          expect(await object.deliver(headers, body, BUILD)).toMatchObject({ ok: true })
        },
        keys,
      )
  })
})

describe('an endpoint', () => {
  it('stores its secrets only sealed, and says in its log when it cannot sign', async () => {
    const url = 'https://receiver.example.com/'
    const created_at = '2030-01-01T00:00:00.000Z'
    const made = { id: newId('ep'), workspace: 'w', url, created_at, secret: newSecret() }
    const sent: string[] = []
    const ports = {
      now: () => Date.parse(created_at),
      randomFraction: () => 0,
      fetch: () => async () => {
        sent.push(url)
        return ok({ status: 200, url, headers: {}, body: new Uint8Array(), cut: false })
      },
    }
    await runInDurableObject(env.ENDPOINTS.getByName(`w/${made.id}`), async (_, state) => {
      const object = new Endpoint(state, env, ports)
      expect(await object.configure({ ...made, events: [], answer: false })).toMatchObject({ ok: true })
      const rotated = await object.rotate('w', null, 3600)
      for (const secret of [made.secret, rotated.ok ? rotated.value.secret : ''])
        expect(rowsOf(state, 'endpoint')).not.toContain(secret.slice('whsec_'.length))
      const other = new Endpoint(state, { ...env, ...OTHER }, ports)
      expect(await other.view('w')).toMatchObject({ value: { secret_readable: false } })
      await other.add('w', { id: 'evt_1', type: 'run.completed', url: null, body: '{"data":{}}' })
      await other.alarm()
      const log = { state: null, before: null, limit: 10 }
      expect(await other.log('w', log)).toMatchObject({
        value: [{ state: 'waiting', problem: expect.stringContaining('ENCRYPTION_KEY') }],
      })
      expect(sent).toEqual([])
      expect(await new Endpoint(state, { ...env, ...BOTH }, ports).view('w')).toMatchObject({
        value: { secret_readable: true },
      })
      const renewed = new Endpoint(state, { ...env, ...OTHER }, ports)
      await renewed.replay('w', 1)
      await renewed.alarm()
      expect(await renewed.log('w', log)).toMatchObject({ value: [{ state: 'sent' }] })
      expect(sent).toEqual([url])
      await state.storage.deleteAll()
    })
  })
})
