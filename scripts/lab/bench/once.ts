// Benchmarks with few repetitions: builds, pushes and the size of the upload.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { makeBuild } from '../../build/build.ts'
import { measureUpload } from '../../check/size.ts'
import { openLocal } from '../../push/local-target.ts'
import { pushBuild } from '../../push/push.ts'
import { UPLOAD_GZIP_MAX_BYTES } from '../../check/limits.ts'
import { ROOT } from '../rig/keys.ts'
import { line, ms, plain, type PartResult } from '../rig/lines.ts'

const BUILD_GOAL_MS = 5_000
const SKILLS = join(ROOT, 'skills')

/** Measures scanning, parsing and hashing in the second of two builds, so that the disk cache is always warm. */
export async function measureBuild(): Promise<PartResult> {
  await makeBuild([SKILLS], false)
  const startedMs = performance.now()
  const { build } = await makeBuild([SKILLS], false)
  const buildMs = performance.now() - startedMs
  const what = `build of the built-in skills (${build.index.skills.length})`
  return {
    figures: { ms: buildMs },
    lines: [line(what, ms(buildMs), `≤ ${BUILD_GOAL_MS / 1_000} s`, buildMs <= BUILD_GOAL_MS)],
  }
}

/** Measures a push to empty local stores, and a second push, which must send nothing. */
export async function measurePushes(): Promise<PartResult> {
  const persist = mkdtempSync(join(tmpdir(), 'satchel-bench-push-'))
  const { build } = await makeBuild([SKILLS], false)
  const stores = await openLocal(join(ROOT, 'wrangler.toml'), persist)
  const push = async (): Promise<{ readonly objects: number; readonly ms: number }> => {
    const startedMs = performance.now()
    const { blobs, kv } = await pushBuild(build, stores.target)
    return { objects: blobs + kv, ms: performance.now() - startedMs }
  }
  const summary = (sent: Awaited<ReturnType<typeof push>>): string =>
    `${sent.objects} objects, ${ms(sent.ms)}`
  try {
    const [first, second] = [await push(), await push()]
    return {
      figures: { first, second },
      lines: [
        plain('first push to local stores', summary(first)),
        line('second push to local stores', summary(second), 'sends nothing', second.objects === 0),
      ],
    }
  } finally {
    await stores.close()
    rmSync(persist, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Measures the total size of all uploaded modules, each gzipped. */
export async function measureSize(): Promise<PartResult> {
  const { bytes } = await measureUpload()
  const kb = (value: number): string => `${(value / 1_000).toFixed(0)} KB gzip`
  const goal = `≤ ${kb(UPLOAD_GZIP_MAX_BYTES)}`
  return {
    figures: { bytes },
    lines: [line('upload, every module counted', kb(bytes), goal, bytes <= UPLOAD_GZIP_MAX_BYTES)],
  }
}
