// Guards "code has nothing but what it is handed, and a command changes all of its files or none", from the tool `bash`
// through real isolates of the loader to the changes in its result. The code in the isolates is scripted.

import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'

import type { ToolResult } from '../../src/agent/tool.ts'
import { err } from '../../src/lib/result.ts'
import { SANDBOX_PROGRESS_MAX_CHARS } from '../../src/limits/sandbox.ts'
import { SANDBOX_WALL_DEFAULT_MS } from '../../src/tools/files/limits.ts'
import { Isolates } from '../../src/sandbox/isolates.ts'
import { COMMAND_QUEUE } from '../../src/sandbox/limits.ts'
import { Runtimes } from '../../src/sandbox/runtimes.ts'
import { sandboxOf, type SandboxParts } from '../../src/sandbox/sandbox.ts'
import type { SkillAccess } from '../../src/skills/view/access.ts'
import { BASH } from '../../src/tools/files/bash.ts'
import { FakeFiles } from '../fakes/files.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { built, call, FREE, scripted } from './scripted-guest.ts'
import { watched } from './watched.ts'
import { toolContext } from '../fakes/tool-context.ts'

/** The cast is safe: a command uses only these methods of skills, and there are no skills here. */
const NO_SKILLS = { list: () => [], active: () => [] } as unknown as SkillAccess
const WORK = '/mnt/user-data/workspace'

function ran(
  parts: SandboxParts,
  command: string,
  files = new FakeFiles(),
  of = call(),
  [workspace, thread] = ['w1', 'th1'],
): Promise<ToolResult> {
  const sandbox = sandboxOf(parts, workspace ?? '', thread ?? '')
  return BASH.make(toolContext({ skills: NO_SKILLS, files, sandbox })).run({ command }, of)
}

function words({ content, frame }: ToolResult): string {
  if (typeof content !== 'string') throw new Error('a command answers with text')
  return `${frame?.before ?? ''}${content}${frame?.after ?? ''}`
}

describe('a command', () => {
  it('sees the files of its thread, and its result has its output and changes', async () => {
    const files = new FakeFiles()
    await files.put('uploads/in.csv', 'a,b')
    await files.put('workspace/old.txt', 'old')
    const result = await ran(
      scripted('sees'),
      `files\ncat /mnt/user-data/uploads/in.csv\ncat ${WORK}/none\nwrite ${WORK}/new.txt hello\nremove ${WORK}/old.txt\nwrite /tmp/x gone\ncomplain careful\nexit 3`,
      files,
    )
    expect(words(result)).toBe(
      `/mnt/user-data/uploads/in.csv 3 w\n${WORK}/old.txt 3 w\na,b\nno such file\n[stderr]\ncareful\n` +
        `[Exit code 3. Files changed: ${WORK}/new.txt (5 bytes), ${WORK}/old.txt removed.]`,
    )
    expect(result.isError).toBe(false)
    expect(result.changes).toMatchObject([
      { path: 'workspace/new.txt', expect: null, known: false, body: { bytes: 5 } },
      { path: 'workspace/old.txt', expect: files.get('workspace/old.txt')?.sha256, body: null },
    ])
  })

  it('gets its limits, a folder and an environment that reveals nothing of us', async () => {
    const result = words(await ran(scripted('told'), 'limits\nenv'))
    expect(result).toContain(`"wallMs":${SANDBOX_WALL_DEFAULT_MS}`)
    expect(result).toContain(
      `{"HOME":"${WORK}","PATH":"/usr/bin:/bin","LANG":"C.UTF-8","TZ":"UTC","cwd":"${WORK}"`,
    )
  })

  it('runs python3 and node over its own changes, and reports an unknown program', async () => {
    const result = await ran(
      scripted('programs'),
      `write ${WORK}/a one\npython3 write ${WORK}/b two\nnode print three\nruby x`,
    )
    expect(words(result)).toContain('three\nthere is no program ruby')
    expect(result.changes?.map(({ path }) => path)).toEqual(['workspace/a', 'workspace/b'])
  })

  it('streams its output while it runs, within a limit', async () => {
    const of = call()
    await ran(
      scripted('shows'),
      `tell ${'x'.repeat(SANDBOX_PROGRESS_MAX_CHARS)}\ntell more\ntell more`,
      undefined,
      of,
    )
    expect(of.reported.join('')).toBe(
      `${'x'.repeat(SANDBOX_PROGRESS_MAX_CHARS)}\n[more follows in the result]\n`,
    )
  })

  it.each([
    ['time', 'timeout_s'],
    ['steps', 'endless loop'],
    ['output', 'read parts of it'],
    ['memory', 'in parts'],
    ['files', 'Write less'],
  ])('that is stopped for its %s changes nothing and says what to do', async (why, fix) => {
    const result = await ran(scripted('stopped'), `print so far\nwrite ${WORK}/a b\nstop ${why}`)
    expect(result).toMatchObject({ isError: true })
    expect(result.changes).toBeUndefined()
    expect(words(result)).toContain('so far')
    expect(words(result)).toContain('No file was changed.')
    expect(words(result)).toContain(fix)
  })

  it('that is cancelled ends at once and changes nothing', async () => {
    const stop = new AbortController()
    const of = call(stop.signal)
    const running = ran(scripted('called off'), `write ${WORK}/a b\ntell here\nhang`, undefined, of)
    await eventually(
      () => of.reported.length,
      (reported) => reported > 0,
    )
    stop.abort()
    expect(await running).toMatchObject({ isError: true })
    expect((await running).changes).toBeUndefined()
  })

  it('reports a program that was stopped within it', async () => {
    const result = await ran(scripted('within'), `python3 stop memory\nprint on`)
    expect(words(result)).toContain('python3 was stopped because it needed more than 56 MiB')
  })

  it('writes nothing at all if one name is invalid', async () => {
    const result = await ran(scripted('names'), `write ${WORK}/good x\nwrite /mnt/user-data/elsewhere/a x`)
    expect(result).toMatchObject({ isError: true })
    expect(result.changes).toBeUndefined()
    expect(words(result)).toContain('There is no folder /mnt/user-data/elsewhere')
  })

  it('writes nothing at all if the files exceed the quota', async () => {
    const files = new FakeFiles()
    files.refusal = 'This thread may have at most 1 files. Delete some of them first.'
    const result = await ran(scripted('room'), `write ${WORK}/a x\nprint done`, files)
    expect(result).toMatchObject({ isError: true })
    expect(result.changes).toBeUndefined()
    expect(words(result)).toContain(
      'done\n[No file below /mnt/user-data was changed: This thread may have at most 1 files.',
    )
  })

  it('cannot open or close our tags in its result', async () => {
    const result = await ran(scripted('words'), `write ${WORK}/</skill_content> x`)
    expect(words(result)).not.toContain('</skill_content>')
  })
})

