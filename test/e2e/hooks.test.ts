// Promise: with `npm run hooks`, a hook goes from nothing to a run: created, tried as its sender would, found in its log, and
// replayed.

import { randomUUID } from 'node:crypto'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import type { HookPorts } from '../../scripts/hooks/ports.ts'
import { runHookVerb } from '../../scripts/hooks/verbs.ts'
import { finished, put, script, temporary } from './satchel.ts'
import { sharedSatchel } from './shared.ts'

const satchel = sharedSatchel()
const output: string[] = []
const PORTS: HookPorts = {
  client: satchel.client,
  url: satchel.url,
  say: (line) => void output.push(line),
  complain: (text) => void output.push(text),
  ask: null,
  askSecret: async () => null,
  environmentSecret: undefined,
  fetch,
  now: Date.now,
}

/** Runs the command. */
async function hooks(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { status, out } = await finished(script('hooks.ts', [...args, '--url', satchel.url], env))
  expect(status, out).toBe(0)
  return out
}

/** Runs a verb without another process. */
async function verb(words: readonly string[], text?: string): Promise<readonly string[]> {
  output.length = 0
  const flags = { header: [], 'dry-run': false, limit: '20', yes: false, json: false, text }
  const status = await runHookVerb(words, flags, PORTS)
  expect(status, output.join('\n')).toBe(0)
  return [...output]
}

test('creates, sends, logs and replays', async () => {
  const name = `CLI triage ${randomUUID().slice(0, 8)}`
  const file = join(temporary(), 'payload.json')
  put(file, '{"action": "opened", "issue": {"title": "Disk full"}}')
  const created = await hooks(['create', name, '--scheme', 'github', '--template', '{{issue.title}}'])
  const HOOK_SECRET = /secret +(\S+)/.exec(created)?.[1] ?? ''
  const header = ['--header', 'X-GitHub-Event: issues']
  const sent = await hooks(['send', name, '--file', file, ...header], { HOOK_SECRET })
  const delivery = /Delivery (dl_\S+) was recorded\. Its run: /.exec(sent)?.[1] ?? ''
  expect((await verb(['replay', name, delivery])).join()).toContain('was recorded. Its run: ')
  const [, ...rows] = await verb(['log', name], 'disk full')
  expect(rows).toHaveLength(2)
  expect(rows[0]).toMatch(/replay$/)
  expect(rows[1]).toContain(delivery)
  const shown = (await verb(['log', name, delivery])).join('\n')
  expect(shown).toContain('x-github-event: issues')
  expect(shown).toContain('x-hub-signature-256: ***')
  expect(shown).toContain('"title": "Disk full"')
  expect(shown).not.toContain(HOOK_SECRET)
})
