// Promise: `npm run deploy` creates what is missing, pushes skills before the Worker, and changes nothing that exists
// already. A second deployment in the same account shares nothing with the first. The real wrangler, against a fake of
// Cloudflare's API.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { CloudflareApi } from '../fakes/cloudflare-api.ts'
import { copyProject, type Project } from './deploying.ts'
import { md, put } from './satchel.ts'

const MODEL_KEY = 'sk-ant-a-key-of-the-deploy-tests'

let api: CloudflareApi
let project: Project
beforeAll(async () => {
  api = await new CloudflareApi().start()
  project = copyProject(api)
})
afterAll(async () => {
  await api.stop()
  project.remove()
})

/** The requests that change something, without random names, and with repeated requests listed once. */
function changes(): string[] {
  const lines = api.requested
    .filter((line) => !line.startsWith('GET '))
    .map((line) => line.replace(/[0-9a-f]{64}/, 'SHA').replace(/namespaces\/[0-9a-f]{32}/, 'namespaces/ID'))
  return lines.filter((line, at) => line !== lines[at - 1])
}

/** The position of a request in the log; the test fails if it is missing. */
function at(line: RegExp, from: 'first' | 'last' = 'first'): number {
  const found =
    from === 'first'
      ? api.requested.findIndex((each) => line.test(each))
      : api.requested.findLastIndex((each) => line.test(each))
  expect(found, `${line} in\n${api.requested.join('\n')}`).toBeGreaterThan(-1)
  return found
}

const satchel = () => api.scripts.all.get('satchel')

/** Files of the project that contain `text`, except installed packages. */
function filesWith(text: string): string[] {
  const args = ['-rlF', '--exclude-dir=node_modules', '-e', text, project.root]
  try {
    return execFileSync('grep', args, { encoding: 'utf8' }).trim().split('\n')
  } catch {
    return [] // grep's exit status without a match
  }
}

