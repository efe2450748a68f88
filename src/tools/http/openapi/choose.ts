// Selects operations of an OpenAPI document, and chooses names for their tools.

import { err, ok, type Result } from '../../../lib/result.ts'
import { compilePattern } from '../../files/pattern.ts'
import { isObject, type Schema } from '../input-schema.ts'
import { listAt, objectAt, textAt, Unusable } from './document.ts'

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace'] as const

export interface ChosenOperation {
  readonly method: string
  readonly path: string
  /** The object of the path, with parameters and servers for all its operations. */
  readonly item: Schema
  readonly operation: Schema
  /** The operationId, or null if it is missing. */
  readonly id: string | null
}

/** Selects operations that match any of the lists; without lists, every operation. */
export interface Choice {
  readonly operations?: readonly string[]
  readonly tags?: readonly string[]
  /** Patterns such as `GET /repos/*` or `/users/**`; `*` matches within a path segment, `**` across segments. */
  readonly paths?: readonly string[]
}

/** The selected operations in the order of the document, and the parts of the choice that match none. */
export function selectOperations(
  document: Schema,
  choice: Choice,
): Result<
  { readonly operations: readonly ChosenOperation[]; readonly unmatchedSelectors: readonly string[] },
  string
> {
  const globs: (readonly [string, (text: string) => boolean])[] = []
  for (const glob of choice.paths ?? []) {
    const made = matcher(glob)
    if (!made.ok) return made
    globs.push([glob, made.value])
  }
  const all = operationsOf(document)
  const everything = !choice.operations && !choice.tags && !choice.paths
  const named = new Set<string>()
  const operations = all.filter(({ id, operation, method, path }) => {
    const tags = listAt(operation, 'tags')
    const hits = [
      ...(choice.operations ?? []).filter((one) => one === id),
      ...(choice.tags ?? []).filter((one) => tags.includes(one)),
      ...globs.filter(([, fits]) => fits(`${method.toUpperCase()} ${path}`)).map(([glob]) => glob),
    ]
    for (const hit of hits) named.add(hit)
    return everything || hits.length > 0
  })
  const wanted = [...(choice.operations ?? []), ...(choice.tags ?? []), ...(choice.paths ?? [])]
  return ok({ operations, unmatchedSelectors: wanted.filter((one) => !named.has(one)) })
}

function operationsOf(document: Schema): readonly ChosenOperation[] {
  const paths = isObject(document['paths']) ? document['paths'] : {}
  return Object.entries(paths).flatMap(([path, given]) => {
    const item = itemAt(document, given)
    return METHODS.flatMap((method): readonly ChosenOperation[] => {
      const operation = item[method]
      return isObject(operation)
        ? [{ method, path, item, operation, id: textAt(operation, 'operationId') }]
        : []
    })
  })
}

function itemAt(document: Schema, given: unknown): Schema {
  try {
    return objectAt(document, given) ?? {}
  } catch (error) {
    if (error instanceof Unusable) return {}
    throw error
  }
}

function matcher(glob: string): Result<(text: string) => boolean, string> {
  const match = /^(?:([A-Za-z*]+) +)?(\/.*)$/.exec(glob)
  if (!match)
    return err(`paths: ${glob.slice(0, 100)} must have a form such as "GET /users/*" or "/users/**"`)
  const method = match[1] === undefined || match[1] === '*' ? '[A-Z]+' : match[1].toUpperCase()
  const path = (match[2] ?? '')
    .split(/(\*\*?)/)
    .map((part) =>
      part === '**' ? '.*' : part === '*' ? '[^/]*' : part.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&'),
    )
    .join('')
  const pattern = compilePattern(`^${method} ${path}$`, { wholeText: true })
  return pattern.ok ? ok((text) => pattern.value.test(text)) : err(`paths: ${pattern.error}`)
}

const NAME_MAX = 64

/** Chooses a unique name that the Messages API accepts, and adds it to `taken`. */
export function toolNameOf(
  { id, method, path }: ChosenOperation,
  prefix: string,
  taken: Set<string>,
): string {
  const fullName = prefix + (id ?? `${method}${path}`)
  const plain = fullName.replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^[^A-Za-z]+|_+$/g, '')
  const base = (plain === '' ? `${method}_operation` : plain).slice(0, NAME_MAX)
  let name = base
  for (let more = 2; taken.has(name); more++)
    name = `${base.slice(0, NAME_MAX - 1 - String(more).length)}_${more}`
  taken.add(name)
  return name
}
