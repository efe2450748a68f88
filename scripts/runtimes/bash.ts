// Builds the shell's isolate: just-bash's bundle with its hooks and a step counter, and Satchel's child around it,
// as one module. Equal inputs give equal bytes.

import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

import { editShell } from './bash-edits.ts'
import type { Recipe } from './recipe.ts'
import { guardSteps } from './step-guards.ts'
import { digestOf } from './store.ts'

/** The parts of esbuild that are used here; it is wrangler's dependency, so its types cannot be imported. */
interface Esbuild {
  build(options: object): Promise<{ readonly outputFiles: readonly { readonly text: string }[] }>
  stop(): Promise<void>
}
interface PluginBuild {
  onResolve(options: { readonly filter: RegExp }, callback: () => object): void
  onLoad(options: { readonly filter: RegExp; readonly namespace: string }, callback: () => object): void
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

/** Folders whose files go into the module; the stamp covers them and the versions of packages. */
const SOURCES = [
  'scripts/runtimes/bash.ts',
  'scripts/runtimes/bash-edit.ts',
  'scripts/runtimes/bash-edits.ts',
  'scripts/runtimes/bash-edits-bytes.ts',
  'scripts/runtimes/bash-edits-limits.ts',
  'scripts/runtimes/bash-edits-assignments.ts',
  'scripts/runtimes/step-guards.ts',
]
const CHILD = 'src/sandbox/bash'
const BESIDE = [
  'src/sandbox/read-only.ts',
  'src/limits/sandbox.ts',
  'src/limits/files.ts',
  'src/files/limits.ts',
  'src/files/path.ts',
  'src/lib/bytes.ts',
  'src/lib/ids.ts',
  'src/lib/clock.ts',
  'src/lib/result.ts',
]
const PACKAGES = ['just-bash', 'acorn', 'acorn-walk', 'magic-string', 'modern-tar', 'diff', 'wrangler']

export const bashRuntime: Recipe = {
  name: 'bash',
  main: 'bash.js',
  inputs: inputsOf,
  build: async (root) => ({
    'bash.js': { type: 'js', bytes: new TextEncoder().encode(await bundleBash(root)) },
  }),
}

/** The module's text. */
export async function bundleBash(root: string): Promise<string> {
  const wrangler = createRequire(createRequire(join(root, 'package.json')).resolve('wrangler/package.json'))
  // The cast: a required module has no types.
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
    return await build({ entryPoints: [join(root, CHILD, 'main.ts')], plugins: [guarded], minify: true })
  } finally {
    await esbuild.stop()
  }
}

function inputsOf(root: string): string {
  const child = readdirSync(join(root, CHILD)).map((name) => `${CHILD}/${name}`)
  const packages = PACKAGES.map((name) => `node_modules/${name}/package.json`)
  return digestOf(
    [...SOURCES, ...BESIDE, ...child.toSorted(), ...packages].map((file) => [
      file,
      readFileSync(join(root, file)),
    ]),
  )
}
