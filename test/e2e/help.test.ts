// Promise: every command with --help explains itself and does nothing else. If Node is too old, the command runs with
// the Node that `npm ci` installed; if that or a package is missing, it says what to do.

import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, expect, test } from 'vitest'

import { ROOT, temporary } from './satchel.ts'

const OWN_NODE = 'scripts/lib/own-node.mjs'
const OLD = '--no-experimental-strip-types'

function scriptsOf(): readonly (readonly [name: string, line: string])[] {
  const read: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  if (typeof read !== 'object' || read === null || !('scripts' in read)) throw new Error('no scripts')
  // The cast is safe: this repository's package.json has these fields.
  return Object.entries(read.scripts as Record<string, string>)
}

const COMMANDS = scriptsOf().filter(([name]) => name !== 'deploy')

test.each(COMMANDS)('npm run %s -- --help', { timeout: 60_000 }, (name, line) => {
  expect(line).toMatch(/^node --import \.\/scripts\/lib\/own-node\.mjs scripts\/[a-z-]+\.ts$/)
  const args = line.split(' ').slice(1)
  const { status, stdout, stderr } = spawnSync(process.execPath, [...args, '--help'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(/^npm /)
  expect(stdout).toContain(name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`)
})

const folder = temporary()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A checkout with these packages installed. `own` is its own Node, as a shell script. */
function checkout(name: string, installed: readonly string[], own?: string): string {
  const root = join(folder, name)
  mkdirSync(join(root, 'scripts/lib'), { recursive: true })
  for (const one of installed) mkdirSync(join(root, 'node_modules', one), { recursive: true })
  cpSync(join(ROOT, OWN_NODE), join(root, OWN_NODE))
  writeFileSync(join(root, 'package.json'), '{"type": "module", "dependencies": {"zod": "^4"}}')
  writeFileSync(join(root, 'scripts/say.mjs'), 'console.log("ran here", ...process.argv.slice(2))')
  if (own !== undefined) {
    const file = join(root, 'node_modules/node/bin/node')
    mkdirSync(join(root, 'node_modules/node/bin'), { recursive: true })
    writeFileSync(file, `#!/bin/sh\n${own}\n`)
    chmodSync(file, 0o755)
  }
  return root
}

function say(root: string, ...options: readonly string[]): ReturnType<typeof spawnSync> {
  const env = { ...process.env, npm_lifecycle_event: 'chat' }
  const args = [...options, '--import', `./${OWN_NODE}`, 'scripts/say.mjs', '--help', 'a b']
  return spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env })
}

test('an old Node starts the installed one with all arguments, and exits with its status', () => {
  const root = checkout('old', ['zod'], 'echo "ran there: $@"; exit 7')
  const { status, stdout } = say(root, OLD)
  expect(status).toBe(7)
  expect(stdout).toMatch(/^ran there: .*--import \.\/scripts\/lib\/own-node\.mjs .*say\.mjs --help a b\n$/)
})

test('a signal that ends the installed Node ends the old one, too', () => {
  expect(say(checkout('killed', ['zod'], 'kill -TERM $$'), OLD).signal).toBe('SIGTERM')
})

test('an old Node before npm ci says what to do', () => {
  const { status, stderr, stdout } = say(checkout('bare', []), OLD)
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(/^npm run chat needs Node 22\.18 or newer, and this is [\d.]+\.\nRun npm ci /)
})

test('a new Node says what to do before npm ci, and runs the command afterwards', () => {
  const { status, stderr } = say(checkout('new', []))
  expect(status).toBe(1)
  expect(stderr).toMatch(/needs packages that are not installed, such as zod\.\nRun npm ci /)
  expect(say(checkout('whole', ['zod'])).stdout).toBe('ran here --help a b\n')
})
