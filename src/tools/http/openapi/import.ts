// Converts OpenAPI 3.0 or 3.1 to definitions of HTTP tools: each selected operation is converted or refused by itself.
// Stores nothing.

import { fail, ok, type Result } from '../../../lib/result.ts'
import { OPENAPI_OPERATIONS_MAX } from '../../../limits/tools.ts'
import { parseDefinition, type DefinitionTerms } from '../definition.ts'
import type { HttpToolDefinition } from '../shape.ts'
import { chosen, toolNameOf, type Choice, type ChosenOperation } from './choose.ts'
import { parseOpenApi, Unusable } from './document.ts'
import { definitionOf, type Making } from './operation.ts'

export interface ImportOptions extends Choice {
  /** Added before each name, such as `github_`. */
  readonly prefix?: string
  /** Replaces the document's server: https, a host, and the common part of the path. */
  readonly server?: string
  /** Added to every request, such as `{"Authorization": "Bearer {{secrets.GITHUB}}"}`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly group?: string
}

export interface Imported {
  readonly tools: readonly {
    readonly definition: HttpToolDefinition
    /** `GET /users/{id}` */
    readonly operation: string
    /** What was left out, and what remains to be done. */
    readonly notes: readonly string[]
  }[]
  readonly refused: readonly { readonly operation: string; readonly reason: string }[]
  /** Parts of the choice that matched no operation. */
  readonly unknown: readonly string[]
}

/**
 * `taken`: names that no tool may have. Failure `invalid_request` or `too_large` if the document or the choice cannot
 * be used at all.
 */
export function importOpenApi(
  text: string,
  options: ImportOptions,
  taken: ReadonlySet<string>,
  terms: DefinitionTerms = {},
): Result<Imported> {
  const document = parseOpenApi(text)
  if (!document.ok) return document
  const found = chosen(document.value, options)
  if (!found.ok) return fail('invalid_request', `${found.error}.`)
  const { operations, unknown } = found.value
  if (operations.length > OPENAPI_OPERATIONS_MAX)
    return fail(
      'too_large',
      `The choice matches ${operations.length} operations; the limit of an import is ${OPENAPI_OPERATIONS_MAX}. Choose by operations, tags or paths.`,
    )
  const making: Making = {
    document: document.value,
    server: options.server ?? null,
    headers: options.headers ?? {},
    group: options.group ?? null,
  }
  const names = new Set(taken)
  const tools: Imported['tools'][number][] = []
  const refused: Imported['refused'][number][] = []
  for (const one of operations) {
    const operation = `${one.method.toUpperCase()} ${one.path}`
    const made = tool(making, one, options.prefix ?? '', names, terms)
    if (made.ok) tools.push({ ...made.value, operation })
    else refused.push({ operation, reason: made.error.detail })
  }
  return ok({ tools, refused, unknown })
}

function tool(
  making: Making,
  one: ChosenOperation,
  prefix: string,
  names: Set<string>,
  terms: DefinitionTerms,
): Result<{ readonly definition: HttpToolDefinition; readonly notes: readonly string[] }> {
  const notes = new Set<string>()
  const name = toolNameOf(one, prefix, names)
  try {
    const parsed = parseDefinition(definitionOf(making, one, name, notes), terms)
    if (parsed.ok) return ok({ definition: parsed.value, notes: [...notes] })
    names.delete(name)
    return parsed
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    names.delete(name)
    return fail('invalid_tool', `It ${error.message}.`)
  }
}
