// The closest peer's loader of skills against ours: both in one Worker, over one local R2 with the same skills. Nothing
// of the peer is a dependency: its package is looked for in a folder that git ignores.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { makeBuild } from '../build/build.ts'
import { mapBounded } from '../build/pool.ts'
import { freePort } from '../lib/free-port.ts'
import { localTarget } from '../push/local-target.ts'
import { pushBuild } from '../push/push.ts'
import { bundleWorker } from '../start/bundle.ts'
import { readWorkerOptions, startRuntime, type Runtime } from '../start/runtime.ts'
import { ROOT } from './servers.ts'
import { writeCollection } from './skill-collection.ts'
import { figures, type Figures } from './stats.ts'

export const PEER_INSTALL = 'npm install --prefix .bench --ignore-scripts --legacy-peer-deps agents@0.32.0'

const COUNTS = [10, 100, 300] as const
const ROUNDS = 15
const WARM_UP = 3
const SEED = 1
const SEEDING_AT_ONCE = 16
const LIBRARY = 'test/workers/peer-library.ts'

const STATES = ['cold', 'refresh', 'cached'] as const
type State = (typeof STATES)[number]

export interface PeerFigures {
  readonly skills: number
  readonly state: State
  readonly peer: Figures
  readonly ours: Figures
}

export interface PeerRun {
  readonly version: string
  readonly figures: readonly PeerFigures[]
}

interface Place {
  readonly count: number
  readonly skill: string
  /** Ours: the build's digest. The peer's: the prefix of its skills in the bucket. */
  readonly where: Readonly<Record<'ours' | 'peer', string>>
}

/** The package, where somebody has put it. */
function installed(): { readonly entry: string; readonly version: string } | null {
  const home = join(ROOT, '.bench/node_modules/agents')
  const entry = join(home, 'dist/skills/index.js')
  if (!existsSync(entry)) return null
  // npm's own file.
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string }
  return { entry, version }
}

async function start(entry: string, port: number, persist: string): Promise<Runtime> {
  const [modules, options] = await Promise.all([
    bundleWorker(ROOT, 'test/workers/peer-worker.ts', {
      [LIBRARY]: `export * from ${JSON.stringify(entry)}`,
    }),
    readWorkerOptions(ROOT),
  ])
  const { rootPath, compatibilityDate, compatibilityFlags, kvNamespaces, r2Buckets } = options
  const durableObjects = { CATALOGS: { className: 'Catalog', useSQLite: true } }
  return startRuntime({
    root: ROOT,
    worker: {
      name: 'peer',
      rootPath,
      compatibilityDate,
      compatibilityFlags,
      kvNamespaces,
      r2Buckets,
      durableObjects,
    },
    modules,
    bindings: {},
    port,
    persist,
    log: (level, line) => {
      if (level === 'error') console.error(line)
    },
    restarted: async () => {},
  })
}

/** The same skills for both: ours as a build, the peer's as the files they are. */
async function seed(runtime: Runtime, folder: string, count: number): Promise<Place> {
  const directory = join(folder, `skills-${count}`)
  await writeCollection(directory, count, SEED)
  const { build } = await makeBuild([directory], false)
  const target = localTarget(runtime.stores)
  await pushBuild(build, target)
  const prefix = `peer/${count}/`
  // SKILL.md alone: of the files beside it the peer would list the names as well.
  await mapBounded(build.index.skills, SEEDING_AT_ONCE, async ({ name, body }) => {
    const bytes = await build.blobs.get(body)?.read()
    if (bytes) await target.putBlobs([{ key: `${prefix}${name}/SKILL.md`, bytes }])
  })
  const skill = build.index.skills[Math.floor(count / 2)]?.name ?? ''
  return { count, skill, where: { ours: build.digest, peer: prefix } }
}

async function timed(url: string, who: 'ours' | 'peer', state: State, place: Place): Promise<number> {
  const query = new URLSearchParams({ state, skill: place.skill, where: place.where[who] })
  const began = performance.now()
  const response = await fetch(`${url}/${who}?${query.toString()}`)
  const text = await response.text()
  const ms = performance.now() - began
  if (!response.ok) throw new Error(`${who}, ${state}, ${place.count} skills: ${text}`)
  const { listed, body } = JSON.parse(text) as { listed: number; body: string } // the bench's own Worker
  if (listed !== place.count || body.length < 100)
    throw new Error(`${who} lists ${listed} of ${place.count} skills`)
  return ms
}

async function compare(url: string, place: Place, state: State): Promise<PeerFigures> {
  const samples = { peer: [] as number[], ours: [] as number[] }
  for (let at = -WARM_UP; at < ROUNDS; at++)
    for (const who of ['peer', 'ours'] as const) {
      const ms = await timed(url, who, state, place)
      if (at >= 0) samples[who].push(ms)
    }
  return { skills: place.count, state, peer: figures(samples.peer), ours: figures(samples.ours) }
}

/** Null: the package is not there, see PEER_INSTALL. */
export async function measurePeer(): Promise<PeerRun | null> {
  const found = installed()
  if (!found) return null
  const folder = mkdtempSync(join(tmpdir(), 'satchel-bench-peer-'))
  try {
    const port = await freePort()
    const runtime = await start(found.entry, port, join(folder, 'state'))
    try {
      const all: PeerFigures[] = []
      for (const count of COUNTS) {
        const place = await seed(runtime, folder, count)
        for (const state of STATES) all.push(await compare(`http://127.0.0.1:${port}`, place, state))
      }
      return { version: found.version, figures: all }
    } finally {
      await runtime.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
