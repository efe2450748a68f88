// Performs assignments: `name=value`, `name[i]=value`, `name=(…)`.

import { arithmetic, assign, assignElement, assignTo, listOf, resolved } from '../state/assign.ts'
import { AssociativeArray } from '../state/associative-array.ts'
import { CommandError } from '../state/flow.ts'
import { IndexedList } from '../state/indexed-list.ts'
import type { Shell } from '../state/shell.ts'
import type { Variable } from '../state/variables.ts'
import type { ArrayItem, Assignment, Word } from '../syntax/tree.ts'
import { quoteForTrace } from '../syntax/quoting.ts'
import { expandFields, expandText } from './words.ts'

/** Performs an assignment. Resolves to its text for `set -x`. Throws a `CommandError`. */
export async function performAssignment(shell: Shell, assignment: Assignment): Promise<string> {
  const { name, subscript, appends, value } = assignment
  const operator = appends ? '+=' : '='
  if (isList(value)) {
    const variable = shell.variables.obtain(resolved(shell, name))
    await assignList(shell, name, variable, value, appends)
    return `${name}${operator}(${value.map((item) => item.value.source).join(' ')})`
  }
  const text = await expandText(shell, value, true)
  if (subscript === null) {
    assign(shell, name, text, { appends })
    return `${name}${operator}${text === '' ? '' : quoteForTrace(text)}`
  }
  const key = await expandText(shell, subscript)
  assignElement(shell, name, key, text, { appends })
  return `${name}[${subscript.source}]${operator}${text === '' ? '' : quoteForTrace(text)}`
}

/** Performs an assignment that is an argument of `declare`, to a variable that was just declared. */
export async function assignDeclared(
  shell: Shell,
  { name, subscript, appends, value }: Assignment,
  variable: Variable,
  reference: boolean,
): Promise<void> {
  if (isList(value)) return assignList(shell, name, variable, value, appends)
  const text = await expandText(shell, value, true)
  if (reference) variable.value = text
  else if (subscript !== null)
    assignElement(shell, name, await expandText(shell, subscript), text, { appends })
  else assignTo(shell, name, variable, text, { appends })
}

function isList(value: Assignment['value']): value is readonly ArrayItem[] {
  return Array.isArray(value)
}

async function assignList(
  shell: Shell,
  name: string,
  variable: Variable,
  items: readonly ArrayItem[],
  appends: boolean,
): Promise<void> {
  if (variable.readonly) throw new CommandError(`${name}: readonly variable`)
  if (variable.value instanceof AssociativeArray)
    return assignPairs(shell, variable.value, name, items, appends, variable)
  // Expand the values before the list is emptied, because they may refer to it.
  const values: { readonly index: string | null; readonly text: string; readonly appends: boolean }[] = []
  for (const item of items) {
    if (item.subscript)
      values.push({
        index: await expandText(shell, item.subscript),
        text: await expandText(shell, item.value, true),
        appends: item.appends,
      })
    else
      for (const text of await expandFields(shell, [item.value]))
        values.push({ index: null, text, appends: false })
  }
  const list = appends ? listOf(variable) : new IndexedList()
  list.isBare = false
  variable.value = list
  let next = list.end
  for (const { index, text, appends: joins } of values) {
    const rules = { appends: joins }
    if (index === null) assignElement(shell, name, String(next++), text, rules)
    else {
      assignElement(shell, name, index, text, rules)
      next = indexAfter(shell, index, list)
    }
  }
}

function indexAfter(shell: Shell, index: string, list: IndexedList): number {
  const number = Number(arithmetic(shell, index))
  return (number < 0 ? list.end + number : number) + 1
}

async function assignPairs(
  shell: Shell,
  array: AssociativeArray,
  name: string,
  items: readonly ArrayItem[],
  appends: boolean,
  variable: Variable,
): Promise<void> {
  const pairs: { readonly key: string; readonly text: string; readonly appends: boolean }[] = []
  const loose: Word[] = []
  for (const item of items) {
    if (item.subscript)
      pairs.push({
        key: await expandText(shell, item.subscript),
        text: await expandText(shell, item.value, true),
        appends: item.appends,
      })
    else loose.push(item.value)
  }
  // A list of alternating keys and values: `(key value key value)`.
  if (loose.length > 0 && pairs.length > 0)
    throw new CommandError(
      `${name}: ${loose[0]?.source ?? ''}: must use subscript when assigning associative array`,
    )
  const texts: string[] = []
  for (const word of loose) texts.push(await expandText(shell, word))
  for (let index = 0; index < texts.length; index += 2)
    pairs.push({ key: texts[index] ?? '', text: texts[index + 1] ?? '', appends: false })
  if (!appends) variable.value = array.emptied()
  else array.isBare = false
  for (const { key, text, appends: joins } of pairs) assignElement(shell, name, key, text, { appends: joins })
  if (variable.value !== array && appends) variable.value = array
}
