// Selects operations of an OpenAPI document, and chooses names for their tools.

import { err, ok, type Result } from '../../../lib/result.ts'
import { compilePattern } from '../../files/pattern.ts'
import { isObject } from '../../../lib/json-object.ts'
import type { Schema } from '../input-schema.ts'
import { listAt, objectAt, textAt, Unusable } from './document.ts'

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace'] as const

export interface SelectedOperation {
  readonly method: string
  readonly path: string
  /** The path item object, which has parameters and servers for all operations of the path. */
  readonly pathItem: Schema
  readonly operation: Schema
  /** The operationId, or null if it is missing. */
  readonly id: string | null
}

/** Selects operations that match any of the lists, or every operation if there are no lists. */
export interface Selection {
  readonly operations?: readonly string[]
  readonly tags?: readonly string[]
  /** Patterns such as `GET /repos/*` or `/users/**`; `*` matches within a path segment, `**` across segments. */
  readonly paths?: readonly string[]
}

/** The selected operations in the order of the document, and the selectors that match no operation. */
export function selectOperations(
  document: Schema,
  selection: Selection,
): Result<
  { readonly operations: readonly SelectedOperation[]; readonly unmatchedSelectors: readonly string[] },
  string
> {
  const globs: (readonly [string, (text: string) => boolean])[] = []
  for (const glob of selection.paths ?? []) {
    const matcher = createMatcher(glob)
    if (!matcher.ok) return matcher
    globs.push([glob, matcher.value])
  }
  const all = operationsOf(document)
  const selectsAll = !selection.operations && !selection.tags && !selection.paths
  const matchedSelectors = new Set<string>()
  const operations = all.filter(({ id, operation, method, path }) => {
    const tags = listAt(operation, 'tags')
    const selectors = [
      ...(selection.operations ?? []).filter((selectedId) => selectedId === id),
      ...(selection.tags ?? []).filter((tag) => tags.includes(tag)),
      ...globs.filter(([, matches]) => matches(`${method.toUpperCase()} ${path}`)).map(([glob]) => glob),
    ]
    for (const selector of selectors) matchedSelectors.add(selector)
    return selectsAll || selectors.length > 0
  })
  const allSelectors = [
    ...(selection.operations ?? []),
    ...(selection.tags ?? []),
    ...(selection.paths ?? []),
  ]
  const unmatchedSelectors = allSelectors.filter((selector) => !matchedSelectors.has(selector))
  return ok({ operations, unmatchedSelectors })
}

function operationsOf(document: Schema): readonly SelectedOperation[] {
  const paths = isObject(document['paths']) ? document['paths'] : {}
  return Object.entries(paths).flatMap(([path, value]) => {
    const pathItem = pathItemOf(document, value)
    return METHODS.flatMap((method): readonly SelectedOperation[] => {
      const operation = pathItem[method]
      return isObject(operation)
        ? [{ method, path, pathItem, operation, id: textAt(operation, 'operationId') }]
        : []
    })
  })
}

function pathItemOf(document: Schema, value: unknown): Schema {
  try {
    return objectAt(document, value) ?? {}
  } catch (error) {
    if (error instanceof Unusable) return {}
    throw error
  }
}

function createMatcher(glob: string): Result<(text: string) => boolean, string> {
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

const NAME_MAX_CHARS = 64

/** Chooses a unique name that the Messages API accepts, and adds it to `taken`. */
export function toolNameOf(
  { id, method, path }: SelectedOperation,
  prefix: string,
  taken: Set<string>,
): string {
  const fullName = prefix + (id ?? `${method}${path}`)
  const validName = fullName.replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^[^A-Za-z]+|_+$/g, '')
  const base = (validName === '' ? `${method}_operation` : validName).slice(0, NAME_MAX_CHARS)
  let name = base
  for (let suffix = 2; taken.has(name); suffix++)
    name = `${base.slice(0, NAME_MAX_CHARS - 1 - String(suffix).length)}_${suffix}`
  taken.add(name)
  return name
}
