// Bundles the Worker into one module in memory, with wrangler's bundler and settings. This is a second and a half faster
// than `wrangler deploy --dry-run`, which only deployments use.

import { relative, resolve } from 'node:path'

import { withEsbuild, type PluginBuild } from '../lib/esbuild.ts'
import { cachedText, type CachedText } from '../lib/file-cache.ts'
import { CHANGED_PACKAGES, writeStandIns } from './stand-ins.ts'

/** Modules and their replacements, as in wrangler.toml, relative to the root. */
export const REPLACEMENTS: Readonly<Record<string, string>> = {
  'fast-sha256': './src/stand-ins/sha256.ts',
  '@opentelemetry/api': './src/stand-ins/opentelemetry.ts',
  '@lezer/highlight': './src/stand-ins/highlight.ts',
  ...CHANGED_PACKAGES,
}

/** The bundler's options, as wrangler sets them for a Worker. */
function esbuildOptions(root: string, entry: string): object {
  return {
    entryPoints: [resolve(root, entry)],
    absWorkingDir: resolve(root),
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    supported: { 'import-source': true, using: true },
    keepNames: false,
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    define: { 'process.env.NODE_ENV': '"development"', 'navigator.userAgent': '"Cloudflare-Workers"' },
    alias: REPLACEMENTS,
    logLevel: 'silent',
  }
}

/** Files other than sources that determine the bundle, including the one that sets `replacements`. */
const RECIPE_FILES = [
  'scripts/workerd/bundle.ts',
  'scripts/workerd/grammars.ts',
  'scripts/workerd/smaller-re2js.ts',
  'scripts/workerd/stand-ins.ts',
  'scripts/start/server.ts',
  'package-lock.json',
]

/**
 * Bundles `entry`. `replacements` maps paths of files, relative to the root, to texts that replace their contents, such
 * as the module with the build digest. Rejects with esbuild's message, which names file and line.
 */
export async function bundleWorker(
  root: string,
  entry: string,
  replacements: Readonly<Record<string, string>> = {},
): Promise<string> {
  return (await bundleOf(root, entry, replacements)).value
}

/** Like bundleWorker, but cached until an input changes, because bundling takes half of the time of a start. */
export async function cachedWorkerBundle(
  root: string,
  entry: string,
  replacements: Readonly<Record<string, string>>,
): Promise<string> {
  return cachedText(root, `worker-${entry.replaceAll('/', '-')}`, () => bundleOf(root, entry, replacements))
}

async function bundleOf(
  root: string,
  entry: string,
  replacements: Readonly<Record<string, string>>,
): Promise<CachedText> {
  const replacePlugin = {
    name: 'instead',
    setup(build: PluginBuild) {
      build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const contents = replacements[relative(root, path)]
        return contents === undefined ? undefined : { contents, loader: 'ts' }
      })
    },
  }
  writeStandIns(root)
  return withEsbuild(root, async (esbuild) => {
    const result = await esbuild.build({
      ...esbuildOptions(root, entry),
      metafile: true,
      plugins: [replacePlugin],
    })
    const inputs = [...Object.keys(result.metafile?.inputs ?? {}), ...RECIPE_FILES]
    return { value: result.outputFiles[0]?.text ?? '', inputs }
  })
}

export interface StartCode {
  /** Minified bytes of all code that is evaluated before the first request. */
  readonly bytes: number
  readonly modules: number
  /** Their paths, relative to the root. */
  readonly files: readonly string[]
  /** Minified bytes of all code, including dynamic imports. */
  readonly allBytes: number
}

/** Measures the code that the Worker evaluates when it starts: `entry` and all its static imports. */
export async function measureStartCode(root: string, entry: string): Promise<StartCode> {
  writeStandIns(root)
  return withEsbuild(root, async (esbuild) => {
    const result = await esbuild.build({ ...esbuildOptions(root, entry), minify: true, metafile: true })
    const { inputs = {}, outputs = {} } = result.metafile ?? {}
    const reached = new Set([entry])
    for (const file of reached)
      for (const { path, kind } of inputs[file]?.imports ?? [])
        if (kind !== 'dynamic-import' && path in inputs) reached.add(path)
    const sizes = Object.entries(Object.values(outputs)[0]?.inputs ?? {})
    const sumBytes = (sizeList: typeof sizes): number =>
      sizeList.reduce((total, [, { bytesInOutput }]) => total + bytesInOutput, 0)
    const evaluatedSizes = sizes.filter(([file, { bytesInOutput }]) => reached.has(file) && bytesInOutput > 0)
    const files = evaluatedSizes.map(([file]) => file)
    return {
      bytes: sumBytes(evaluatedSizes),
      modules: evaluatedSizes.length,
      files,
      allBytes: sumBytes(sizes),
    }
  })
}
