// Writes the changed forms of packages that the upload contains instead of the packages (wrangler.toml, `[alias]`).

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

import { replaceIfChanged } from '../lib/replace-if-changed.ts'
import { GRAMMARS, grammarSource, separateTables } from './grammars.ts'
import { withPlatformTables } from './smaller-re2js.ts'

/** The changed packages, and the paths of their changed forms relative to the root. */
export const CHANGED_PACKAGES: Readonly<Record<string, string>> = Object.fromEntries(
  ['re2js', ...GRAMMARS].map((name) => [
    name,
    `./dist/stand-ins/${name.replace('@', '').replace('/', '-')}.js`,
  ]),
)

/** Writes those files that are not up to date. */
export function writeStandIns(root: string): void {
  const re2js = join(dirname(createRequire(import.meta.url).resolve('re2js')), 'index.js')
  for (const [name, path] of Object.entries(CHANGED_PACKAGES))
    replaceIfChanged(
      root,
      path,
      name === 're2js'
        ? withPlatformTables(readFileSync(re2js, 'utf8'))
        : separateTables(name, grammarSource(name)).code,
    )
}
