// Promise: what the README says to paste works as pasted. Its tour is run by bash, in order, against a fresh server.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { ADMIN_KEY, ROOT, startSatchel, temporary, type Satchel } from './satchel.ts'

let satchel: Satchel
/** What the tour writes lands here: it looks like this project, and is links into it. */
const folder = temporary()
beforeAll(async () => {
  for (const name of readdirSync(ROOT)) symlinkSync(join(ROOT, name), join(folder, name))
  satchel = await startSatchel()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await satchel?.stop()
})

/** The sh blocks between two headings. */
function blocks(from: string, to: string): readonly string[] {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const part = readme.slice(readme.indexOf(`\n${from}\n`), readme.indexOf(`\n${to}\n`))
  return [...part.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '')
}

async function bash(text: string): Promise<{ readonly status: number | null; readonly out: string }> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', text], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()))
  await once(child, 'close')
  return { status: child.exitCode, out }
}

test('the tour of the README works as pasted', async () => {
  const tour = blocks('## A tour', '## Promises, and the tests that guard them')
    .filter((block) => !block.startsWith('npm run chat'))
    .join('\n')
  expect(tour, 'the tour still has its parts').toMatch(
    /api \/v1\/chat[\s\S]*chat -- --file[\s\S]*api \/admin\/skills[\s\S]*rollback[\s\S]*HOOK_URL/,
  )
  // Only the address and the key are the test's own.
  const pasted = tour
    .replace(/^export SATCHEL_URL=.*$/m, `export SATCHEL_URL=${satchel.url}`)
    .replace(/^export SATCHEL_KEY=.*$/m, `export SATCHEL_KEY=${ADMIN_KEY}`)
  expect(pasted).not.toContain('8787')
  const { status, out } = await bash(pasted)
  expect(status, out).toBe(0)
  expect(out, 'no request was refused').not.toContain('application/problem')
  expect(out).not.toMatch(/"status":4\d\d,"code"/)
  expect(out).toContain('event: run.completed')
  expect(out).toContain('| orders | integer | 10 | 0 | 10 | 12 | 110.50 | 104.30 | 134 | 1,043 |')
  expect(readFileSync(join(folder, 'out', 'sales-chart.svg'), 'utf8')).toMatch(
    /^<svg [\s\S]*<title id="chart-title">Revenue by month and region<\/title>[\s\S]*<\/svg>\n$/,
  )
  expect(out).toMatch(/"skills":\[\{"name":"release-notes"/)
  expect(out).toMatch(/"enabled":false[\s\S]*"enabled":true/)
  expect(out).toMatch(/"shareable":true[\s\S]*"\$schema"[\s\S]*"shareable":false/)
  expect(out).toMatch(/"via":"slash"/)
  expect(out).toMatch(/incident-report/)
  expect(out).toMatch(/^202 \{"delivery_id":/m)
})
