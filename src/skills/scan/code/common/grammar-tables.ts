// Loads the parse tables of the grammars, which the upload does not contain because they are 42 KB gzip and few isolates need them.
// scripts/workerd/grammars.ts separates them.

import { fail, ok, type Result } from '../../../../lib/result.ts'

/** The tables of one grammar, encoded as its package has them. */
export interface GrammarTables {
  readonly states: string
  readonly stateData: string
  readonly goto: string
  readonly tokenData: string
}

interface StaticFiles {
  fetch(address: string): Promise<Response>
}

const ADDRESS = 'https://assets.local/runtimes/grammars.json'

const NOT_BUILT = fail(
  'not_configured',
  'This server cannot check skills, because the static file runtimes/grammars.json is missing. Nothing was changed. The operator can build it with `node scripts/assets.ts` and start the server again, or deploy again.',
)
const NOT_READ = fail(
  'overloaded',
  'The static file runtimes/grammars.json, with which skills are checked, could not be read. Nothing was changed. Try again.',
  { retryAfterS: 2 },
)

/** The tables by the name and the digest of the grammar; null until they are loaded. */
let loadedTables: Readonly<Record<string, GrammarTables>> | null = null

/**
 * Loads the tables, once for each isolate. Call it before importing a module that parses code: without the tables that
 * import fails, so no skill is accepted unscanned. Failures: `not_configured`, `overloaded`.
 */
export async function loadGrammarTables(assets: StaticFiles | undefined): Promise<Result<null>> {
  if (loadedTables) return ok(null)
  if (!assets) return NOT_BUILT
  try {
    const response = await assets.fetch(ADDRESS)
    if (response.ok) {
      // The cast is safe: scripts/workerd/grammars.ts wrote the file.
      loadedTables = (await response.json()) as Readonly<Record<string, GrammarTables>>
      return ok(null)
    }
    await response.body?.cancel()
    return response.status === 404 ? NOT_BUILT : NOT_READ
  } catch {
    return NOT_READ
  }
}

/** The tables with this name, for the grammars in the upload. */
export function tablesOf(name: string): GrammarTables {
  const tables = loadedTables?.[name]
  if (!tables) throw new Error(`the tables of the grammar ${name} are not loaded`)
  return tables
}
