// The order in which a loop sees an array: GNU awk's own, or the one of PROCINFO["sorted_in"]; `asort` and `asorti`.

import { Failed, Unsupported } from '../command.ts'
import { constant, then1, type Code } from './code.ts'
import { arrayArgument, wrong, type Compiler } from './compiler.ts'
import { hashOrder } from './hash-order.ts'
import type { Tree } from './tree.ts'
import {
  AwkArray,
  compareNumbers,
  compareTexts,
  type Comparing,
  compareValues,
  Input,
  numberOf,
  numberOfText,
  textOf,
  type Value,
} from './values.ts'

type Entry = readonly [string, Value | AwkArray]
type Order = (one: Entry, other: Entry) => number | Promise<number>

/** The subscripts of an array in iteration order. */
export async function orderedKeys(array: AwkArray, compiler: Compiler): Promise<readonly string[]> {
  const { machine } = compiler
  const info = machine.cells.get('PROCINFO')?.value
  const wanted = info instanceof AwkArray ? info.map.get('sorted_in') : undefined
  const name = wanted === undefined || wanted instanceof AwkArray ? '' : machine.text(wanted)
  if (name === '' || name === '@unsorted') return hashOrder(array.map)
  return (await sortedEntries([...array.map], orderOf(name, compiler))).map(([key]) => key)
}

/** Implements `asort(source [, target [, order]])` and `asorti`. Returns the number of elements. */
export function sorted(tree: Tree & { kind: 'builtin' }, compiler: Compiler): Code<Value> {
  const { scope, compile } = compiler
  const [from, to, how] = tree.args
  if (!from || tree.args.length > 3) return wrong(tree)
  const source = scope.array(arrayArgument(from, tree), compile)
  const target = to ? scope.array(arrayArgument(to, tree), compile) : source
  const indexes = tree.name === 'asorti'
  const fallback = indexes ? '@ind_str_asc' : '@val_type_asc'
  const order = how ? compile(how) : constant<Value>(fallback)
  return then1(order, async (name) => {
    const array = await source.run()
    const entries = await sortedEntries([...array.map], orderOf(compiler.machine.text(name), compiler))
    const { map } = await target.run()
    map.clear()
    entries.forEach(([key, value], index) => map.set(String(index + 1), indexes ? key : value))
    return entries.length
  })
}

async function sortedEntries(entries: readonly Entry[], order: Order): Promise<readonly Entry[]> {
  if (entries.length < 2) return entries
  const middle = entries.length >> 1
  const [left, right] = [
    await sortedEntries(entries.slice(0, middle), order),
    await sortedEntries(entries.slice(middle), order),
  ]
  const merged: Entry[] = []
  let [one, other] = [0, 0]
  while (one < left.length && other < right.length) {
    const [first, second] = [left[one], right[other]]
    if (!first || !second) break
    const compared = order(first, second)
    const result = typeof compared === 'number' ? compared : await compared
    merged.push(result <= 0 ? first : second)
    if (result <= 0) one++
    else other++
  }
  return [...merged, ...left.slice(one), ...right.slice(other)]
}

function orderOf(name: string, compiler: Compiler): Order {
  const match = /^@(ind_str|ind_num|val_str|val_num|val_type)_(asc|desc)$/.exec(name)
  if (match) {
    const order = compare(match[1] ?? '', compiler.machine)
    return match[2] === 'desc' ? (one, other) => order(other, one) : order
  }
  if (name.startsWith('@'))
    throw new Unsupported(`awk with the order ${name}`, '@ind_str_asc, @ind_num_asc, @val_num_asc and others')
  const made = compiler.functions.get(name)
  if (!made) throw new Failed(`fatal: sort comparison function \`${name}' is not defined`, 2)
  return async (one, other) => {
    const args = [...one, ...other].map((value) => ({ value, from: null }))
    return numberOf(await compiler.invoke(made, args))
  }
}

/** Ties are broken by text, and equal values by their subscripts. */
function compare(kind: string, how: Comparing): (one: Entry, other: Entry) => number {
  const byIndex = (one: Entry, other: Entry): number => compareTexts(one[0], other[0], how)
  const text = (value: Value | AwkArray): string =>
    value instanceof AwkArray ? '' : textOf(value, how.convert)
  if (kind === 'ind_str') return byIndex
  if (kind === 'ind_num')
    return (one, other) => compareNumbers(numberOfText(one[0]), numberOfText(other[0])) || byIndex(one, other)
  return (one, other) => {
    const arrays = Number(one[1] instanceof AwkArray) - Number(other[1] instanceof AwkArray)
    if (one[1] instanceof AwkArray || other[1] instanceof AwkArray) return arrays || byIndex(one, other)
    const [left, right] = [one[1], other[1]]
    if (kind === 'val_str') return compareTexts(text(left), text(right), how) || byIndex(one, other)
    if (kind === 'val_num')
      return (
        compareNumbers(numberOf(left), numberOf(right)) ||
        compareTexts(text(left), text(right), how) ||
        byIndex(one, other)
      )
    return rank(left) - rank(right) || compareValues(left, right, how) || byIndex(one, other)
  }
}

/** Numbers come before texts. */
function rank(value: Value): number {
  if (typeof value === 'number' || value === undefined) return 0
  return value instanceof Input && value.number !== null ? 0 : 1
}
