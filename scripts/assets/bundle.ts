// Bundles one runtime into one module, with wrangler's bundler. Does not write it.

import { resolve } from 'node:path'

import { withEsbuild, type PluginBuild } from '../lib/esbuild.ts'

export interface RuntimeSource {
  /** Relative to the root. */
  readonly entry: string
  readonly plugins: readonly ((root: string) => {
    readonly name: string
    setup(build: PluginBuild): void
  })[]
}

/** Its code, and the files (relative to the root) that went into it. Rejects with esbuild's message. */
export async function bundleRuntime(
  root: string,
  { entry, plugins }: RuntimeSource,
): Promise<{ readonly code: string; readonly files: readonly string[] }> {
  return withEsbuild(root, async (esbuild) => {
    const built = await esbuild.build({
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
      // Isolates are not Node, and libraries must not detect it.
      define: { process: 'undefined' },
      plugins: plugins.map((plugin) => plugin(root)),
      logLevel: 'silent',
    })
    const files = Object.keys(built.metafile?.inputs ?? {}).filter((file) => !file.includes(':'))
    return { code: built.outputFiles[0]?.text ?? '', files }
  })
}
