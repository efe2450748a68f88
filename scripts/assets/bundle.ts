// Bundles a runtime into a single module with wrangler's bundler. Does not write it to disk.

import { resolve } from 'node:path'

import { withEsbuild, type PluginBuild } from '../lib/esbuild.ts'

export interface RuntimeSource {
  /** The path of the main module, relative to the root. */
  readonly entry: string
  readonly plugins: readonly ((root: string) => {
    readonly name: string
    setup(build: PluginBuild): void
  })[]
}

/** The code of a runtime and the paths of its sources, relative to the root. Rejects with esbuild's message. */
export async function bundleRuntime(
  root: string,
  { entry, plugins }: RuntimeSource,
): Promise<{ readonly code: string; readonly files: readonly string[] }> {
  return withEsbuild(root, async (esbuild) => {
    const result = await esbuild.build({
      entryPoints: [resolve(root, entry)],
      absWorkingDir: resolve(root),
      bundle: true,
      write: false,
      metafile: true,
      minify: true,
      legalComments: 'inline',
      format: 'esm',
      target: 'es2024',
      conditions: ['workerd', 'worker', 'browser'],
      external: ['cloudflare:*'],
      // Libraries must not think that they run in Node.
      define: { process: 'undefined' },
      plugins: plugins.map((plugin) => plugin(root)),
      logLevel: 'silent',
    })
    const files = Object.keys(result.metafile?.inputs ?? {}).filter((file) => !file.includes(':'))
    return { code: result.outputFiles[0]?.text ?? '', files }
  })
}
