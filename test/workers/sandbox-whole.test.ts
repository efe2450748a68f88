// Guards "a command is one piece of work": the real shell with the real programs in it see one tree with its empty folders
// and /tmp, what a program prints is shown as it comes, and a call that is called off ends all of them at once.

import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'

import type { ToolResult } from '../../src/agent/tool.ts'
import { commandQueue } from '../../src/sandbox/command-queue.ts'
import { Isolates } from '../../src/sandbox/isolates.ts'
import { Runtimes } from '../../src/sandbox/runtimes.ts'
import type { FileSource } from '../../src/sandbox/file-source.ts'
import { sandboxOf, type SandboxParts } from '../../src/sandbox/sandbox.ts'
import type { SkillAccess } from '../../src/skills/view/access.ts'
import { BASH } from '../../src/tools/files/bash.ts'
import { toolContext } from '../fakes/tool-context.ts'
import { FakeFiles } from '../fakes/files.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { call, FREE } from './scripted-guest.ts'

/** The cast: what a command asks of skills, of which there are none here. */
const NO_SKILLS = { list: () => [], active: () => [] } as unknown as SkillAccess
/** A bound that says "this never ends". */
const NEVER_MS = 60_000

/** What test/vitest.workers.config.ts serves of dist/runtimes. The cast: a binding of the tests alone. */
const { RUNTIMES } = env as unknown as { readonly RUNTIMES: FileSource }
const runtimes = new Runtimes([
  { fetch: async (url) => RUNTIMES.fetch(`http://runtimes/${url.slice(url.lastIndexOf('/') + 1)}`) },
])
const parts: SandboxParts = {
  isolates: new Isolates(env.LOADER, runtimes, Date.now),
  deadlines: FREE,
  queue: commandQueue(Date.now),
  now: Date.now,
}

async function ran(
  command: string,
  of = call(),
  timeout_s = 50,
  thread: string = crypto.randomUUID(),
): Promise<ToolResult> {
  const sandbox = sandboxOf(parts, 'whole', thread)
  const files = new FakeFiles()
  return BASH.make(toolContext({ skills: NO_SKILLS, files, sandbox })).run({ command, timeout_s }, of)
}

function words({ content, frame }: ToolResult): string {
  if (typeof content !== 'string') throw new Error('a command answers with text')
  return `${frame?.before ?? ''}${content}${frame?.after ?? ''}`
}

describe('the tree', { timeout: NEVER_MS }, () => {
  const LIST = `import os, sys; print(sorted(os.listdir(sys.argv[1])))`
  it.each([
    ['an empty folder of the shell', `mkdir -p out/deep; python3 -c '${LIST}' out`, "['deep']"],
    [
      'the same for node',
      `mkdir -p out/deep; node -e 'console.log(require("fs").readdirSync("out"))'`,
      "[ 'deep' ]",
    ],
    [
      'an empty folder of a program',
      `python3 -c 'import os; os.makedirs("a/b")'; node -e 'require("fs").mkdirSync("a/c")'; ls a`,
      'b\nc',
    ],
    ['a folder that a program removed', `mkdir a b; python3 -c 'import os; os.rmdir("a")'; ls`, 'b'],
    [
      'a folder that the shell removed',
      `mkdir a; rmdir a; python3 -c 'import os; os.mkdir("a"); print("made")'`,
      'made',
    ],
    ['/tmp', `python3 -c 'open("/tmp/x", "w").write("here")'; cat /tmp/x; rm /tmp/x; ls /tmp`, 'here'],
  ])('has %s', async (_, command, expected) => {
    expect(words(await ran(command))).toBe(expected)
  })
})

describe('what a program prints', { timeout: NEVER_MS }, () => {
  const SLOW = `python3 -c 'import sys; print("first", flush=True); sys.stdin.read(); print("é")'`

  it.each([
    ['of a program alone', SLOW],
    ['behind what prints nothing', `cd /tmp && X=1 ${SLOW} 2>&1`],
  ])('is shown once, as it comes: %s', async (_, command) => {
    const of = call()
    const waiting = command.replace('sys.stdin.read()', 'import time; time.sleep(60)')
    const stop = new AbortController()
    const held = call(stop.signal)
    const running = ran(waiting, held)
    await eventually(
      () => held.reported.join(''),
      (reported) => reported === 'first\n',
    )
    stop.abort()
    expect(words(await running)).toContain('Stopped because the run was stopped. No file was changed.')
    expect(words(await ran(command, of))).toBe('first\né')
    expect(of.reported.join('')).toBe('first\né\n')
  })

  it.each([
    [`echo before; ${SLOW}; echo after`, 'before\nfirst\né\nafter\n'],
    [`${SLOW} | tr a-z A-Z`, 'FIRST\né\n'],
    [`${SLOW} > f; wc -l < f`, '2\n'],
    [`x=$(${SLOW}); echo "[$x]"`, '[first\né]\n'],
    [`echo "$(${SLOW})" && node -e 'console.log(1)'`, 'first\né\n1\n'],
    [`for i in 1 2; do ${SLOW}; done`, 'first\né\nfirst\né\n'],
  ])('is what the command prints, once: %s', async (command, expected) => {
    const of = call()
    const result = words(await ran(command, of))
    expect(result.startsWith(expected.trimEnd())).toBe(true)
    expect(of.reported.join('')).toBe(expected)
  })
})

describe('the end', { timeout: NEVER_MS }, () => {
  it.each([
    ['the shell', 'echo on; while :; do :; done'],
    ['a sleep', 'echo on; sleep 50'],
    ['python3', `python3 -c 'print("on", flush=True)\nwhile True: pass'`],
    ['node', `node -e 'console.log("on"); setInterval(() => {}, 10)'`],
    ['node in a loop', `node -e 'console.log("on"); for (;;);'`],
  ])('reaches %s at once where a call is called off, and its isolates serve the next', async (_, command) => {
    const stop = new AbortController()
    const of = call(stop.signal)
    const thread = crypto.randomUUID()
    const running = ran(command, of, 300, thread)
    await eventually(
      () => of.reported.join(''),
      (reported) => reported.startsWith('on'),
    )
    stop.abort()
    expect(words(await running)).toContain('because the run was stopped')
    const next = await ran(`python3 -c 'print(1)'; node -e 'console.log(2)'`, call(), 50, thread)
    expect(words(next)).toBe('1\n2')
  })

  it('of a program by time is the end of the command: nothing of it is kept, whoever saw it first', async () => {
    const result = await ran(`echo x > kept; node -e 'for (;;);'; echo on`, call(), 1)
    expect(result).toMatchObject({ isError: true })
    expect(result.changes).toBeUndefined()
    expect(words(result)).toContain('[Stopped after 1 s, its time limit.')
    expect(words(result)).not.toContain('node was stopped')
  })

  it('of one command of the shell that lets nobody in is called that', async () => {
    // Each of 60,000 starts tries all ends.
    const script = 'x=$(printf "%060000d" 0); echo ${x//0*1/}'
    expect(words(await ran(script))).toContain(
      '[Stopped because a single shell command ran for 0.7 s without a pause.',
    )
  })
})
