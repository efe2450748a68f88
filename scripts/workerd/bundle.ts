// The Worker as one module, bundled in memory by the bundler that comes with wrangler, with wrangler's settings: a second
// and a half faster than `wrangler deploy --dry-run`, which stays the one that deploys.

import { relative, resolve } from 'node:path'

import { withEsbuild, type PluginBuild } from '../lib/esbuild.ts'

/** As wrangler.toml has it; from the root. */
export const STAND_INS: Readonly<Record<string, string>> = {
  '@opentelemetry/api': './src/stand-ins/telemetry.ts',
  '@lezer/highlight': './src/stand-ins/highlight.ts',
  'fast-sha256': './src/stand-ins/sha256.ts',
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
  const edited = {
    name: 'instead',
    setup(build: PluginBuild) {
      build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const contents = instead[relative(root, path)]
        return contents === undefined ? undefined : { contents, loader: 'ts' }
      })
    },
  }
  return withEsbuild(root, async (esbuild) => {
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
      alias: STAND_INS,
      plugins: [edited],
      logLevel: 'silent',
    })
    return built.outputFiles[0]?.text ?? ''
  })
}
