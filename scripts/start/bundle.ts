// The Worker as one module, bundled in memory by the bundler that comes with wrangler, with wrangler's settings: a second
// and a half faster than `wrangler deploy --dry-run`, which stays the one that deploys.

import { createRequire } from 'node:module'
import { join, relative, resolve } from 'node:path'

/** The little of esbuild that is used here; it is wrangler's dependency, so its types are not ours to import. */
interface Esbuild {
  build(options: object): Promise<{ readonly outputFiles: readonly { readonly text: string }[] }>
  stop(): Promise<void>
}
interface PluginBuild {
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
): Promise<string> {
  const wrangler = createRequire(createRequire(join(root, 'package.json')).resolve('wrangler/package.json'))
  // The cast: what a required module exports is known to its documentation only.
  const esbuild = wrangler('esbuild') as Esbuild
  const edited = {
    name: 'instead',
    setup(build: PluginBuild) {
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
      plugins: [edited],
      logLevel: 'silent',
    })
    return built.outputFiles[0]?.text ?? ''
  } finally {
    await esbuild.stop()
  }
}
