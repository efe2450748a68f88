// What is measured a few times rather than in rounds: the builds, the pushes, the upload's size.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { makeBuild } from '../../build/build.ts'
import { measureUpload } from '../../check/size.ts'
import { openLocal } from '../../push/local-target.ts'
import { pushBuild } from '../../push/push.ts'
import { ROOT } from './servers.ts'

export interface BuildFigures {
  readonly what: string
  readonly skills: number
  readonly ms: number
}

/** Scan, parse and hash; the second of two builds, so that the disk cache is warm for every machine alike. */
async function timedBuild(what: string, folders: readonly string[]): Promise<BuildFigures> {
  await makeBuild(folders, false)
  const began = performance.now()
  const { build } = await makeBuild(folders, false)
  return { what, skills: build.index.skills.length, ms: performance.now() - began }
}

export async function measureBuilds(): Promise<readonly BuildFigures[]> {
  return [await timedBuild('built-in skills', [join(ROOT, 'skills')])]
}

export interface PushFigures {
  readonly what: string
  readonly objects: number
  readonly ms: number
}

/** To empty local stores, and the same again, which must send nothing. */
export async function measurePushes(): Promise<readonly PushFigures[]> {
  const persist = mkdtempSync(join(tmpdir(), 'satchel-bench-push-'))
  const { build } = await makeBuild([join(ROOT, 'skills')], false)
  const stores = await openLocal(join(ROOT, 'wrangler.toml'), persist)
  try {
    const figures: PushFigures[] = []
    for (const what of ['first push', 'second push']) {
      const began = performance.now()
      const sent = await pushBuild(build, stores.target)
      figures.push({ what, objects: sent.blobs + sent.kv, ms: performance.now() - began })
    }
    return figures
  } finally {
    await stores.close()
    rmSync(persist, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Bytes of all uploaded modules, each gzipped. */
export async function measureSize(): Promise<number> {
  return (await measureUpload()).bytes
}
