// The code of one child as one module, by the bundler that comes with wrangler.

import { join } from 'node:path'

import { withEsbuild } from '../lib/esbuild.ts'

export interface RuntimeBundle {
  readonly code: Uint8Array
  /** What went into it, from the root. */
  readonly inputs: readonly string[]
}

/**
 * The module at `entry` (from `root`) with all that it imports but `external`; with `name` a script that gives its exports
 * to a variable of that name. Rejects with the bundler's words.
 */
export async function bundleChild(
  root: string,
  entry: string,
  external: readonly string[],
  name?: string,
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
        : { format: 'iife', globalName: name, minifyWhitespace: true }),
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
