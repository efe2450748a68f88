// Builds dist/assets, the static files that are served and deployed: the page, the runtimes, which run in separate
// isolates, and the tables of the scan's grammars. Rebuilds only what changed.

import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import * as z from 'zod'

import { fileState } from '../lib/file-cache.ts'
import { GRAMMARS_FILE, writeGrammarTables } from '../workerd/grammars.ts'
import { bundleRuntime } from './bundle.ts'
import { linkFile } from './link.ts'
import { bundlePage, COPIED_FILES, NAMED_FILES, PAGE_FOLDER } from './page.ts'
import { RUNTIME_SOURCES } from './runtimes.ts'
import { linkSandbox, SANDBOX_FOLDER } from './sandbox.ts'

const ASSETS_FOLDER = 'dist/assets'
const MANIFEST = 'dist/assets/runtimes/manifest.json'
const STAMP = 'dist/assets-stamp.json'
/** The key of the page in the stamp. The other keys are names of runtimes. */
const PAGE_KEY = 'page'
/** Files other than sources that determine how the runtimes and the page are built. */
const RECIPE_FILES = [
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
  mkdirSync(join(root, ASSETS_FOLDER, 'runtimes'), { recursive: true })
  const oldStamp = await readStamp(root)
  const stamp: Record<string, Stamp[string]> = {}
  for (const [name, runtime] of Object.entries(RUNTIME_SOURCES)) {
    const oldEntry = oldStamp[name]
    stamp[name] = oldEntry && isCurrent(root, oldEntry) ? oldEntry : await buildRuntime(root, name, runtime)
  }
  const page = oldStamp[PAGE_KEY]
  stamp[PAGE_KEY] = page && isCurrent(root, page) ? page : await buildPage(root)
  linkCopiedFiles(root)
  writeGrammarTables(root, join(ASSETS_FOLDER, 'runtimes'))
  const hasAllRuntimes = linkSandbox(root, join(root, ASSETS_FOLDER, 'runtimes'))
  if (JSON.stringify(stamp) === JSON.stringify(oldStamp) && fileState(join(root, MANIFEST)) !== 'gone')
    return hasAllRuntimes
  const paths = Object.fromEntries(
    Object.keys(RUNTIME_SOURCES).map((name) => [name, stamp[name]?.paths[0] ?? '']),
  )
  await replaceFile(root, MANIFEST, JSON.stringify(paths))
  await replaceFile(root, STAMP, JSON.stringify(stamp))
  const keptFiles = new Set([
    'manifest.json',
    GRAMMARS_FILE,
    SANDBOX_FOLDER,
    ...Object.values(paths).map((path) => basename(path)),
  ])
  for (const file of readdirSync(join(root, ASSETS_FOLDER, 'runtimes')))
    if (!keptFiles.has(file)) rmSync(join(root, ASSETS_FOLDER, 'runtimes', file), { force: true })
  deleteOldPageFiles(root, new Set(stamp[PAGE_KEY].paths))
  return hasAllRuntimes
}

/** Builds the page. Writes index.html last, because it refers to the other files. */
async function buildPage(root: string): Promise<Stamp[string]> {
  const { files, inputs } = await bundlePage(root)
  mkdirSync(join(root, ASSETS_FOLDER, PAGE_FOLDER), { recursive: true })
  for (const [path, bytes] of files) await replaceFile(root, join(ASSETS_FOLDER, path), bytes)
  return { paths: [...files.keys()], inputs: inputStates(root, inputs) }
}

async function buildRuntime(
  root: string,
  name: string,
  runtime: (typeof RUNTIME_SOURCES)[string],
): Promise<Stamp[string]> {
  const { code, files } = await bundleRuntime(root, runtime)
  const digest = createHash('sha256').update(code).digest('hex')
  const path = `/runtimes/${name}-${digest.slice(0, 16)}.js`
  await replaceFile(root, join(ASSETS_FOLDER, path), code)
  return { paths: [path], inputs: inputStates(root, files) }
}

function inputStates(root: string, files: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries([...files, ...RECIPE_FILES].map((file) => [file, fileState(join(root, file))]))
}

function isCurrent(root: string, { paths, inputs }: Stamp[string]): boolean {
  return (
    paths.every((path) => fileState(join(root, ASSETS_FOLDER, path)) !== 'gone') &&
    Object.entries(inputs).every(([file, oldState]) => fileState(join(root, file)) === oldState)
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

function linkCopiedFiles(root: string): void {
  for (const file of COPIED_FILES) linkFile(join(root, 'src/page', file), join(root, ASSETS_FOLDER, file))
}

/** Deletes the files of earlier versions of the page. */
function deleteOldPageFiles(root: string, keptFiles: ReadonlySet<string>): void {
  for (const file of readdirSync(join(root, ASSETS_FOLDER)))
    if (![...COPIED_FILES, ...NAMED_FILES, 'runtimes', PAGE_FOLDER].includes(file) && !keptFiles.has(file))
      rmSync(join(root, ASSETS_FOLDER, file), { force: true })
  for (const file of readdirSync(join(root, ASSETS_FOLDER, PAGE_FOLDER)))
    if (!keptFiles.has(`${PAGE_FOLDER}/${file}`))
      rmSync(join(root, ASSETS_FOLDER, PAGE_FOLDER, file), { force: true })
}

/**
 * Replaces a file atomically, because several builds may run concurrently and files may be in use. The temporary file
 * is not in the served folder.
 */
async function replaceFile(root: string, path: string, text: string | Uint8Array): Promise<void> {
  const temporary = join(root, 'dist', `${basename(path)}.${process.pid}`)
  await writeFile(temporary, text)
  await rename(temporary, join(root, path))
}
