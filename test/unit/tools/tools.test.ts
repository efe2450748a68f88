// Promise: the model reads the lines that it asks for, learns how to continue after a truncation, and gets helpful
// errors for everything else. A receipt names the file that was read, not the path that was written.

import { describe, expect, test } from 'vitest'
import type { ToolResult } from '../../../src/agent/tool.ts'
import { utf8 } from '../../../src/lib/bytes.ts'
import { err, ok } from '../../../src/lib/result.ts'
import { READ_FILE_MAX_CHARS } from '../../../src/limits/tools.ts'
import { LS_ENTRIES_MAX } from '../../../src/tools/files/limits.ts'
import type { SkillAccess } from '../../../src/skills/view/access.ts'
import { BUILTINS } from '../../../src/tools/builtins.ts'
import { entry } from '../skills/store/entries.ts'
import { toolContext } from '../../fakes/tool-context.ts'

const ROOT = '/mnt/skills/public/alpha'

/** Requests for files of any skill. */
const reads: string[] = []

/** Two visible skills with these files; reads by exact path, ignoring what follows a `#`. */
function over(
  files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>,
  active: readonly string[],
): SkillAccess {
  const alpha = entry('alpha')
  const beta = entry('beta', { category: 'custom' })
  const listed = Object.keys(files).map((path) => ({ path, sha256: '0'.repeat(64) }))
  return {
    list: () => [alpha, beta],
    find: (name) => [alpha, beta].find((skill) => skill.name === name),
    off: (name) => (name === 'asleep' ? 'Skill "asleep" is switched off.' : null),
    active: () => [alpha, beta].filter(({ name }) => active.includes(name)),
    files: async (name) =>
      ok({ entry: alpha, files: name === 'beta' ? listed.filter(({ path }) => path !== 'r.md') : listed }),
    load: async () => ok({ entry: alpha, body: 'the body', bodyLine: 1, files: listed, dependencies: [] }),
    async read(name, requested) {
      reads.push(`${name}: ${requested}`)
      const path = requested in files ? requested : requested.replace(/#.*$/, '')
      const content = files[path]
      if (content === undefined) return err('no such file')
      return ok({ entry: alpha, path, bytes: typeof content === 'string' ? utf8(content) : content })
    },
  }
}

async function call(
  name: string,
  input: object,
  files: Parameters<typeof over>[0] = {},
  active: readonly string[] = [],
): Promise<ToolResult & { readonly content: string }> {
  const tool = BUILTINS.find(({ spec }) => spec.name === name)?.make(
    toolContext({ skills: over(files, active) }),
  )
  if (!tool) throw new Error(`no tool ${name}`)
  const { signal } = new AbortController()
  const call = { runId: 'r', toolUseId: 't', idempotencyKey: 'r:t', signal, progress: () => {} }
  const result = await tool.run(input, call)
  if (typeof result.content !== 'string') throw new Error('these tools answer with text')
  return { ...result, content: result.content }
}

describe('read_file', () => {
  const TEN = Array.from({ length: 10 }, (_, i) => `line ${i + 1}`).join('\n') + '\n'
  const read = async (input: object, text = TEN): ReturnType<typeof call> =>
    call('read_file', { path: `${ROOT}/a.md`, ...input }, { 'a.md': text })

  test.each([
    [{}, 'line 1', 'line 10', 10],
    [{ start_line: 3, end_line: 5 }, 'line 3', 'line 5', 3],
    [{ start_line: 9 }, 'line 9', 'line 10', 2],
    [{ end_line: 2 }, 'line 1', 'line 2', 2],
    [{ start_line: 8, end_line: 99 }, 'line 8', 'line 10', 3],
  ])('%j returns whole lines, both ends included', async (range, first, last, count) => {
    const lines = (await read(range)).content.split('\n')
    expect([lines[0], lines.at(-1), lines.length]).toEqual([first, last, count])
  })

  test('a range outside the file is an explained error, not an empty answer', async () => {
    expect((await read({ start_line: 11 })).content).toContain('the file has 10 lines')
    expect((await read({ start_line: 5, end_line: 2 })).content).toContain('after end_line')
    expect((await read({}, '')).content).toBe('(empty)')
  })

  test('a long file is cut, and continuing where the hint says reaches its end', async () => {
    const long = Array.from({ length: 3_000 }, (_, i) => `${i + 1} ${'x'.repeat(40)}`).join('\n')
    const seen = new Set<string>()
    let start = 1
    for (let reads = 0; reads < 10; reads++) {
      const { content } = await read({ start_line: start }, long)
      for (const line of content.split('\n')) seen.add(line)
      const next = /continue with start_line (\d+)\]$/.exec(content)?.[1]
      if (next === undefined) break
      expect(Number(next)).toBeGreaterThan(start)
      start = Number(next)
    }
    for (const line of long.split('\n')) expect(seen).toContain(line)
  })

  test('a line that no read can show never sends the model in circles', async () => {
    const huge = 'y'.repeat(READ_FILE_MAX_CHARS + 10)
    const alone = (await read({}, huge)).content
    expect(alone).toContain('longer than one read can show')
    expect(alone).not.toMatch(/start_line/)
    expect((await read({}, `${huge}\nnext`)).content).toContain('Continue with start_line 2.')
  })

  test('the receipt names the file, whatever part of it was requested', async () => {
    const result = await call('read_file', { path: `${ROOT}/a.md#part` }, { 'a.md': 'x' })
    expect(result.notes).toMatchObject([{ type: 'resource', skill: 'alpha', path: 'a.md' }])
    const main = await call('read_file', { path: `${ROOT}/SKILL.md#part` }, { 'SKILL.md': 'x' })
    expect(main.notes).toMatchObject([{ type: 'skill', name: 'alpha', via: 'read' }])
  })

  test('bytes are not text', async () => {
    const binary = await call('read_file', { path: `${ROOT}/b` }, { b: Uint8Array.from([0xff, 0xfe]) })
    expect(binary).toMatchObject({ isError: true, content: expect.stringContaining('not a text file') })
  })

  test.each([
    ['/etc/passwd', 'Files of skills are under'],
    [ROOT, 'is a folder'],
    ['/mnt/skills/public/gamma/a.md', 'There is no skill'],
    ['/mnt/skills/public/asleep/a.md', 'Skill "asleep" is switched off.'],
    [`${ROOT}/../asleep/SKILL.md`, 'Skill "asleep" is switched off.'],
    ['../asleep/SKILL.md', 'Skill "asleep" is switched off.'],
    ['/mnt/skills/public/beta/a.md', 'It is at /mnt/skills/custom/beta/SKILL.md.'],
    [`${ROOT}/../gamma/a.md`, `leads from the skill "alpha" to 'gamma'`],
    [`${ROOT}/../../../../etc/beta/../passwd`, `to 'etc'`],
    [`${ROOT}/..`, 'without naming another skill'],
    [`${ROOT}/references/../../..`, 'without naming another skill'],
    [`${ROOT}/../beta/x/../../../../secret`, `to 'secret'`],
    [`${ROOT}/../one/two/beta/a.md`, `to 'one'`],
    [`${ROOT}/../beta/b\0c`, 'control'],
  ])('%s is refused with the reason', async (path, words) => {
    reads.length = 0
    expect(await call('read_file', { path })).toMatchObject({
      isError: true,
      content: expect.stringContaining(words),
    })
    expect(reads).toEqual([])
  })

  test.each([
    [`${ROOT}/../beta/a.md`, 'beta: a.md'],
    [`${ROOT}/../../beta/a.md`, 'beta: a.md'],
    [`${ROOT}/../../../custom/beta/a.md`, 'beta: a.md'],
    [`${ROOT}/../skills/beta/a.md`, 'beta: a.md'],
    [`${ROOT}/references/../../beta/./a.md`, 'beta: a.md'],
    [`${ROOT}/../alpha/a.md`, 'alpha: a.md'],
    [`${ROOT}/../beta/x/../a.md`, 'beta: a.md'],
    [`${ROOT}/x/../a.md`, 'alpha: a.md'],
  ])('%s leads to %s', async (path, requested) => {
    reads.length = 0
    expect((await call('read_file', { path }, { 'a.md': 'x' })).isError).toBe(false)
    expect(reads).toEqual([requested])
  })

  // Both have a.md and references/a.md; only alpha has r.md.
  const BOTH = { 'a.md': 'x', 'r.md': 'x', 'references/a.md': 'x' }
  test.each([
    ['../beta/a.md', [], 'beta: a.md'],
    ['../../custom/beta/a.md', ['alpha'], 'beta: a.md'],
    ['mnt/skills/public/alpha/a.md', [], 'alpha: a.md'],
    ['references/a.md', ['beta'], 'beta: references/a.md'],
    ['./references/a.md#part', ['beta'], 'beta: references/a.md#part'],
    ['references/../a.md', ['alpha'], 'alpha: a.md'],
    ['../r.md', ['alpha'], 'alpha: r.md'],
    ['r.md', ['alpha', 'beta'], 'alpha: r.md'],
  ])('%s, when %j is active, leads to %s', async (path, active, requested) => {
    reads.length = 0
    expect((await call('read_file', { path }, BOTH, active)).isError).toBe(false)
    expect(reads).toEqual([requested])
  })

  test.each([
    ['a.md', ['alpha', 'beta'], `one of these paths: ${ROOT}/a.md, /mnt/skills/custom/beta/a.md.`],
    ['a.md', [], 'Give the full path: the folder of the SKILL.md'],
    ['beta/a.md', [], 'Call again with /mnt/skills/custom/beta/a.md.'],
    ['beta', [], 'Call again with /mnt/skills/custom/beta.'],
    ['asleep/a.md', [], 'is switched off'],
    [
      'none.md',
      ['alpha'],
      `No skill that you loaded has a file 'none.md'. List one of these folders with ls: ${ROOT}.`,
    ],
    ['../hidden/SKILL.md', ['alpha'], 'No skill that you loaded has a file'],
    ['..', ['alpha'], 'is empty'],
    ['references/a\0.md', ['alpha'], 'control'],
    ['etc/passwd', [], 'Give the full path'],
  ])('%s, when %j is active, is answered with what to use', async (path, active, words) => {
    reads.length = 0
    const result = await call('read_file', { path }, BOTH, active)
    expect(result).toMatchObject({ isError: true, content: expect.stringContaining(words) })
    expect(reads).toEqual([])
  })

  test('SKILL.md refers to its own folder, line by line as written', async () => {
    const text = 'one\n{baseDir}/x and $ARGUMENTS\nthree\n'
    const files = { 'SKILL.md': text }
    const whole = await call('read_file', { path: `${ROOT}/SKILL.md` }, files)
    expect(whole.content).toMatch(
      /^one\n\/mnt\/skills\/public\/alpha\/x and \$ARGUMENTS\nthree\n\[Left as written/,
    )
    expect(whole.notes).toMatchObject([{ type: 'skill', via: 'read', body: true }])
    const part = await call('read_file', { path: `${ROOT}/SKILL.md`, start_line: 2, end_line: 2 }, files)
    expect(part.content).toBe('/mnt/skills/public/alpha/x and $ARGUMENTS')
    expect(part.notes).toMatchObject([{ type: 'skill', via: 'read', body: false }])
    expect((await call('read_file', { path: `${ROOT}/b.md` }, { 'b.md': '{baseDir}' })).content).toBe(
      '{baseDir}',
    )
  })

  test('invalid input names the field to fix', async () => {
    expect((await read({ start_line: 0 })).content).toContain('start_line:')
  })
})

describe('ls', () => {
  const files = { 'SKILL.md': '', 'references/a.md': '', 'references/deep/b.md': '' }

  test.each([
    ['/mnt/skills', 'custom/\npublic/'],
    ['/mnt/skills/public/', 'alpha/'],
    [ROOT, 'SKILL.md\nreferences/a.md\nreferences/deep/b.md'],
    [`${ROOT}/references`, 'a.md\ndeep/b.md'],
    [`${ROOT}/../beta/references`, 'a.md\ndeep/b.md'],
    ['/mnt/skills/custom', 'beta/'],
  ])('%s', async (path, content) => {
    expect(await call('ls', { path }, files)).toEqual({ content, isError: false })
  })

  test('a missing file or folder is reported', async () => {
    expect((await call('ls', { path: `${ROOT}/SKILL.md` }, files)).content).toContain('is a file')
    expect((await call('ls', { path: `${ROOT}/none` }, files)).content).toContain('There is no folder')
  })

  test('entries beyond the limit are counted', async () => {
    const many = Object.fromEntries(Array.from({ length: LS_ENTRIES_MAX + 7 }, (_, i) => [`f${i}`, '']))
    expect((await call('ls', { path: ROOT }, many)).content).toMatch(/… and 7 more$/)
  })
})
