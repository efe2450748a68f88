// Guards the audit after it is written: nobody can change it, it is bounded, listed and sent to endpoints, and another
// workspace sees none of it. Failed sign-ins are counted, guesses are not.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import type { LogEntry } from '../../src/callbacks/api.ts'
import { DAY_MS } from '../../src/lib/clock.ts'
import { statements } from '../../src/lib/tables.ts'
import type { FailedSignIns } from '../../src/workspace/audit-api.ts'
import { AUDIT_TABLES } from '../../src/workspace/audit-schema.ts'
import { FailedSignInCounts } from '../../src/workspace/failed-sign-ins.ts'
import {
  AUDIT_CHAT_ROWS_MAX,
  AUDIT_SWEPT_MAX,
  FAILED_SIGN_IN_NETWORKS_MAX,
} from '../../src/workspace/limits.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { foreignKey, got, refused, send, serveSkills } from './api-fixture.ts'
import { actions, idOfKey, inAudit } from './audited-route.ts'

beforeAll(() => serveSkills([{ name: 'alpha' }]))

describe('the audit', () => {
  it('cannot be changed once an action has ended, and old rows are swept a few at a time', async () => {
    const name = 'audit-swept'
    const key = await foreignKey(name)
    const act = (): Promise<unknown> => send('POST /admin/hooks/none/rotate', { key, body: {} })
    for (let count = 0; count < 3; count++) await act()
    for (const change of ['status = 200', 'at = 0', "user = 'eve'", "target = 'other'", "after = '{}'"])
      await expect(inAudit((sql) => sql.exec(`UPDATE audit SET ${change}`).toArray(), name)).rejects.toThrow(
        /cannot be changed/,
      )
    const old = Date.now() - 366 * DAY_MS
    await inAudit((sql) => {
      for (let count = 0; count < AUDIT_SWEPT_MAX + 5; count++)
        sql.exec(
          `INSERT INTO audit (id, at, request_id, key, role, network, action, status, unannounced)
           VALUES (?, ?, 'req_old', 'k', 'admin', 'unknown', 'keys.create', 201, 0)`,
          -100 + count,
          old,
        )
    }, name)
    const kept = (): Promise<number> =>
      inAudit((sql) => sql.exec<{ n: number }>('SELECT count(*) AS n FROM audit').one().n, name)
    expect(await actions('', key)).toHaveLength(3)
    await act()
    expect(await kept()).toBe(9)
    await act()
    expect(await kept()).toBe(5)
  })

  it('keeps a limited number of actions of chat keys, which displace none of admins', async () => {
    const name = 'audit-chats'
    const key = await foreignKey(name)
    const chat = await foreignKey(name, 'chat')
    await got(send('PATCH /admin/settings', { key, body: { files: { max_files: 7 } } }))
    await inAudit((sql) => {
      sql.exec(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO audit (at, request_id, key, role, network, action, status, unannounced)
         SELECT ?, 'req_many', 'k', 'chat', 'unknown', 'threads.delete', 404, 0 FROM n`,
        AUDIT_CHAT_ROWS_MAX,
        Date.now(),
      )
    }, name)
    await refused(send('DELETE /v1/threads/th_none', { key: chat }), 404, 'not_found')
    const counts = await inAudit(
      (sql) => sql.exec('SELECT role, count(*) AS n FROM audit GROUP BY role ORDER BY role').toArray(),
      name,
    )
    expect(counts).toEqual([
      { role: 'admin', n: 1 },
      { role: 'chat', n: AUDIT_CHAT_ROWS_MAX },
    ])
  })

  it('is listed by actor, action, target and day, a page at a time, newest first', async () => {
    const name = 'audit-listed'
    const key = await foreignKey(name, 'admin', 'zoe')
    const second = await foreignKey(name, 'admin', null)
    const made: string[] = []
    for (const by of [key, second, key])
      made.push(
        (await got<{ id: string }>(send('POST /admin/keys', { key: by, body: { role: 'chat' } }), 201)).id,
      )
    await got(send(`DELETE /admin/keys/${made[0]}`, { key }))
    const listed = async (query: string): Promise<readonly (string | null)[]> =>
      (await actions(query, key)).map(({ action, target }) => `${action} ${made.indexOf(target ?? '')}`)
    const everything = ['keys.delete 0', 'keys.create 2', 'keys.create 1', 'keys.create 0']
    expect(await listed('')).toEqual(everything)
    expect(await listed('action=keys')).toEqual(everything)
    expect(await listed('action=key')).toEqual([])
    expect(await listed('action=keys.create&actor=zoe')).toEqual(['keys.create 2', 'keys.create 0'])
    expect(await listed(`actor=${idOfKey(second)}`)).toEqual(['keys.create 1'])
    expect(await listed(`target=${made[0]}`)).toEqual(['keys.delete 0', 'keys.create 0'])
    const day = (offset: number): string => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10)
    expect(await listed(`from=${day(-1)}&to=${day(1)}`)).toEqual(everything)
    expect(await listed(`to=${day(-1)}`)).toEqual([])
    expect(await listed(`from=${day(1)}`)).toEqual([])
    type Listed = { data: unknown[]; next_cursor: string | null }
    const page = await got<Listed>(send('GET /admin/audit?limit=3', { key }))
    expect(page.data).toHaveLength(3)
    const rest = await got<Listed>(send(`GET /admin/audit?limit=3&cursor=${page.next_cursor}`, { key }))
    expect([rest.data.length, rest.next_cursor]).toEqual([1, null])
    await refused(send('GET /admin/audit?cursor=x', { key }), 400, 'bad_cursor')
    await refused(send('GET /admin/audit?from=yesterday', { key }), 422, 'invalid_request')
    // Another workspace sees none of it.
    const other = await foreignKey('audit-other')
    expect(await actions('', other)).toEqual([])
    expect(await got(send('GET /admin/audit/sign-ins', { key: other }))).toMatchObject({ data: [] })
  })

  it('is sent to the endpoints that subscribe, one event for each action, and to no others', async () => {
    const name = 'audit-heard'
    const key = await foreignKey(name)
    const register = async (events: readonly string[]): Promise<string> => {
      const body = { url: 'https://receiver.example.com/', events }
      return (await got<{ id: string }>(send('POST /admin/endpoints', { key, body }), 201)).id
    }
    const [hears, deaf] = [await register(['audit.recorded']), await register(['run.completed'])]
    await got(send('PATCH /admin/settings', { key, body: { files: { max_files: 9 } } }))
    const log = async (id: string): Promise<readonly LogEntry[]> =>
      (await got<{ data: LogEntry[] }>(send(`GET /admin/endpoints/${id}/log`, { key }))).data
    const events = await eventually(
      () => log(hears),
      (entries) => entries.length >= 2,
    )
    expect(events.map(({ type }) => type)).toEqual(['audit.recorded', 'audit.recorded'])
    const stub = env.ENDPOINTS.getByName(`${name}/${hears}`)
    const [body] = await runInDurableObject(stub, (_, { storage }) =>
      storage.sql.exec<{ body: string }>('SELECT body FROM log ORDER BY id DESC LIMIT 1').toArray(),
    )
    expect(JSON.parse(body?.body ?? '')).toEqual({
      type: 'audit.recorded',
      timestamp: expect.any(String),
      data: (await actions('limit=1', key))[0],
    })
    expect(await log(deaf)).toEqual([])
    // Events that could not be sent are sent with the next action.
    await inAudit((sql) => void sql.exec('UPDATE audit SET unannounced = 1 WHERE id = 1'), name)
    await got(send('PATCH /admin/settings', { key, body: { files: null } }))
    await eventually(
      () => log(hears),
      (entries) => entries.length >= 4,
    )
  })
})

describe('failed sign-ins', () => {
  it('are counted by network and minute for keys that exist or existed, and guesses are not', async () => {
    const name = 'audit-signed'
    const key = await foreignKey(name)
    const wrong = `${key.slice(0, -1)}${key.endsWith('0') ? 1 : 0}`
    const signIn = async (as: string, from: string): Promise<unknown> =>
      refused(
        send('GET /v1/models', { key: as, headers: { 'CF-Connecting-IP': from } }),
        401,
        'unauthenticated',
      )
    const list = async (): Promise<readonly FailedSignIns[]> =>
      (await got<{ data: FailedSignIns[] }>(send('GET /admin/audit/sign-ins', { key }))).data
    for (const last of [1, 2, 3, 4, 5]) await signIn(wrong, `198.51.100.${last}`)
    await signIn(wrong, '2001:db8:9:8::1')
    await signIn(`sk_${name}_${'k'.repeat(12)}_${'a'.repeat(40)}`, '198.51.100.6')
    const listed = await list()
    const sum = (network: string): number =>
      listed.filter((one) => one.network === network).reduce((total, { count }) => total + count, 0)
    expect([sum('198.51.100.0/24'), sum('2001:db8:9::/48')]).toEqual([5, 1])
    for (const one of listed) {
      expect(one.key).toBe(idOfKey(key))
      expect(one.at).toMatch(/:00\.000Z$/)
    }
  })

  it('are bounded: each network writes little, and too many networks count as one', async () => {
    await foreignKey('audit-flood')
    await inAudit((sql) => {
      sql.exec(statements(AUDIT_TABLES))
      const counts = new FailedSignInCounts()
      const now = Date.parse('2030-01-01T00:00:30Z')
      for (let at = 0; at < FAILED_SIGN_IN_NETWORKS_MAX + 20; at++)
        counts.add(sql, `10.0.${at}.0/24`, 'k', now)
      for (let at = 0; at < 100; at++) counts.add(sql, '10.0.0.0/24', 'k', now)
      const stored = (network: string) =>
        sql.exec<{ count: number }>('SELECT count FROM failed_sign_ins WHERE network = ?', network).one()
          .count
      expect([stored('10.0.0.0/24'), stored('others')]).toEqual([64, 16])
      // A restart continues from what was written; the next minute writes the rest.
      counts.add(sql, '10.0.0.0/24', 'k', now + 60_000)
      expect(
        sql.exec('SELECT count FROM failed_sign_ins WHERE network = ?', '10.0.0.0/24').toArray(),
      ).toEqual([{ count: 101 }, { count: 1 }])
      expect(stored('others')).toBe(20)
      const after = new FailedSignInCounts()
      after.add(sql, '10.0.0.0/24', 'k', now + 60_000)
      after.write(sql)
      const { rows } = sql.exec<{ rows: number }>('SELECT count(*) AS rows FROM failed_sign_ins').one()
      expect(rows).toBe(FAILED_SIGN_IN_NETWORKS_MAX + 2)
    }, 'audit-flood')
  })
})
