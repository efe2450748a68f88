// The build of a large collection: cold, and again with nothing changed. Each in a process of its own, from its start
// to its end, as somebody waits for it.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { BUILD_CACHE_SETTLE_MS } from '../../build/limits.ts'
import type { BuiltOnce } from './build-once.ts'
import { writeCollection } from './skill-collection.ts'

const COUNT = 7_000
const SEED = 1

export interface LargeBuild extends BuiltOnce {
  readonly what: 'cold' | 'unchanged'
  readonly ms: number
}

async function buildOnce(directory: string, cacheFile: string): Promise<BuiltOnce & { readonly ms: number }> {
  const began = performance.now()
  const child = fork(fileURLToPath(new URL('build-once.ts', import.meta.url)), [directory, cacheFile])
  let built: BuiltOnce | null = null
  child.on('message', (message: BuiltOnce) => {
    built = message
  })
  const [status] = (await once(child, 'exit')) as [number | null] // the event's documented arguments
  const ms = performance.now() - began
  // Narrowed anew: the assignment stands in a callback.
  const done = built as BuiltOnce | null
  if (!done) throw new Error(`the build ended with ${String(status)}`)
  return { ...done, ms }
}

export async function measureLargeBuilds(): Promise<readonly LargeBuild[]> {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-bench-skills-'))
  try {
    const directory = join(folder, 'skills')
    await writeCollection(directory, COUNT, SEED)
    // What was written a moment ago is not taken for unchanged.
    await sleep(BUILD_CACHE_SETTLE_MS)
    const builds: LargeBuild[] = []
    for (const what of ['cold', 'unchanged'] as const)
      builds.push({ what, ...(await buildOnce(directory, join(folder, 'cache.json'))) })
    return builds
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
