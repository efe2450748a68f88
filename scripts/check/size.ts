// Measures what `wrangler deploy` would upload: all modules, gzipped, without assets.

import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'

import { UPLOAD_GZIP_MAX_BYTES } from './limits.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const NOT_UPLOADED = /\.map$|^README\.md$/

/** The gzipped size of each module in the output folder of a dry run, largest first. */
export function moduleSizes(directory: string): readonly { readonly name: string; readonly bytes: number }[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !NOT_UPLOADED.test(entry.name))
    .map((entry) => ({
      name: entry.name,
      bytes: gzipSync(readFileSync(join(entry.parentPath, entry.name))).length,
    }))
    .sort((a, b) => b.bytes - a.bytes)
}

/**
 * Bundles the Worker as a deploy would and calls `work` with the output folder. Rejects with wrangler's message if
 * bundling fails.
 */
export async function withUpload<T>(work: (directory: string) => T | Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'satchel-size-'))
  try {
    const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
    await promisify(execFile)(process.execPath, [wrangler, 'deploy', '--dry-run', '--outdir', directory], {
      cwd: ROOT,
      env: { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_LOG: 'error' },
    })
    return await work(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The size of the upload, and a report with a line for each module. */
export async function measureUpload(): Promise<{ readonly bytes: number; readonly report: string }> {
  const modules = await withUpload(moduleSizes)
  const bytes = modules.reduce((sum, module) => sum + module.bytes, 0)
  const lines = modules.map((module) => `  ${module.name}: ${module.bytes} bytes gzip`)
  return { bytes, report: [`upload: ${kilobytes(bytes)} KB gzip`, ...lines].join('\n') }
}

/** Thousands of bytes, rounded up so that claims are never too low. */
export function kilobytes(bytes: number): number {
  return Math.ceil(bytes / 1_000)
}

/** A message if the size exceeds its limit, or null. */
export function sizeProblem(bytes: number): string | null {
  return bytes <= UPLOAD_GZIP_MAX_BYTES
    ? null
    : `The upload is ${kilobytes(bytes)} KB gzip; the limit is ${kilobytes(UPLOAD_GZIP_MAX_BYTES)} KB (UPLOAD_MAX_GZIP_BYTES). Remove some code, or turn it into an asset.`
}
