// The code of one child as one module, by the bundler that comes with wrangler.

import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The little of esbuild that is used here; it is wrangler's dependency, so its types are not ours to import. */
interface Esbuild {
  build(options: object): Promise<{
    readonly outputFiles: readonly { readonly contents: Uint8Array }[]
    readonly metafile: { readonly inputs: Readonly<Record<string, unknown>> }
  }>
}

export interface Bundle {
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
): Promise<Bundle> {
  const wrangler = createRequire(createRequire(join(root, 'package.json')).resolve('wrangler/package.json'))
  // The cast: what a required module exports is known to its documentation only.
  const esbuild = wrangler('esbuild') as Esbuild
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
  return { code, inputs: Object.keys(built.metafile.inputs).toSorted() }
}
