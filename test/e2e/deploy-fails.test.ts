// Promise: a deployment that fails says what is wrong, what is live and what to do. Nothing is half live, and the same
// command continues where it stopped. A dry run needs neither a login nor the network.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { CloudflareApi } from '../fakes/cloudflare-api.ts'
import { askingApi, copyProject, OFFLINE, type Project } from './deploying.ts'

let api: CloudflareApi
let project: Project
beforeAll(async () => {
  api = await new CloudflareApi().start()
  project = copyProject(api)
})
beforeEach(() => {
  api.fix()
  api.requested.length = 0
})
afterAll(async () => {
  await api.stop()
  project.remove()
})

const changed = () => api.requested.filter((line) => !line.startsWith('GET '))

test('--dry-run shows the plan, offline and without a login', async () => {
  const digest = () => readFileSync(join(project.root, 'src/skills/build-digest.ts'), 'utf8')
  const before = digest()
  const { status, out } = await project.deploy(['--dry-run'], OFFLINE)
  expect(status).toBe(0)
  for (const words of ['satchel-skills', 'satchel-resources', 'satchel-files', '8 skills', 'KiB gzip'])
    expect(out).toContain(words)
  expect(out).toContain('--dry-run: Nothing was uploaded, and Cloudflare was not contacted.')
  expect(digest()).toBe(before)
})

test('without a login, it says how to log in and does nothing', async () => {
  const { status, out } = await project.deploy(['--yes'], { CLOUDFLARE_API_TOKEN: undefined })
  expect(status).toBe(1)
  expect(out).toContain('You are not logged in to Cloudflare. Log in first with npx wrangler login')
  expect(api.requested).toEqual([])
})

test('reports an invalid token, and creates nothing', async () => {
  const { status, out } = await project.deploy(['--yes'], { CLOUDFLARE_API_TOKEN: 'a-wrong-token' })
  expect(status).toBe(1)
  expect(out).toContain('Cloudflare does not accept the token in CLOUDFLARE_API_TOKEN')
  expect(out).toContain('https://dash.cloudflare.com/profile/api-tokens')
  expect(out).not.toContain('a-wrong-token')
  expect(changed()).toEqual([])
})

test('without a terminal and --yes, it shows the plan and stops', async () => {
  const { status, out } = await project.deploy([])
  expect(status).toBe(1)
  expect(out).toMatch(/Worker +satchel, will be created/)
  expect(out).toContain('No terminal is available for confirmation. Add --yes')
  expect(changed()).toEqual([])
})

test('reports a secret that the Worker would refuse before it asks or sends anything', async () => {
  const { status, out } = await project.deploy(['--yes'], { ADMIN_KEY: 'short' })
  expect([status, api.requested]).toEqual([1, []])
  expect(out).toContain('ADMIN_KEY in the environment must have at least 24 characters. Nothing was changed.')
})

test('exits with status 2 and the usage after wrong arguments', async () => {
  const { status, out } = await project.deploy(['--enviroment', 'staging'])
  expect(status).toBe(2)
  expect(out).toContain("Unknown option '--enviroment'")
  expect(out).toContain('--dry-run')
})

test('creates no Worker when an upload of skills breaks, and can continue', async () => {
  api.refuse(/^PUT \/r2\/.*\/objects\//, 500, 10_001, 'We encountered an internal error.', 20)
  const { status, out } = await project.deploy(['--yes'])
  expect(status).toBe(1)
  expect(out).toContain('We encountered an internal error. [code: 10001]')
  expect(out).toContain('Not all skills were uploaded; nothing is live yet. Run the same command again')
  expect(changed().filter((line) => line.includes('/workers/'))).toEqual([])
  expect(api.stores.namespace('satchel-skills')?.keys.size).toBe(0)

  // Next the upload of the Worker itself fails: created stores are found again, and sent skills are still there.
  api.fix()
  api.requested.length = 0
  api.refuse(/^PUT \/workers\/scripts\/satchel$/, 500, 10_013, 'An unknown error has occurred.')
  const second = await project.deploy(['--yes'])
  expect(second.status).toBe(1)
  expect(second.out).toMatch(/KV +satchel-skills, already exists/)
  expect(second.out).toContain('An unknown error has occurred.')
  expect(second.out).toContain('The Worker was not deployed; nothing is live yet.')
  expect(changed().filter((line) => /namespaces$|buckets$/.test(line))).toEqual([])
  expect(api.scripts.all.size).toBe(0)
})

test('the shown admin key stays valid after secrets are refused, or accepted with an error response', async () => {
  const secrets = () => api.scripts.all.get('satchel')?.secrets() ?? {}
  api.refuse(/\/secrets-bulk$/, 500, 10_013, 'An unknown error has occurred.')
  const first = await project.deploy(['--yes'])
  expect(first.status).toBe(1)
  expect(first.out).toContain('The Worker was created; it is unknown whether all of its secrets were set.')
  expect([shownKey(first.out), secrets()]).toEqual([expect.any(String), {}])

  api.fix()
  api.requested.length = 0
  api.misreport(/\/secrets-bulk$/)
  const second = await project.deploy(['--yes'])
  expect(second.status).toBe(1)
  expect(second.out).toContain('skills: all are already there')
  expect(changed().filter((line) => line.startsWith('PUT /r2'))).toEqual([])
  expect(second.out).toContain('This admin key will be set. Keep it:')
  expect(second.out).toContain('npx wrangler secret put ADMIN_KEY --name satchel')
  expect(shownKey(second.out)).toBe(secrets()['ADMIN_KEY'])

  api.fix()
  const third = await project.deploy(['--yes'])
  expect([third.status, third.out]).toEqual([0, expect.stringContaining('Satchel is up:')])
  expect(shownKey(third.out)).toBe(undefined)
  expect(shownKey(second.out)).toBe(secrets()['ADMIN_KEY'])
})

/** The admin key that a deployment showed. */
function shownKey(out: string): string | undefined {
  return /ADMIN_KEY {2}(\S+)/.exec(out)?.[1]
}

test('finds a deployment by plain wrangler, with its stores and pushed skills', async () => {
  const other = await new CloudflareApi().start()
  try {
    const script = 'node_modules/wrangler/bin/wrangler.js'
    const wrangler = await project.run(script, ['deploy'], askingApi(other))
    expect([wrangler.status, wrangler.out]).toEqual([0, expect.stringContaining('Current Version ID')])
    const stores = other.scripts.all.get('satchel')?.stores()
    expect(stores).toEqual({
      SKILLS: other.stores.namespace('satchel-skills')?.id,
      RESOURCES: 'satchel-resources',
      FILES: 'satchel-files',
    })
    other.requested.length = 0
    const pushed = await project.run('scripts/push-skills.ts', ['--remote'], askingApi(other))
    expect([pushed.status, pushed.out]).toEqual([0, expect.stringContaining('objects to R2')])
    expect(other.requested.filter((line) => /^POST|workers.*PUT/.test(line))).toEqual([])
    const build = other.scripts.all.get('satchel')?.build()
    expect([...(other.stores.namespace('satchel-skills')?.keys.keys() ?? [])]).toContain(`index/${build}`)
  } finally {
    await other.stop()
  }
})
