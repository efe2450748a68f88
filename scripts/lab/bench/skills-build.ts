// Benchmark of building a large collection: cold, and again without changes. Each build runs in its own process,
// measured from start to end.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { BUILD_CACHE_SETTLE_MS } from '../../build/limits.ts'
import { amount, line, secondsOf, type PartResult } from '../rig/lines.ts'
import type { BuildResult } from './build-once.ts'
import { writeCollection } from './skill-collection.ts'

const SKILL_COUNT = 7_000
const SEED = 1
const BUILD_GOAL_MS = { cold: 30_000, unchanged: 5_000 } as const
const BUILD_GOAL_MB = 1_000

async function buildOnce(
  directory: string,
  cacheFile: string,
): Promise<BuildResult & { readonly ms: number }> {
  const startedMs = performance.now()
  const child = fork(fileURLToPath(new URL('build-once.ts', import.meta.url)), [directory, cacheFile])
  let built: BuildResult | null = null
  child.on('message', (message: BuildResult) => {
    built = message
  })
  const [status] = (await once(child, 'exit')) as [number | null] // the event's documented arguments
  const ms = performance.now() - startedMs
  // The cast widens the type, because a callback assigns the variable.
  const result = built as BuildResult | null
  if (!result) throw new Error(`the build ended with ${String(status)}`)
  return { ...result, ms }
}

export async function measureLargeBuilds(): Promise<PartResult> {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-bench-skills-'))
  try {
    const directory = join(folder, 'skills')
    await writeCollection(directory, SKILL_COUNT, SEED)
    // Wait, because files that were just written do not count as unchanged.
    await sleep(BUILD_CACHE_SETTLE_MS)
    const cold = await buildOnce(directory, join(folder, 'cache.json'))
    const unchanged = await buildOnce(directory, join(folder, 'cache.json'))
    const lines = Object.entries({ cold, unchanged }).map(([what, { ms: took, maxRssBytes, skills }]) => {
      const limit = what === 'cold' ? BUILD_GOAL_MS.cold : BUILD_GOAL_MS.unchanged
      const mb = maxRssBytes / 1_000_000
      const goal = `≤ ${limit / 1_000} s, ≤ ${BUILD_GOAL_MB} MB`
      const figure = `${secondsOf(took)}, ${mb.toFixed(0)} MB`
      const name = `build of ${amount(skills)} synthetic skills, ${what}`
      return line(name, figure, goal, took <= limit && mb <= BUILD_GOAL_MB)
    })
    return { lines, figures: { cold, unchanged } }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
