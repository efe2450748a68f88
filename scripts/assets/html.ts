// Bundles the HTML libraries with a step counter, because they run synchronously and an HTML page determines how much
// work they do.

import { guardSteps } from '../runtimes/step-guards.ts'
import { withEsbuild } from '../lib/esbuild.ts'
import type { RuntimeSource } from './bundle.ts'

const LIBRARIES = /child\/html\/libraries\.ts$/

export const countedLibraries: RuntimeSource['plugins'][number] = (root) => ({
  name: 'counted libraries',
  setup(build) {
    build.onLoad({ filter: LIBRARIES }, async ({ path }) => {
      const result = await withEsbuild(root, (esbuild) =>
        esbuild.build({
          entryPoints: [path],
          absWorkingDir: root,
          bundle: true,
          write: false,
          format: 'esm',
          target: 'es2024',
          legalComments: 'inline',
          conditions: ['workerd', 'worker', 'browser'],
          mainFields: ['browser', 'module', 'main'],
          // linkedom would use this package for drawing if it were installed.
          external: ['canvas'],
          logLevel: 'silent',
        }),
      )
      return { contents: guardSteps(result.outputFiles[0]?.text ?? ''), loader: 'js' }
    })
  },
})