describe('isolates', () => {
  const created = async (...of: Parameters<typeof ran>): Promise<string> =>
    words(await ran(...of)).split(' ')[0] ?? ''

  it('are kept: a thread gets its own again, another thread or workspace never does', async () => {
    const parts = scripted('kept')
    const at = (...position: [string, string]): Promise<string> =>
      created(parts, 'who', undefined, undefined, position)
    const first = await at('w1', 'th1')
    expect(await at('w1', 'th1')).toBe(first)
    expect(await at('w1', 'th2')).not.toBe(first)
    expect(await at('w2', 'th1')).not.toBe(first)
  })

  it('of programs are shared by the threads of a workspace, and never by two workspaces', async () => {
    const parts = scripted('programs shared')
    const at = (...position: [string, string]): Promise<string> =>
      created(parts, 'python3 who', undefined, undefined, position)
    const first = await at('w1', 'th1')
    expect(await at('w1', 'th2')).toBe(first)
    expect(await at('w2', 'th1')).not.toBe(first)
    expect(await created(parts, 'node who')).not.toBe(first)
  })

  it('have IDs that name code, owner and slot', async () => {
    const ids: string[] = []
    const loader = watched(env.LOADER, (_, [id]) => void ids.push(String(id)))
    const runtimes = new Runtimes([built(['bash', 'python'], 'ids')])
    const parts = { ...scripted('ids'), isolates: new Isolates(loader, runtimes, Date.now) }
    await ran(parts, 'python3 print x\nspend')
    await ran(parts, 'print x')
    expect(ids.map((id) => id.replace(/ [\da-f]{16} /, ' D '))).toEqual([
      'bash D w1/th1 0 0',
      'python D w1 0 0',
      'bash D w1/th1 0 1',
    ])
  })

  it('that are spent or broken are not used again', async () => {
    const parts = scripted('spent')
    const first = await created(parts, 'who\nspend')
    const second = await created(parts, 'who')
    expect(second).not.toBe(first)
    expect(words(await ran(parts, 'break'))).toContain(
      'The sandbox failed: a fault of the child. No file was changed.',
    )
    expect(await created(parts, 'who')).not.toBe(second)
    // A thread that forgot which isolate is used up skips it.
    expect(await created(scripted('spent'), 'who')).not.toBe(first)
  })

  it('that are busy are skipped: four are kept, and further ones are used once', async () => {
    let loaded = 0
    const loader = watched(env.LOADER, (method) => void (loaded += method === 'load' ? 1 : 0))
    const runtimes = new Runtimes([built(['bash', 'python'], 'busy')])
    const parts = { ...scripted('busy'), isolates: new Isolates(loader, runtimes, Date.now) }
    const stop = new AbortController()
    const all = Array.from({ length: 6 }, (_, at) =>
      ran(parts, 'python3 who\npython3 hang', undefined, call(stop.signal, `r:${at}`), ['w1', `th${at}`]),
    )
    await eventually(
      () => loaded,
      (times) => times === 2,
    )
    stop.abort()
    await Promise.all(all)
    expect(await created(parts, 'python3 who')).not.toBe('')
  })
})

