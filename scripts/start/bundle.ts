// The Worker's modules, bundled in memory by the bundler that comes with wrangler, with wrangler's settings and
// module types: a second and a half faster than `wrangler deploy --dry-run`, which stays the one that deploys.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, extname, join, relative, resolve } from 'node:path'

export interface WorkerModule {
  readonly type: 'ESModule' | 'Text' | 'Data' | 'CompiledWasm'
  readonly path: string
  readonly contents: string | Uint8Array
}

/** wrangler's default rules: such a file is a module of its own and never bundled. */
const MODULE_TYPES: Readonly<Record<string, 'Text' | 'Data' | 'CompiledWasm'>> = {
  '.txt': 'Text',
  '.html': 'Text',
  '.sql': 'Text',
  '.bin': 'Data',
  '.wasm': 'CompiledWasm',
}

/** The little of esbuild that is used here; it is wrangler's dependency, so its types are not ours to import. */
interface Esbuild {
  build(options: object): Promise<{ readonly outputFiles: readonly { readonly text: string }[] }>
  stop(): Promise<void>
}
interface PluginBuild {
  onResolve(
    options: { readonly filter: RegExp },
    callback: (found: { readonly path: string; readonly resolveDir: string }) => object,
  ): void
  onLoad(
    options: { readonly filter: RegExp },
    callback: (found: { readonly path: string }) => object | undefined,
  ): void
}

/**
 * Bundles `entry`. `instead`: files (from the root) whose text is another one here, as the build digest's is while
 * skills are edited. Rejects with esbuild's own message, which names file and line.
 */
export async function bundleWorker(
  root: string,
  entry: string,
  instead: Readonly<Record<string, string>> = {},
): Promise<readonly WorkerModule[]> {
  const wrangler = createRequire(createRequire(join(root, 'package.json')).resolve('wrangler/package.json'))
  // The cast: what a required module exports is known to its documentation only.
  const esbuild = wrangler('esbuild') as Esbuild
  const apart: WorkerModule[] = []
  const collect = {
    name: 'module-types',
    setup(build: PluginBuild) {
      build.onResolve({ filter: /\.(txt|html|sql|bin|wasm)(\?module)?$/ }, (found) => {
        const file = resolve(found.resolveDir, found.path.replace(/\?module$/, ''))
        const bytes = readFileSync(file)
        const type = MODULE_TYPES[extname(file)] ?? 'Data'
        const path = `${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}-${basename(file)}`
        if (!apart.some((other) => other.path === path))
          apart.push({ type, path, contents: type === 'Text' ? bytes.toString('utf8') : bytes })
        return { path: `./${path}`, external: true }
      })
      build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const contents = instead[relative(root, path)]
        return contents === undefined ? undefined : { contents, loader: 'ts' }
      })
    },
  }
  try {
    const built = await esbuild.build({
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
      plugins: [collect],
      logLevel: 'silent',
    })
    return [{ type: 'ESModule', path: 'index.js', contents: built.outputFiles[0]?.text ?? '' }, ...apart]
  } finally {
    await esbuild.stop()
  }
}
