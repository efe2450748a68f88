// Builds the shell's isolate: the shell and its commands with a step counter, and the code around them that is not
// counted, as one module; and the modules of commands. Equal inputs give equal bytes.

import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

import { JQ_FILE, jqModule } from './jq.ts'
import type { Recipe } from './recipe.ts'
import { guardSteps } from './step-guards.ts'
import { SQLITE_FILE, sqliteModule } from './sqlite.ts'
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
  external: ['cloudflare:*', 'node:*', './jq.wasm', './sqlite.wasm'],
  logLevel: 'silent',
} as const

/** Folders whose files go into the module; the stamp covers them and the versions of packages. */
const SOURCES = [
  'scripts/runtimes/bash.ts',
  'scripts/runtimes/step-guards.ts',
  'scripts/runtimes/jq.ts',
  'scripts/runtimes/wasm-fuel.ts',
  JQ_FILE,
  'scripts/runtimes/sqlite.ts',
  SQLITE_FILE,
]
const CHILD = 'src/sandbox/bash'
const COMMANDS = 'src/sandbox/commands'
const LANGUAGE = 'src/sandbox/shell'
const SQLITE = 'src/sandbox/sqlite'
const BESIDE = [
  'src/sandbox/file-modes.ts',
  'src/sandbox/limits.ts',
  'src/sandbox/read-only.ts',
  'src/sandbox/write-order.ts',
  'src/sandbox/wasm/errno.ts',
  'src/sandbox/wasm/integration.ts',
  'src/sandbox/wasm/memory.ts',
  'src/limits/sandbox.ts',
  'src/limits/files.ts',
  'src/files/limits.ts',
  'src/files/path.ts',
  'src/lib/bytes.ts',
  'src/lib/ids.ts',
  'src/lib/clock.ts',
  'src/lib/result.ts',
]
const PACKAGES = ['acorn', 'acorn-walk', 'magic-string', 'modern-tar', 're2js', 'wrangler']

export const bashRuntime: Recipe = {
  name: 'bash',
  main: 'bash.js',
  inputs: inputsOf,
  build: async (root) => ({
    'bash.js': { type: 'js', bytes: new TextEncoder().encode(await bundleBash(root)) },
    'jq.wasm': { type: 'wasm', bytes: jqModule(root) },
    'sqlite.wasm': { type: 'wasm', bytes: sqliteModule(root) },
  }),
}

const ENTRY = "export { OWN_COMMANDS } from './command-table.ts'\nexport { runScript } from './language.ts'"

/** The module's text. `child`: the file that uses the shell. */
export async function bundleBash(root: string, child = `${CHILD}/main.ts`): Promise<string> {
  const wrangler = createRequire(createRequire(join(root, 'package.json')).resolve('wrangler/package.json'))
  // The cast is safe: it describes the module's API, which has no types here.
  const esbuild = wrangler('esbuild') as Esbuild
  const build = async (options: object): Promise<string> => {
    const built = await esbuild.build({ ...OPTIONS, absWorkingDir: root, ...options })
    return built.outputFiles[0]?.text ?? ''
  }
  try {
    const entry = { contents: ENTRY, resolveDir: join(root, CHILD) }
    const shell = guardSteps(await build({ stdin: entry }))
    const plugins = [given('shell.js', shell)]
    return await build({ entryPoints: [join(root, child)], plugins, minify: true })
  } finally {
    await esbuild.stop()
  }
}

/** A plugin that resolves `./NAME` to `contents`. */
function given(name: string, contents: string): object {
  return {
    name,
    setup(hooks: PluginBuild) {
      hooks.onResolve({ filter: new RegExp(`^\\./${name.replaceAll('.', '\\.')}$`) }, () => ({
        path: name,
        namespace: name,
      }))
      hooks.onLoad({ filter: /.*/, namespace: name }, () => ({ contents, loader: 'js' }))
    },
  }
}

function inputsOf(root: string): string {
  const child = [CHILD, COMMANDS, LANGUAGE, SQLITE].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`),
  )
  const packages = PACKAGES.map((name) => `node_modules/${name}/package.json`)
  return digestOf(
    [...SOURCES, ...BESIDE, ...child.toSorted(), ...packages].map((file) => [
      file,
      readFileSync(join(root, file)),
    ]),
  )
}
