// Serves the Worker's sources as one module. Requesting, compiling and evaluating a thousand files one by one for each
// test file would take two seconds. A source that a test imports re-exports its part of that module, so that tests and
// the Worker share one instance of everything.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'

import { withEsbuild } from '../../scripts/lib/esbuild.ts'

const MAIN = 'src/index.ts'
const BUNDLE = 'dist/test-src.js'
const OPTIONS = {
  bundle: true,
  format: 'esm',
  target: 'es2024',
  // Packages hold no state, so their modules stay: see fresh.ts.
  packages: 'external',
  external: ['cloudflare:*', 'node:*'],
  logLevel: 'silent',
} as const

/** The part of a plugin of Vite that is used. */
interface Plugin {
  readonly name: string
  readonly enforce: 'pre'
  load(id: string): string | null
}

/** A plugin of Vite. Rejects with esbuild's message, which names file and line. */
export async function oneModule(root: string): Promise<Plugin> {
  const parts = new Map<string, string>()
  await withEsbuild(root, async (esbuild) => {
    const options = { ...OPTIONS, absWorkingDir: root }
    const { metafile } = await esbuild.build({
      ...options,
      write: false,
      entryPoints: [MAIN],
      metafile: true,
    })
    const lines = Object.keys(metafile?.inputs ?? {}).map((path, number) => {
      const names = exportsOf(join(root, path)).map((name) => [name, `_${number}_${name}`] as const)
      const published = names.map(([name, unique]) => `${unique} as ${name}`).join(', ')
      parts.set(join(root, path), `export { ${published} } from '/${BUNDLE}'`)
      return `export { ${names.map(([name, unique]) => `${name} as ${unique}`).join(', ')} } from './${path}'`
    })
    // The order of evaluation is that of the deployed Worker.
    const stdin = { contents: [`import './${MAIN}'`, ...lines].join('\n'), resolveDir: root }
    await esbuild.build({
      ...options,
      stdin,
      outfile: join(root, BUNDLE),
      sourcemap: true,
      sourcesContent: false,
    })
  })
  return { name: 'one-module', enforce: 'pre', load: (id) => parts.get(id) ?? null }
}

/** The names of the values that a source exports. */
function exportsOf(path: string): readonly string[] {
  return parseSync(path, readFileSync(path, 'utf8')).module.staticExports.flatMap(({ entries }) =>
    entries
      .filter(({ isType }) => !isType)
      .map(({ exportName }) => (exportName.kind === 'Default' ? 'default' : (exportName.name ?? ''))),
  )
}
