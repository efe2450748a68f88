// Promise: after one command the agent answers with a skill. What npm start prints is true and works when pasted.
// readme: npm start

import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'

import { createParser } from 'eventsource-parser'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { end } from '../../scripts/lib/processes.ts'
import {
  finished,
  ADMIN_KEY,
  ROOT,
  script,
  serverProcess,
  spawnSatchel,
  startSatchel,
  temporary,
  until,
  type Satchel,
} from './satchel.ts'

import type { Event } from '../../src/agent/events.ts'

let satchel: Satchel
let extra: string

function writeSkill(name: string, text: string): void {
  mkdirSync(join(extra, name), { recursive: true })
  writeFileSync(join(extra, name, 'SKILL.md'), text)
}

const skill = (name: string, description: string): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n\nDo it well.\n`

beforeAll(async () => {
  extra = temporary()
  writeSkill('packing-list', skill('packing-list', 'Packs a satchel for a walk.'))
  satchel = await startSatchel({ args: ['--curl', '--skills', extra] })
})
afterAll(async () => {
  await satchel?.stop()
  expect(satchel.output(), 'a stop is reported').toMatch(
    /Stopping\.[^]*Stopped\. Threads and files are kept in /,
  )
  rmSync(extra, { recursive: true, force: true })
})

test('tests the command that the README shows', () => {
  const manifest: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({
    scripts: { start: 'node --import ./scripts/lib/own-node.mjs scripts/start.ts' },
  })
})

test('the printed curl command, pasted into bash, streams a run in the documented order', async () => {
  const line = satchel
    .output()
    .split('\n')
    .find((text) => text.startsWith('curl '))
  expect(line).toContain(`${satchel.url}/v1/chat`)
  const events: Event[] = []
  const labels: unknown[] = []
  const parser = createParser({
    onEvent: ({ id, event: name, data }) => {
      events.push(JSON.parse(data) as Event) // the cast is safe: the tests check the events
      labels.push({ id, name })
    },
  })
  const bash = spawn('bash', ['-c', line ?? 'exit 9'])
  let raw = ''
  bash.stdout.on('data', (chunk: Buffer) => {
    raw += chunk.toString()
    parser.feed(chunk.toString())
  })
  const { status } = await finished(bash)
  expect(status).toBe(0)
  expect(raw.startsWith('retry: 2000\n')).toBe(true)

  const types = events.map((event) => event.type)
  expect(types.slice(0, 2)).toEqual(['run.accepted', 'thread.titled'])
  expect(types.at(-1)).toBe('run.completed')
  expect(types.filter((type) => /^run\.(completed|failed|cancelled)$/.test(type))).toHaveLength(1)
  const order = [
    'run.started',
    'step.started',
    'skill.loaded',
    'text.delta',
    'message.completed',
    'run.completed',
  ]
  const firsts = order.map((type) => types.indexOf(type as Event['type']))
  expect(firsts, types.join(' ')).not.toContain(-1)
  expect(firsts[2]).toBeGreaterThan(firsts[1] ?? Number.NaN)

  expect(labels).toEqual(events.map((event) => ({ id: String(event.seq), name: event.type })))
  let last = 0
  for (const event of events) {
    expect(event.from ?? event.seq).toBeGreaterThan(last)
    expect(event.seq).toBeGreaterThanOrEqual(event.from ?? event.seq)
    last = event.seq
  }
  const terminal = events.at(-1)
  const used = terminal?.type === 'run.completed' ? terminal.receipt.skills : []
  expect(used).toEqual([expect.objectContaining({ name: 'incident-report', category: 'public' })])
  expect(used[0]?.resources.length, 'a reference was read from R2').toBeGreaterThan(0)
  expect(events.find((event) => event.type === 'run.started')).toMatchObject({ demo: true })
})

test('prints the page, the model and how to stop', async () => {
  const banner = satchel.output().split('Satchel is up.')[1] ?? ''
  expect(banner.trim().split(/\s+/)[3], 'the link comes first').toBe(`${satchel.url}/#key=${ADMIN_KEY}`)
  expect(satchel.output()).toContain('the demo model answers')
  expect(satchel.output()).toContain('Ctrl-C')
  const page = await fetch(`${satchel.url}/`)
  expect([page.status, page.headers.get('content-type')?.split(';')[0]]).toEqual([200, 'text/html'])
})

async function descriptions(): Promise<Record<string, string>> {
  const answer = await satchel.client.json<{ data: { name: string; description: string }[] }>(
    'GET',
    '/v1/skills?limit=100',
  )
  if (!answer.ok) throw new Error(JSON.stringify(answer.error))
  return Object.fromEntries(answer.value.body.data.map(({ name, description }) => [name, description]))
}

