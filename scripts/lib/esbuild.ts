// wrangler's bundler: one process for all users in this program, ended with the last of them.

import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The parts of esbuild that are used here; it is wrangler's dependency, so its types cannot be imported. */
export interface Esbuild {
  build(options: object): Promise<{
    readonly outputFiles: readonly {
      readonly path: string
      readonly text: string
      readonly contents: Uint8Array
    }[]
    /** Only with the option of that name. */
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

/** What a plugin can do. */
export interface PluginBuild {
  onResolve(
    options: { readonly filter: RegExp },
    callback: (wanted: { readonly path: string }) => object | undefined,
  ): void
  onLoad(
    options: { readonly filter: RegExp; readonly namespace?: string },
    callback: (found: { readonly path: string }) => object | undefined | Promise<object>,
  ): void
}

let users = 0

/**
 * Calls `use` with the bundler. Rejects as it does; for a build with esbuild's own message, which names file and
 * line.
 */
export async function withEsbuild<T>(root: string, use: (esbuild: Esbuild) => Promise<T>): Promise<T> {
  const wrangler = createRequire(createRequire(join(root, 'package.json')).resolve('wrangler/package.json'))
  // The cast: a required module has no types.
  const esbuild = wrangler('esbuild') as Esbuild
  users += 1
  try {
    return await use(esbuild)
  } finally {
    users -= 1
    if (users === 0) await esbuild.stop()
  }
}
