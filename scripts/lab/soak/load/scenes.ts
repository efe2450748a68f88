// The scenes of the load test. Each can run in three variants: with one key beyond its limits, with fifty users within
// theirs, and as normal use of the same size, to compare memory.

import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zipSync } from 'fflate'

import { commitSkills, planSkills, putBlob } from '../../../../src/client/catalog.ts'
import { mapBounded } from '../../../lib/pool.ts'
import { ADMIN_KEY } from '../../rig/keys.ts'
import { clientOf } from '../../rig/satchel.ts'
import { finished, script } from '../../rig/script.ts'
import { sendAll, addTallies, type LoadRequest, type Tally } from './people.ts'

export interface Load {
  readonly url: string
  /** The key beyond its limits. */
  readonly one: string
  readonly many: readonly string[]
}

type LoadAction = (load: Load) => Promise<Tally>

export interface LoadScene {
  readonly what: string
  readonly one: LoadAction
  readonly many?: LoadAction
  /** Normal use, for the memory comparison. The default is that of many users. */
  readonly honest?: LoadAction
  /** If true, memory is measured once more afterward, per new thread. */
  readonly threads?: number
}

const THREADS = 500
const COMMITS = 20
const SKILLS_PER_COMMIT = 500
const PUBLISHED_SKILLS = 1_500
const MATCHES = 400
const ROUNDS = 12
const SCRIPT_BYTES = 390_000
const DRY_RUNS = 50
const UPLOADS = 3
const MEGABYTE = 1_048_576

function times<T>(count: number, make: (at: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, at) => make(at))
}

function skillMd(name: string): string {
  return `---\nname: ${name}\ndescription: Use this skill when somebody asks for ${name} or what belongs to it.\n---\n\n# ${name}\n\nWrite one line a change.\n`
}

function message(key: string, text: string): LoadRequest {
  return { key, path: '/v1/chat', body: { message: text, stream: true } }
}

/** Commits single-file skills, as `skills:publish` sends them. */
async function commit(url: string, key: string, prefix: string, count: number): Promise<Tally> {
  const client = clientOf(url, key)
  const blobs = times(count, (at) => {
    const bytes = new Uint8Array(Buffer.from(skillMd(`${prefix}-${at}`)))
    return { bytes, address: createHash('sha256').update(bytes).digest('hex') }
  })
  const skills = blobs.map(({ address }) => ({ files: { 'SKILL.md': address } }))
  const planned = await planSkills(client, skills)
  const sent = planned.ok
    ? await mapBounded(blobs, 8, ({ address, bytes }) => putBlob(client, address, bytes))
    : [planned]
  // A refused request explains an incomplete commit.
  const done = sent.find(({ ok }) => !ok) ?? (await commitSkills(client, { skills }))
  const { status } = done.ok ? done.value : done.error.kind === 'problem' ? done.error.problem : { status: 0 }
  return { statuses: new Map([[status, 1]]), withoutRetryAfter: 0 }
}