test('serves an edited skill without a restart, and a broken one hides no other', async () => {
  writeSkill('packing-list', skill('packing-list', 'Packs a satchel for a walk.'))
  await until('it is live', async () => (await descriptions())['packing-list']?.endsWith('for a walk.'))
  const before = await descriptions()
  writeSkill('packing-list', skill('packing-list', 'Packs a satchel for rain.'))
  await until('the edit is live', async () => (await descriptions())['packing-list']?.endsWith('for rain.'))

  writeSkill('packing-list', '---\nname: packing-list\n---\n')
  await until('the finding is printed', () => satchel.output().includes('packing-list/SKILL.md:'))
  const others = Object.keys(before).filter((name) => name !== 'packing-list')
  await until('the broken skill is gone', async () => !('packing-list' in (await descriptions())))
  expect(Object.keys(await descriptions()).sort()).toEqual(others.sort())
  await until('it is reported', () =>
    satchel.output().includes('gone packing-list: it no longer loads (see above)'),
  )
  expect(satchel.output(), 'a finding is sentences').not.toContain('.; ')

  writeSkill('packing-list', skill('packing-list', 'Packs again.'))
  await until('the fixed skill is back', async () => 'packing-list' in (await descriptions()))
})

test('listens on this machine only', async () => {
  const { networkInterfaces } = await import('node:os')
  const untrusted = Object.values(networkInterfaces())
    .flat()
    .find((address) => address && !address.internal && address.family === 'IPv4')
  if (!untrusted) return expect(untrusted).toBeUndefined() // no network: nobody else could reach it
  await expect(fetch(`http://${untrusted.address}:${satchel.port}/healthz`)).rejects.toThrow('fetch failed')
})

test('explains a taken port, a taken state folder, an unusable key and a wrong flag in one line each', async () => {
  const holder = createServer()
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
  const { port } = holder.address() as AddressInfo // it listens on a port
  const folder = temporary()
  const taken = await finished(script('start.ts', ['--persist-to', folder], { PORT: String(port) }))
  await new Promise((resolve) => holder.close(resolve))
  rmSync(folder, { recursive: true })
  expect(taken).toEqual({
    status: 1,
    out: expect.stringMatching(new RegExp(`^Port ${port} is in use.*PORT=.*--port`)),
  })

  const twice = await finished(script('start.ts', ['--port', '0', '--persist-to', satchel.folder]))
  expect(twice).toEqual({ status: 1, out: expect.stringContaining(`uses ${satchel.folder}`) })
  expect(twice.out, 'with a link that opens it').toContain(`${satchel.url}/#key=${ADMIN_KEY}`)

  const short = await finished(script('start.ts', ['--port', '0'], { ADMIN_KEY: 'tooshort' }))
  expect(short).toEqual({
    status: 1,
    out: expect.stringMatching(/^ADMIN_KEY: must have at least 24 characters/),
  })
  expect(short.out).not.toContain('tooshort')

  const open = await finished(script('start.ts', ['--port', '0', '--allow-host', 'localhost']))
  expect(open).toEqual({
    status: 1,
    out: expect.stringMatching(/^PRIVATE_HOSTS: "localhost" is not a host with a port/),
  })

  const wrong = await finished(script('start.ts', ['--prot', '1']))
  expect(wrong).toEqual({ status: 2, out: expect.stringContaining("Unknown option '--prot'") })
})

test('shows its progress with thousands of files, and continues after its server is killed', async () => {
  const [folder, many] = [temporary(), temporary()]
  for (let at = 0; at < 1_500; at++) {
    mkdirSync(join(many, `skill-${at}`))
    writeFileSync(join(many, `skill-${at}/SKILL.md`), skill(`skill-${at}`, `Does the task of number ${at}.`))
  }
  const satchel = await spawnSatchel({ folder, args: ['--skills', many] })
  try {
    const [, , total] = await until('how far it is', () =>
      /pushed ([\d,]+) of ([\d,]+)/.exec(satchel.output()),
    )
    const server = serverProcess(satchel.process)
    expect(server && end(server)).toBe(true)
    await satchel.up()
    expect(satchel.output()).toContain('The server process ended (SIGKILL): starting it again.')
    const sent = Number(
      /([\d,]+) objects pushed to KV and R2/.exec(satchel.output())?.[1]?.replaceAll(',', '') ?? Number.NaN,
    )
    expect(sent).toBeLessThanOrEqual(Number(total?.replaceAll(',', '')) - 500)
    expect(sent).toBeGreaterThan(0)

    // Everybody who reaches the port can address the Worker that fills the stores; it accepts nothing from them.
    const named = await fetch(`${satchel.url}/RESOURCES?list=`, {
      method: 'POST',
      headers: { 'MF-Route-Override': 'stores', Authorization: 'guessed' },
    })
    expect(named.status).toBe(403)
  } finally {
    await satchel.stop()
    for (const used of [folder, many]) rmSync(used, { recursive: true, force: true })
  }
})
