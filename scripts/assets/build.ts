// Builds dist/assets, the static files that are served and deployed: the page, and the runtimes, which run in separate
// isolates. Rebuilds only what changed.

import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import * as z from 'zod'

import { fileState } from '../lib/file-cache.ts'
import { bundleRuntime } from './bundle.ts'
import { linkFile } from './link.ts'
import { bundlePage, PAGE_FOLDER, COPIED_FILES } from './page.ts'
import { RUNTIME_SOURCES } from './runtimes.ts'
import { linkSandbox, SANDBOX_FOLDER } from './sandbox.ts'

const OUT = 'dist/assets'
const MANIFEST = 'dist/assets/runtimes/manifest.json'
const STAMP = 'dist/assets-stamp.json'
/** The key of the page in the stamp, in which the runtimes have keys, too. */
const PAGE = 'page'
/** Files other than sources that determine how the runtimes and the page are built. */
const RECIPE = [
  'scripts/assets/build.ts',
  'scripts/assets/bundle.ts',
  'scripts/assets/html.ts',
  'scripts/assets/page.ts',
  'scripts/assets/pdf.ts',
  'scripts/assets/runtimes.ts',
  'scripts/lib/esbuild.ts',
  'scripts/runtimes/step-guards.ts',
  'package-lock.json',
]

/** For the page and each runtime: the paths of the built files below `dist/assets`, and the state of each input. */
const Stamp = z.record(
  z.string(),
  z.object({ paths: z.array(z.string()), inputs: z.record(z.string(), z.string()) }),
)
type Stamp = Readonly<z.infer<typeof Stamp>>

/**
 * Updates `dist/assets` in the checkout at `root`, including those sandbox runtimes that have been built. Returns
 * whether all of them have. Rejects with the bundler's message, which names file and line.
 */
export async function buildAssets(root: string): Promise<boolean> {
  mkdirSync(join(root, OUT, 'runtimes'), { recursive: true })
  const before = await readStamp(root)
  const stamp: Record<string, Stamp[string]> = {}
  for (const [name, runtime] of Object.entries(RUNTIME_SOURCES)) {
    const known = before[name]
    stamp[name] = known && isCurrent(root, known) ? known : await build(root, name, runtime)
  }
  const page = before[PAGE]
  stamp[PAGE] = page && isCurrent(root, page) ? page : await buildPage(root)
  linkPlain(root)
  const whole = linkSandbox(root, join(root, OUT, 'runtimes'))
  if (JSON.stringify(stamp) === JSON.stringify(before) && fileState(join(root, MANIFEST)) !== 'gone')
    return whole
  const paths = Object.fromEntries(
    Object.keys(RUNTIME_SOURCES).map((name) => [name, stamp[name]?.paths[0] ?? '']),
  )
  await replace(root, MANIFEST, JSON.stringify(paths))
  await replace(root, STAMP, JSON.stringify(stamp))
  const kept = new Set([
    'manifest.json',
    SANDBOX_FOLDER,
    ...Object.values(paths).map((path) => basename(path)),
  ])
  for (const file of readdirSync(join(root, OUT, 'runtimes')))
    if (!kept.has(file)) rmSync(join(root, OUT, 'runtimes', file), { force: true })
  clearPage(root, new Set(stamp[PAGE].paths))
  return whole
}

/** Builds the page. Writes index.html last, because it refers to the other files. */
async function buildPage(root: string): Promise<Stamp[string]> {
  const { files, inputs } = await bundlePage(root)
  mkdirSync(join(root, OUT, PAGE_FOLDER), { recursive: true })
  for (const [path, bytes] of files) await replace(root, join(OUT, path), bytes)
  return { paths: [...files.keys()], inputs: inputStates(root, inputs) }
}

async function build(
  root: string,
  name: string,
  runtime: (typeof RUNTIME_SOURCES)[string],
): Promise<Stamp[string]> {
  const { code, files } = await bundleRuntime(root, runtime)
  const digest = createHash('sha256').update(code).digest('hex')
  const path = `/runtimes/${name}-${digest.slice(0, 16)}.js`
  await replace(root, join(OUT, path), code)
  return { paths: [path], inputs: inputStates(root, files) }
}

function inputStates(root: string, files: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries([...files, ...RECIPE].map((file) => [file, fileState(join(root, file))]))
}

function isCurrent(root: string, { paths, inputs }: Stamp[string]): boolean {
  return (
    paths.every((path) => fileState(join(root, OUT, path)) !== 'gone') &&
    Object.entries(inputs).every(([file, was]) => fileState(join(root, file)) === was)
  )
}

/** The stored stamp. If it is missing, damaged or of an older format, it is empty, so that everything is rebuilt. */
async function readStamp(root: string): Promise<Stamp> {
  try {
    return Stamp.parse(JSON.parse(await readFile(join(root, STAMP), 'utf8')))
  } catch {
    return {}
  }
}

function linkPlain(root: string): void {
  for (const file of COPIED_FILES) linkFile(join(root, 'src/page', file), join(root, OUT, file))
}

/** Deletes the files of earlier versions of the page. */
function clearPage(root: string, kept: ReadonlySet<string>): void {
  for (const file of readdirSync(join(root, OUT)))
    if (![...COPIED_FILES, 'runtimes', PAGE_FOLDER].includes(file) && !kept.has(file))
      rmSync(join(root, OUT, file), { force: true })
  for (const file of readdirSync(join(root, OUT, PAGE_FOLDER)))
    if (!kept.has(`${PAGE_FOLDER}/${file}`)) rmSync(join(root, OUT, PAGE_FOLDER, file), { force: true })
}

/**
 * Replaces a file atomically, because several builds may run concurrently and files may be in use. The temporary file
 * is not in the served folder.
 */
async function replace(root: string, path: string, text: string | Uint8Array): Promise<void> {
  const temporary = join(root, 'dist', `${basename(path)}.${process.pid}`)
  await writeFile(temporary, text)
  await rename(temporary, join(root, path))
}