describe('an unavailable sandbox', () => {
  it.each([
    ['there is no loader', new Isolates(null, new Runtimes([built(['bash'])]), Date.now), 'binding LOADER'],
    [
      'its runtime was not built',
      new Isolates(env.LOADER, new Runtimes([built([])]), Date.now),
      'scripts/assets.ts',
    ],
  ])('says so if %s', async (_, isolates, fix) => {
    const result = await ran({ ...scripted('none'), isolates }, 'print x')
    expect(result).toMatchObject({ isError: true, code: 'sandbox_unavailable' })
    expect(words(result)).toContain('sandbox_unavailable')
    expect(words(result)).toContain(fix)
  })

  it('runs what it has: a shell without python3 reports that', async () => {
    const isolates = new Isolates(env.LOADER, new Runtimes([built(['bash'], 'no python')]), Date.now)
    const result = await ran({ ...scripted('none'), isolates }, 'print on\npython3 x')
    expect(words(result)).toContain('on\npython3 cannot run: the runtime python is missing')
  })
})

describe('commands of one key', () => {
  it('have half of the slots at once, and their wait for one does not use their time', async () => {
    const parts = scripted('slots')
    const stop = new AbortController()
    let waits = 0
    const waiting = async <T>(wait: Promise<T>): Promise<T> => {
      waits++
      return wait
    }
    const { capacity: slots, reservedForOthers: reserve } = COMMAND_QUEUE
    const greedy = Array.from({ length: slots }, (_, at) => ({
      ...call(stop.signal, `r:${at}`),
      queue: { key: 'w1/greedy', thread: `th${at}`, trackWait: waiting },
    }))
    const all = greedy.map((of, at) => ran(parts, 'tell runs\nhang', undefined, of, ['w1', `th${at}`]))
    const running = (): number => greedy.filter(({ reported }) => reported.length > 0).length
    await eventually(running, (count) => count === slots - reserve)
    expect(waits).toBe(reserve)
    const other = { ...call(), queue: { key: 'w1/other', thread: 'th', trackWait: waiting } }
    expect(words(await ran(parts, 'print at once', undefined, other))).toContain('at once')
    expect(running()).toBe(slots - reserve)
    stop.abort()
    await Promise.all(all)
    expect(running()).toBe(slots - reserve)
  })
})

describe('a command that was ended from outside', () => {
  it('has the same key when it is called again, without containing its text, and is then refused', async () => {
    const keys: string[] = []
    const refused = new Set<string>()
    const deadlines: SandboxParts['deadlines'] = {
      guard: async (key, ms, work) => {
        expect(ms).toBeGreaterThan(SANDBOX_WALL_DEFAULT_MS)
        keys.push(key)
        return refused.has(key) ? err({ key }) : FREE.guard(key, ms, work)
      },
    }
    const parts = scripted('ended', { deadlines })
    const files = new FakeFiles()
    await files.put('workspace/a', '1')
    await ran(parts, 'print secret words', files)
    refused.add(keys[0] ?? '')
    const again = await ran(parts, 'print secret words', files)
    expect(words(again)).toContain(
      'The command was not run, because the same command with the same files blocked the server before and was killed',
    )
    await files.put('workspace/a', '2')
    expect(words(await ran(parts, 'print secret words', files))).toContain('secret words')
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[0])
    expect(keys[0]).toMatch(/^bash [\da-f]{64}$/)
  })
})
