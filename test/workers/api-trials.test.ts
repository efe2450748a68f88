// Guards dry runs: an unknown query parameter never turns a dry run into the real change, and a dry run shows the
// result and changes nothing.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ROUTES } from '../../src/api/app.ts'
import type { SkillInfo } from '../../src/skills/view/skill-info.ts'
import { got, publish, refused, send, serveSkills, skillFolderOf, stateOfAll } from './api-fixture.ts'

let count = 0
let name = ''
let at = ''

beforeAll(() => serveSkills([{ name: 'alpha', description: 'Built in.' }, { name: 'beta' }]))

beforeEach(() => {
  name = `own-${++count}`
  at = `/admin/skills/${name}`
})

describe('a query parameter', () => {
  for (const { method, path, role, query = [] } of ROUTES) {
    if (role === null) continue
    it(`that ${method} ${path} does not know is refused before anything is done`, async () => {
      for (const line of [`${method} ${path}?nonsense=1`, `${method} ${path}?__proto__=1&nonsense=`]) {
        const problem = await refused(send(line), 422, 'invalid_request')
        expect(problem.errors?.at(-1)?.path).toBe('nonsense')
        for (const known of query) expect(problem.detail).toContain(known)
      }
    })
  }

  it('that is misspelt is answered with the intended one, and nothing happens', async () => {
    await publish({ name })
    const before = await stateOfAll()
    const body = skillFolderOf({ name, body: 'Two.' })
    const problem = await refused(send('POST /admin/skills?dryrun=1', { body }), 422, 'invalid_request')
    expect(problem.errors).toEqual([
      { path: 'dryrun', message: 'is not a parameter of this route (did you mean dry_run?)' },
    ])
    await refused(send(`DELETE ${at}?dry-run=1`), 422, 'invalid_request')
    await refused(send(`DELETE ${at}?dry_run=0&dry_run=1`), 422, 'invalid_request')
    await refused(send(`DELETE ${at}?DRY_RUN=1`), 422, 'invalid_request')
    expect(await stateOfAll()).toEqual(before)
  })

  it('is refused without a key, and truncated', async () => {
    await refused(send('GET /admin/keys?x=1', { key: null }), 401, 'unauthenticated')
    const many = Array.from({ length: 500 }, (_, n) => `${'x'.repeat(80)}${n}=1`).join('&')
    const problem = await refused(send(`GET /admin/keys?${many}`), 422, 'invalid_request')
    expect(problem.errors).toHaveLength(20)
    for (const { path } of problem.errors ?? []) expect(path.length).toBeLessThan(70)
  })

  it('may be unknown where no key is needed', async () => {
    await got(send('GET /healthz?probe=1', { key: null }))
    await refused(send('POST /hooks/hk_default_nope?sender=1', { key: null }), 404, 'not_found')
  })
})

interface Tried {
  readonly skill: SkillInfo | null
  readonly catalog_version: number
  readonly changed: readonly string[]
  readonly dry_run: boolean
}

describe('a dry run', () => {
  it('of a switch, a rollback or an unpublish shows the skill as it would be', async () => {
    const one = await publish({ name, body: 'One.' })
    const { catalog_version } = await publish({ name, body: 'Two.' })
    await publish({ name: 'alpha', body: 'Ours.' })
    const before = await stateOfAll()
    const tried = (line: string, body?: object): Promise<Tried> =>
      got<Tried>(send(`${line}?dry_run=1`, body ? { body } : {}))
    const version = catalog_version + 1
    const rest = { catalog_version: version, changed: [name], dry_run: true }
    expect(await tried(`PATCH ${at}`, { enabled: false })).toMatchObject({
      ...rest,
      skill: { enabled: false },
    })
    expect(await tried(`PATCH ${at}`, { enabled: true })).toMatchObject({ changed: [], dry_run: true })
    expect(await tried(`PATCH ${at}`, { shareable: true })).toMatchObject(rest)
    const back = await tried(`POST ${at}/rollback`, {})
    expect(back).toMatchObject({ ...rest, skill: { digest: one.skill.digest } })
    expect(await tried(`DELETE ${at}`)).toEqual({ ...rest, skill: null })
    expect((await tried('DELETE /admin/skills/alpha')).skill).toMatchObject({ category: 'public' })
    expect(await stateOfAll()).toEqual(before)
    await got(send('DELETE /admin/skills/alpha?dry_run=0'))
    await refused(send('DELETE /admin/skills/alpha'), 422, 'invalid_request')
  })

  it('refuses what the change would refuse', async () => {
    const { skill } = await publish({ name })
    const headers = { 'If-Match': `"${'f'.repeat(64)}"` }
    await refused(send(`DELETE ${at}?dry_run=1`, { headers }), 412, 'stale_version')
    await refused(send(`POST ${at}/rollback?dry_run=1`, { body: {} }), 422, 'invalid_request')
    await refused(send('DELETE /admin/skills/beta?dry_run=1'), 422, 'invalid_request')
    await refused(send(`PATCH ${at}?dry_run=maybe`, { body: { enabled: false } }), 422, 'invalid_request')
    const body = { version: 9_999 }
    await refused(send('POST /admin/catalog/restore?dry_run=1', { body }), 404, 'not_found')
    expect(await got(send(`GET ${at}`))).toMatchObject({ digest: skill.digest, enabled: true })
  })

  it('of a restore names the skills it would change; the restore then does exactly that', async () => {
    const { catalog_version: version } = await publish({ name, body: 'One.' })
    await publish({ name, body: 'Two.' })
    await publish({ name: `${name}-new` })
    await got(send('PATCH /admin/skills/beta', { body: { enabled: false } }))
    const before = await stateOfAll()
    const live = await got<{ version: number }>(send('GET /admin/catalog'))
    const body = { version }
    const trial = await got(send('POST /admin/catalog/restore?dry_run=1', { body }))
    const names = {
      added: [],
      changed: [name],
      removed: [`${name}-new`],
      switched: ['beta'],
      shared: [],
      unshared: [],
    }
    expect(trial).toEqual({ catalog_version: live.version, restored: version, ...names, dry_run: true })
    expect(await stateOfAll()).toEqual(before)
    const done = await got(send('POST /admin/catalog/restore', { body }))
    expect(done).toEqual({ catalog_version: live.version + 1, restored: version, ...names })
  })

  it('of a publish has the current date, not the beginning of time', async () => {
    const body = skillFolderOf({ name })
    const start = new Date().toISOString()
    const { skill } = await got<Tried>(send('POST /admin/skills?dry_run=1', { body }))
    expect(skill?.updated_at?.slice(0, 10)).toBe(start.slice(0, 10))
  })
})