describe('consecutive deployments', () => {
  test('the first creates the stores, sends the skills, then the Worker, then its secrets', async () => {
    const { status, out } = await project.deploy(['--yes'], { ANTHROPIC_API_KEY: MODEL_KEY })
    expect(out).toContain('Satchel is up:')
    expect(status).toBe(0)
    expect(changes()).toEqual([
      'POST /storage/kv/namespaces',
      'POST /r2/buckets',
      'PUT /r2/buckets/satchel-resources/objects/build/blob/SHA',
      'PUT /storage/kv/namespaces/ID/bulk',
      'POST /workers/scripts/satchel/assets-upload-session',
      'POST /workers/assets/upload',
      'PUT /workers/scripts/satchel',
      'POST /workers/scripts/satchel/subdomain',
      'PATCH /workers/scripts/satchel/secrets-bulk',
    ])
    expect([...api.stores.buckets.keys()].toSorted()).toEqual(['satchel-files', 'satchel-resources'])
    expect(satchel()?.stores()).toEqual({
      SKILLS: api.stores.namespace('satchel-skills')?.id,
      RESOURCES: 'satchel-resources',
      FILES: 'satchel-files',
    })
    expect(satchel()?.live?.bindings.map(({ name }) => name)).toContain('LOADER')
    expect(out).toContain('Example Team')
    expect(out).toMatch(/Worker +satchel, will be created/)
    expect(out).toMatch(/Skills +8 skills,/)
  })

  test('the admin key is shown once, set as shown, and stored in no file', async () => {
    const secrets = satchel()?.secrets() ?? {}
    expect(Object.keys(secrets).toSorted()).toEqual([
      'ADMIN_KEY',
      'ANTHROPIC_API_KEY',
      'ENCRYPTION_KEY',
      'ID_SECRET',
    ])
    expect(secrets['ANTHROPIC_API_KEY']).toBe(MODEL_KEY)
    expect(new Set(Object.values(secrets)).size).toBe(4)
    for (const secret of Object.values(secrets)) expect(filesWith(secret)).toEqual([])
  })

  test('the second creates, sends and asks nothing', async () => {
    api.requested.length = 0
    const live = satchel()?.live
    const { status, out } = await project.deploy(['--yes'])
    expect([status, out]).toEqual([0, expect.stringContaining('Satchel is up:')])
    // It makes sure that the address is enabled, which changes nothing.
    expect(changes()).toEqual(['POST /workers/scripts/satchel/subdomain'])
    expect(satchel()?.live).toBe(live)
    expect(out).toContain('skills: all are already there')
    expect(out).toContain('worker: the same version is already live')
    expect(out).not.toContain('ADMIN_KEY  ')
    expect(out).not.toContain('Satchel uses the demo model')
  })

  test('a new skill and a missing secret arrive before the Worker that needs them', async () => {
    const before = satchel()?.secrets() ?? {}
    const { ID_SECRET: _lost, ...kept } = before
    satchel()?.setSecrets({ ID_SECRET: null })
    api.requested.length = 0
    put(join(project.root, 'skills/public/tea/SKILL.md'), md('tea'))
    const { status, out } = await project.deploy(['--yes'])
    expect([status, out]).toEqual([0, expect.stringContaining('Satchel is up:')])
    expect(out).toContain('secrets: set ID_SECRET')
    const files = at(/^PUT \/r2\/.*\/objects\//, 'last')
    const index = at(/^PUT \/storage\/kv\/.*\/bulk$/, 'last')
    const secret = at(/^PATCH .*\/secrets-bulk$/)
    const upload = at(/^POST .*\/versions$/)
    expect([files, index, secret, upload, at(/^POST .*\/deployments$/)]).toEqual(
      [files, index, secret, upload, at(/^POST .*\/deployments$/)].toSorted((a, b) => a - b),
    )
    // Only the new skill was sent, and only the one missing secret.
    expect(api.requested.filter((line) => line.startsWith('PUT /r2')).length).toBeLessThan(5)
    expect(changes()).not.toContain('POST /workers/assets/upload')
    expect(satchel()?.secrets()).toEqual({ ...kept, ID_SECRET: expect.stringMatching(/^satchel_\w{40}$/) })
    expect(readFileSync(join(project.root, 'src/skills/build-digest.ts'), 'utf8')).toContain(
      satchel()?.build() ?? 'no build',
    )
  })

  test('a second deployment has its own resources, here on a plan without the sandbox', async () => {
    api.requested.length = 0
    api.scripts.isPaid = false
    const live = satchel()?.live
    const { status, out } = await project.deploy(['--yes', '--env', 'staging'])
    expect([status, out]).toEqual([0, expect.stringContaining('Satchel is up:')])
    const staging = api.scripts.all.get('satchel-staging')
    expect(staging?.stores()).toEqual({
      SKILLS: api.stores.namespace('satchel-staging-skills')?.id,
      RESOURCES: 'satchel-staging-resources',
      FILES: 'satchel-staging-files',
    })
    expect(api.requested.filter((line) => /satchel(?!-staging)/.test(line))).toEqual([])
    expect(satchel()?.live).toBe(live)
    const both = [staging, satchel()].map((worker) => worker?.secrets()['ADMIN_KEY'])
    expect(new Set(both).size).toBe(2)
    const counters = [staging, satchel()].map(
      (worker) => worker?.live?.bindings.find(({ name }) => name === 'CHAT_RATE')?.namespace_id,
    )
    expect(new Set(counters).size).toBe(2)
    // Refused with the loader, then accepted without it.
    expect(api.requested.filter((line) => line === 'PUT /workers/scripts/satchel-staging')).toHaveLength(2)
    expect(staging?.live?.bindings.map(({ name }) => name)).not.toContain('LOADER')
    expect(out).toContain('Deployed without the sandbox: this account is not on Workers Paid')
    expect(out).toContain('npm run deploy -- --env staging')
    expect(out).toContain('Satchel uses the demo model')
  })
})
