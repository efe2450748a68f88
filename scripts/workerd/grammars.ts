// Separates the grammars of the scan from their parse tables, which are 42 KB gzip and would not fit into the upload. The tables are
// a static file that the Worker reads before it scans (src/skills/scan/code/common/grammar-tables.ts).

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

import type { GrammarTables } from '../../src/skills/scan/code/common/grammar-tables.ts'
import { replaceIfChanged } from '../lib/replace-if-changed.ts'

/** The packages whose tables are separated. */
export const GRAMMARS = ['@lezer/javascript', '@lezer/python']

/** The name of the static file. */
export const GRAMMARS_FILE = 'grammars.json'

/** From a stand-in in dist/stand-ins/. */
const TABLES_MODULE = '../../src/skills/scan/code/common/grammar-tables.ts'
const TABLE = /^ {2}(states|stateData|goto|tokenData): ("(?:[^"\\]|\\.)*")/gm
const TABLES_PER_GRAMMAR = 4

interface Grammar {
  /** Names the tables by their digest, so that code never gets those of another version. */
  readonly name: string
  /** The module without its tables. */
  readonly code: string
  readonly tables: GrammarTables
}

/** Throws if the package is built otherwise than expected. */
export function separateTables(packageName: string, code: string): Grammar {
  const found = [...code.matchAll(TABLE)].map(([, name, text = '']) => [name, JSON.parse(text)] as const)
  if (found.length !== TABLES_PER_GRAMMAR)
    throw new Error(
      `scripts/workerd/grammars.ts does not fit the installed version of ${packageName}. Adapt it, or remove the alias of ${packageName} in wrangler.toml and scripts/workerd/bundle.ts.`,
    )
  // The cast is safe: these are the names that TABLE matches, each once.
  const tables = Object.fromEntries(found) as unknown as GrammarTables
  const digest = createHash('sha256').update(JSON.stringify(tables)).digest('hex')
  const name = `${packageName} ${digest.slice(0, 16)}`
  const withoutTables = code.replaceAll(TABLE, '  $1: tables.$1')
  return {
    name,
    tables,
    code: `import { tablesOf } from ${JSON.stringify(TABLES_MODULE)};\nconst tables = tablesOf(${JSON.stringify(name)});\n${withoutTables}`,
  }
}

/** The source of an installed grammar. */
export function grammarSource(packageName: string): string {
  const main = createRequire(import.meta.url).resolve(packageName)
  return readFileSync(join(dirname(main), 'index.js'), 'utf8')
}

/** Writes the tables of all grammars into `folder` of `root`, whose files are served, unless they are up to date. */
export function writeGrammarTables(root: string, folder: string): void {
  const grammars = GRAMMARS.map((packageName) => separateTables(packageName, grammarSource(packageName)))
  const tables = Object.fromEntries(grammars.map((grammar) => [grammar.name, grammar.tables]))
  replaceIfChanged(root, join(folder, GRAMMARS_FILE), JSON.stringify(tables))
}