/** Runs `npm run skills:publish` with a folder of synthetic skills. */
async function publish(url: string): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-load-'))
  try {
    for (let at = 0; at < PUBLISHED_SKILLS; at++) {
      mkdirSync(join(folder, `folder-${at}`))
      writeFileSync(join(folder, `folder-${at}`, 'SKILL.md'), skillMd(`folder-${at}`))
    }
    const args = [folder, '--to', url, '--key', ADMIN_KEY, '--yes']
    const { status } = await finished(script('publish-skills.ts', args))
    return { statuses: new Map([[status === 0 ? 200 : 0, 1]]), withoutRetryAfter: 0 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A dry run of a skill with five scripts, each with one slow pattern. */
function dryRun(key: string, name: string, patterns: readonly string[]): LoadRequest {
  const files: Record<string, string> = { 'SKILL.md': skillMd(name) }
  for (let at = 0; at < 5; at++) {
    const pattern = patterns[at % patterns.length] ?? ''
    files[`scripts/s${at}.js`] = pattern
      .repeat(Math.ceil(SCRIPT_BYTES / pattern.length))
      .slice(0, SCRIPT_BYTES)
  }
  return { key, path: '/admin/skills?dry_run=1', body: { files } }
}

const HOSTILE_SCRIPTS = ['a.b.c.', '(a=', 'await ', '[a,', 'f(`${']
const NORMAL_SCRIPTS = [
  'export function total(items) {\n  return items.reduce((sum, item) => sum + item.price * item.count, 0)\n}\n\n',
]

function match(key: string, text: string): LoadRequest {
  return { key, path: '/v1/skills/match', body: { text } }
}

const NORMAL_TEXT = 'our checkout was down for twelve minutes and we want it written up '
  .repeat(120)
  .slice(0, 8_000)
const EXPANDING_TEXT = 'ﷺ'.repeat(8_000)

/** Sends many requests concurrently: from one key, or from many keys in turn. */
function concurrently(
  who: 'one' | 'many',
  count: number,
  make: (key: string, at: number) => LoadRequest,
): LoadAction {
  return async ({ url, one, many }) => {
    const keys = who === 'one' ? [one] : many
    return sendAll(
      url,
      times(count, (at) => make(keys[at % keys.length] ?? one, at)),
    )
  }
}

/** Runs rounds in sequence. */
function consecutively(rounds: number, act: (load: Load, round: number) => Promise<Tally>): LoadAction {
  return async (load) => {
    const tallies: Tally[] = []
    for (let round = 0; round < rounds; round++) tallies.push(await act(load, round))
    return addTallies(tallies)
  }
}

const hello = (key: string, at: number): LoadRequest => message(key, `Hello ${at}`)
const dryRuns = (who: 'one' | 'many', patterns: readonly string[]): LoadAction =>
  concurrently(who, DRY_RUNS, (key, at) => dryRun(key, `dry-${at}`, patterns))
const matches = (who: 'one' | 'many', text: string): LoadAction =>
  consecutively(
    ROUNDS,
    concurrently(who, MATCHES, (key) => match(key, text)),
  )

/** A zip of 30 MB that cannot be compressed, sent as a new skill. */
function upload(key: string, name: string): LoadRequest {
  const files: Record<string, Uint8Array> = { 'SKILL.md': new Uint8Array(Buffer.from(skillMd(name))) }
  for (let at = 0; at < 4; at++) files[`assets/data-${at}.bin`] = randomBytes(7 * MEGABYTE)
  return { key, path: '/admin/skills', body: zipSync(files, { level: 0 }) }
}

export const LOAD_SCENES = {
  begin: {
    what: `${THREADS} first messages at once`,
    one: concurrently('one', THREADS, hello),
    many: concurrently('many', THREADS, hello),
    threads: THREADS,
  },
  commit: {
    what: `${COMMITS} commits of ${SKILLS_PER_COMMIT} skills · 50 of 40`,
    one: async ({ url, one }) =>
      addTallies(
        await Promise.all(times(COMMITS, async (at) => commit(url, one, `c${at}`, SKILLS_PER_COMMIT))),
      ),
    // As many skills, from users who wait for each response.
    honest: consecutively(COMMITS, async ({ url, many }, at) =>
      commit(url, many[at] ?? '', `c${at}`, SKILLS_PER_COMMIT),
    ),
    many: async ({ url, many }) =>
      addTallies(await Promise.all(many.map(async (key, at) => commit(url, key, `m${at}`, 40)))),
  },
  publish: { what: `skills:publish of ${PUBLISHED_SKILLS} skills`, one: async ({ url }) => publish(url) },
  'dry-run': {
    what: `${DRY_RUNS} dry runs of five scripts of 390 KB`,
    one: dryRuns('one', HOSTILE_SCRIPTS),
    many: dryRuns('many', HOSTILE_SCRIPTS),
    honest: dryRuns('many', NORMAL_SCRIPTS),
  },
  match: {
    what: `${MATCHES} matches of 8,000 ﷺ at once, ${ROUNDS} times`,
    one: matches('one', EXPANDING_TEXT),
    many: matches('many', EXPANDING_TEXT),
    honest: matches('many', NORMAL_TEXT),
  },
  upload: {
    what: `${UPLOADS} skills of 28 MB, one after the other`,
    one: consecutively(UPLOADS, async ({ url, one }, at) => sendAll(url, [upload(one, `up-${at}`)])),
  },
  upstream: {
    what: 'a model API that sends lines and errors of hundreds of MB, 8 runs at once',
    one: concurrently('one', 8, (key, at) => message(key, at % 2 === 0 ? 'ENDLESS LINE' : 'HUGE ERROR')),
    honest: concurrently('one', 8, hello),
  },
} as const satisfies Readonly<Record<string, LoadScene>>

export type SceneName = keyof typeof LOAD_SCENES
