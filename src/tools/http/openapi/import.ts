// Converts an OpenAPI 3.0 or 3.1 document to definitions of HTTP tools. Each selected operation is converted or refused
// separately. Stores nothing.

import { fail, ok, type Result } from '../../../lib/result.ts'
import { OPENAPI_OPERATIONS_MAX } from '../../../limits/tools.ts'
import { parseDefinition, type DefinitionRules } from '../definition.ts'
import type { HttpToolDefinition } from '../shape.ts'
import { selectOperations, toolNameOf, type Selection, type SelectedOperation } from './select-operations.ts'
import { parseOpenApi, Unusable } from './document.ts'
import { definitionOf, type ImportContext } from './operation.ts'

export interface ImportOptions extends Selection {
  /** A prefix for each name, such as `github_`. */
  readonly prefix?: string
  /** Replaces the server of the document, for example `https://api.example.com/v1`. */
  readonly server?: string
  /** Headers for every request, such as `{"Authorization": "Bearer {{secrets.GITHUB}}"}`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly group?: string
}

export interface Imported {
  readonly tools: readonly {
    readonly definition: HttpToolDefinition
    /** `GET /users/{id}` */
    readonly operation: string
    /** Notes about what was omitted and what the user still has to do. */
    readonly notes: readonly string[]
  }[]
  readonly refused: readonly { readonly operation: string; readonly reason: string }[]
  /** Selected ids, tags and paths that matched no operation. */
  readonly unmatchedSelectors: readonly string[]
}

/**
 * `taken` contains the names that no new tool may have. The error is `invalid_request` or `too_large` if the document or
 * the selection is unusable.
 */
export function importOpenApi(
  text: string,
  options: ImportOptions,
  taken: ReadonlySet<string>,
  terms: DefinitionRules = {},
): Result<Imported> {
  const document = parseOpenApi(text)
  if (!document.ok) return document
  const selected = selectOperations(document.value, options)
  if (!selected.ok) return fail('invalid_request', `${selected.error}.`)
  const { operations, unmatchedSelectors } = selected.value
  if (operations.length > OPENAPI_OPERATIONS_MAX)
    return fail(
      'too_large',
      `The selection matches ${operations.length} operations; an import is limited to ${OPENAPI_OPERATIONS_MAX}. Narrow it by operation, tag or path.`,
    )
  const context: ImportContext = {
    document: document.value,
    server: options.server ?? null,
    headers: options.headers ?? {},
    group: options.group ?? null,
  }
  const names = new Set(taken)
  const tools: Imported['tools'][number][] = []
  const refused: Imported['refused'][number][] = []
  for (const selectedOperation of operations) {
    const operation = `${selectedOperation.method.toUpperCase()} ${selectedOperation.path}`
    const tool = convertOperation(context, selectedOperation, options.prefix ?? '', names, terms)
    if (tool.ok) tools.push({ ...tool.value, operation })
    else refused.push({ operation, reason: tool.error.detail })
  }
  return ok({ tools, refused, unmatchedSelectors })
}

function convertOperation(
  context: ImportContext,
  operation: SelectedOperation,
  prefix: string,
  names: Set<string>,
  terms: DefinitionRules,
): Result<{ readonly definition: HttpToolDefinition; readonly notes: readonly string[] }> {
  const notes = new Set<string>()
  const name = toolNameOf(operation, prefix, names)
  try {
    const parsed = parseDefinition(definitionOf(context, operation, name, notes), terms)
    if (parsed.ok) return ok({ definition: parsed.value, notes: [...notes] })
    names.delete(name)
    return parsed
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    names.delete(name)
    return fail('invalid_tool', `The operation ${error.message}.`)
  }
}
