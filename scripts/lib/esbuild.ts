// The bundler that comes with wrangler: one process for everybody here who bundles, ended with the last of them.

import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The little of esbuild that is used here; it is wrangler's dependency, so its types are not ours to import. */
export interface Esbuild {
  build(options: object): Promise<{
    readonly outputFiles: readonly {
      readonly path: string
      readonly text: string
      readonly contents: Uint8Array
    }[]
    /** With the option of that name. */
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

/** What a plugin may do. */
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

/** Lets `use` bundle with it. Rejects as that does: of a build with esbuild's own message, which names file and line. */
export async function withEsbuild<T>(root: string, use: (esbuild: Esbuild) => Promise<T>): Promise<T> {
  const wrangler = createRequire(createRequire(join(root, 'package.json')).resolve('wrangler/package.json'))
  // The cast: what a required module exports is known to its documentation only.
  const esbuild = wrangler('esbuild') as Esbuild
  users += 1
  try {
    return await use(esbuild)
  } finally {
    users -= 1
    if (users === 0) await esbuild.stop()
  }
}
