// Provides wrangler's bundler, esbuild. All callers in this process share one esbuild process, which ends when the last
// caller is done.

import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The parts of esbuild that are used. Its types cannot be imported, because it is a dependency of wrangler. */
export interface Esbuild {
  build(options: object): Promise<{
    readonly outputFiles: readonly {
      readonly path: string
      readonly text: string
      readonly contents: Uint8Array
    }[]
    /** Present only with the option `metafile`. */
    readonly metafile?: {
      readonly inputs: Readonly<
        Record<string, { readonly imports: readonly { readonly path: string; readonly kind: string }[] }>
      >
      readonly outputs: Readonly<
        Record<
          string,
          {
            readonly entryPoint?: string
            readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>
          }
        >
      >
    }
  }>
  stop(): Promise<void>
}

/** The methods of esbuild that plugins use. */
export interface PluginBuild {
  onResolve(
    options: { readonly filter: RegExp },
    callback: (args: { readonly path: string }) => object | undefined,
  ): void
  onLoad(
    options: { readonly filter: RegExp; readonly namespace?: string },
    callback: (args: { readonly path: string }) => object | undefined | Promise<object>,
  ): void
}

let users = 0

/**
 * Calls `use` with the bundler and returns its result. A failed build rejects with a message that names file and
 * line.
 */
export async function withEsbuild<T>(root: string, use: (esbuild: Esbuild) => Promise<T>): Promise<T> {
  const requireFromWrangler = createRequire(
    createRequire(join(root, 'package.json')).resolve('wrangler/package.json'),
  )
  // The cast is safe: it declares parts of esbuild's own types, which a required module lacks.
  const esbuild = requireFromWrangler('esbuild') as Esbuild
  users += 1
  try {
    return await use(esbuild)
  } finally {
    users -= 1
    if (users === 0) await esbuild.stop()
  }
}
