// Bundles the code of one child into one module, with wrangler's bundler.

import { join } from 'node:path'

import { withEsbuild } from '../lib/esbuild.ts'

export interface RuntimeBundle {
  readonly code: Uint8Array
  /** Its inputs, relative to the root. */
  readonly inputs: readonly string[]
}

/**
 * The module at `entry` (relative to `root`) with all its imports except `external`; with `name` a script that
 * assigns its exports to that variable. Rejects with the bundler's message.
 */
export async function bundleChild(
  root: string,
  entry: string,
  external: readonly string[],
  name?: string,
  alias: Readonly<Record<string, string>> = {},
): Promise<RuntimeBundle> {
  return withEsbuild(root, async (esbuild) => {
    const built = await esbuild.build({
      entryPoints: [join(root, entry)],
      absWorkingDir: root,
      bundle: true,
      write: false,
      metafile: true,
      ...(name === undefined
        ? { format: 'esm' }
        : { format: 'iife', globalName: name, minifyWhitespace: true, keepNames: true }),
      alias,
      target: 'es2024',
      conditions: ['workerd', 'worker', 'browser'],
      external: ['cloudflare:*', ...external],
      legalComments: 'inline',
      logLevel: 'silent',
    })
    const code = built.outputFiles[0]?.contents ?? new Uint8Array(0)
    return { code, inputs: Object.keys(built.metafile?.inputs ?? {}).toSorted() }
  })
}
