// Makes the shell's isolate: just-bash's bundle with its hooks and a step counter, and our child around it, as one module
// named by its digest. Equal inputs give equal bytes; what was made is not made again.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

import { editShell } from './bash-edits.ts'
import { guardSteps } from './step-guards.ts'

import type { Recipe } from './recipe.ts'

/** The little of esbuild that is used here; it is wrangler's dependency, so its types are not ours to import. */
interface Esbuild {
  build(options: object): Promise<{ readonly outputFiles: readonly { readonly text: string }[] }>
  stop(): Promise<void>
}
interface PluginBuild {
  onResolve(options: { readonly filter: RegExp }, callback: () => object): void
  onLoad(options: { readonly filter: RegExp; readonly namespace: string }, callback: () => object): void
}

export interface Runtime {
  /** The module's file name, `bash-<16 hex digits of its sha-256>.js`. */
  readonly name: string
  readonly path: string
  readonly sha256: string
  readonly bytes: number
}

const OPTIONS = {
  bundle: true,
  write: false,
  format: 'esm',
  target: 'es2024',
  keepNames: false,
  legalComments: 'none',
  conditions: ['workerd', 'worker', 'browser'],
  external: ['cloudflare:*', 'node:*'],
  logLevel: 'silent',
} as const

/** The folders whose files go into the module; the stamp is of all of them and of the packages' versions. */
const SOURCES = [
  'scripts/runtimes/bash.ts',
  'scripts/runtimes/bash-edits.ts',
  'scripts/runtimes/step-guards.ts',
]
const CHILD = 'src/sandbox/bash'
const BESIDE = [
  'src/limits.ts',
  'src/files/path.ts',
  'src/lib/bytes.ts',
  'src/lib/ids.ts',
  'src/lib/clock.ts',
  'src/lib/result.ts',
]
const PACKAGES = ['just-bash', 'acorn', 'acorn-walk', 'magic-string', 'modern-tar', 'wrangler']

/** Makes it in `folder`, unless it is there. Rejects with esbuild's message, or where just-bash's text is another one. */
export async function makeBash(root: string, folder: string): Promise<Runtime> {
  const stamp = join(folder, 'bash.stamp')
  const inputs = inputsOf(root)
  if (existsSync(stamp)) {
    const [made, name = ''] = readFileSync(stamp, 'utf8').split('\n')
    const path = join(folder, name)
    if (made === inputs && existsSync(path)) {
      const text = readFileSync(path)
      const runtime = runtimeOf(folder, text)
      if (runtime.name === name) return runtime
    }
  }
  const text = Buffer.from(await bundleBash(root))
  const runtime = runtimeOf(folder, text)
  mkdirSync(folder, { recursive: true })
  for (const old of readdirSync(folder))
    if (/^bash-[\da-f]{16}\.js$/.test(old) && old !== runtime.name) rmSync(join(folder, old))
  writeFileSync(runtime.path, text)
  writeFileSync(stamp, `${inputs}\n${runtime.name}\n`)
  return runtime
}

/** The module's text. */
export async function bundleBash(root: string): Promise<string> {
  const wrangler = createRequire(createRequire(join(root, 'package.json')).resolve('wrangler/package.json'))
  // The cast: what a required module exports is known to its documentation only.
  const esbuild = wrangler('esbuild') as Esbuild
  const build = async (options: object): Promise<string> => {
    const built = await esbuild.build({ ...OPTIONS, absWorkingDir: root, ...options })
    return built.outputFiles[0]?.text ?? ''
  }
  try {
    const stdin = {
      contents: "export { Bash, defineCommand } from 'just-bash/browser'",
      resolveDir: root,
    }
    const shell = guardSteps(editShell(await build({ stdin })))
    const guarded = {
      name: 'guarded-shell',
      setup(hooks: PluginBuild) {
        hooks.onResolve({ filter: /^\.\/shell\.js$/ }, () => ({ path: 'shell.js', namespace: 'guarded' }))
        hooks.onLoad({ filter: /.*/, namespace: 'guarded' }, () => ({ contents: shell, loader: 'js' }))
      },
    }
    return await build({ entryPoints: [join(root, CHILD, 'child.ts')], plugins: [guarded], minify: true })
  } finally {
    await esbuild.stop()
  }
}

/** The same for the build of all runtimes. */
export const bash: Recipe = {
  name: 'bash',
  main: 'bash.js',
  inputs: inputsOf,
  build: async (root) => ({ 'bash.js': { type: 'js', bytes: Buffer.from(await bundleBash(root)) } }),
}

function runtimeOf(folder: string, text: Buffer): Runtime {
  const sha256 = createHash('sha256').update(text).digest('hex')
  const name = `bash-${sha256.slice(0, 16)}.js`
  return { name, path: join(folder, name), sha256, bytes: text.length }
}

function inputsOf(root: string): string {
  const hash = createHash('sha256')
  const child = readdirSync(join(root, CHILD)).map((name) => `${CHILD}/${name}`)
  for (const file of [...SOURCES, ...BESIDE, ...child.toSorted()]) hash.update(readFileSync(join(root, file)))
  for (const name of PACKAGES) hash.update(readFileSync(join(root, 'node_modules', name, 'package.json')))
  return hash.digest('hex')
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '../..')
  const { name, bytes } = await makeBash(root, join(root, 'dist/runtimes'))
  console.log(`${name} ${bytes} bytes`)
}
