// Built-in functions with regular expressions: sub, gsub, gensub, match, split, patsplit.

import { charactersBefore, lengthOf } from './characters.ts'
import { all, constant, map1, map2, type Code } from './code.ts'
import { arrayArgument, regexSource, unwrapped, wrong, type Call, type Compiler } from './compiler.ts'
import { literal, type Machine } from './machine.ts'
import type { Found, Regex } from './regex.ts'
import { splitBlanksFully, splitByContent, splitByRegex, type Split } from './splitting.ts'
import type { Target, Tree } from './tree.ts'
import { type AwkArray, Input, numberOf, scalar, type Value } from './values.ts'

export function substituted(tree: Call, compiler: Compiler): Code<Value> {
  const { machine, scope, compile } = compiler
  const [pattern, replacement, third, fourth] = tree.args
  if (!pattern || !replacement) return wrong(tree)
  const both = map2(regexSource(pattern, compile, machine), compile(replacement), (source, text) => ({
    source,
    text: machine.text(text),
  }))
  if (tree.name === 'gensub') {
    if (!third || tree.args.length > 4) return wrong(tree)
    const target = fourth ? compile(fourth) : constant<Value>(undefined)
    return map2(both, all([compile(third), target]), ({ source, text }, [how, value]) =>
      generallyReplaced(
        machine.regex(source),
        text,
        machine.text(how),
        fourth ? machine.text(value) : machine.record.text,
      ),
    )
  }
  if (tree.args.length > 3) return wrong(tree)
  const once = tree.name === 'sub'
  const given: Tree = third ? unwrapped(third) : { kind: 'field', index: { kind: 'number', value: 0 } }
  if (given.kind !== 'name' && given.kind !== 'field' && given.kind !== 'element')
    // The target cannot be assigned to, so only the number of matches is used.
    return map2(
      both,
      compile(given),
      ({ source, text }, value) => replaced(machine.regex(source), text, machine.text(value), once).count,
    )
  const target: Target = given
  return map2(both, scope.location(target, compile), ({ source, text }, location) => {
    const before = machine.text(scalar(location.value, 'an array'))
    const { count, result } = replaced(machine.regex(source), text, before, once)
    if (count > 0) location.value = result
    return count
  })
}

/** Splits a replacement at the matched text (null): `&` is the match, `\&` an ampersand. */
function template(text: string): readonly (string | null)[] {
  const parts: (string | null)[] = []
  let plain = ''
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? ''
    if (char === '\\' && text[at + 1] === '&') {
      plain += '&'
      at++
    } else if (char === '\\' && text[at + 1] === '\\' && text[at + 2] === '&') {
      plain += '\\'
      at++
    } else if (char === '\\' && text.startsWith('\\\\\\&', at)) {
      plain += '\\&'
      at += 3
    } else if (char === '&') {
      parts.push(plain, null)
      plain = ''
    } else plain += char
  }
  return [...parts, plain]
}

function replaced(
  regex: Regex,
  replacement: string,
  text: string,
  once: boolean,
): { count: number; result: string } {
  const parts = /[\\&]/.test(replacement) ? template(replacement) : [replacement]
  let result = ''
  let count = 0
  let from = 0
  for (const { start, end } of regex.matches(text)) {
    count++
    result += text.slice(from, start)
    for (const part of parts) result += part ?? text.slice(start, end)
    from = end
    if (once) break
  }
  return { count, result: count === 0 ? text : result + text.slice(from) }
}

/** Implements `gensub`: `\1` to `\9` are groups; `how` is `g` or the number of the match. */
function generallyReplaced(regex: Regex, replacement: string, how: string, text: string): string {
  const every = /^[gG]/.test(how)
  const wanted = every ? 0 : Math.max(1, Math.trunc(numberOf(how)))
  let result = ''
  let count = 0
  let from = 0
  for (const groups of regex.allGroups(text)) {
    const [whole] = groups
    if (!whole) break
    count++
    if (!every && count !== wanted) continue
    result += text.slice(from, whole.start)
    result += replacement.replaceAll(
      /\\([0-9&\\])|\\(?=[^0-9&\\])|&/g,
      (part: string, special?: string): string => {
        if (special === '&') return '&'
        if (special === '\\') return '\\'
        if (special === undefined && part === '\\') return '\\'
        const group = groups[special === undefined ? 0 : Number(special)]
        return group ? text.slice(group.start, group.end) : ''
      },
    )
    from = whole.end
    if (!every) break
  }
  return result + text.slice(from)
}

export function matched(tree: Call, compiler: Compiler): Code<Value> {
  const { machine, scope, compile } = compiler
  const [text, pattern, into] = tree.args
  if (!text || !pattern || tree.args.length > 3) return wrong(tree)
  const both = map2(compile(text), regexSource(pattern, compile, machine), (value, source) => ({
    value: machine.text(value),
    regex: machine.regex(source),
  }))
  if (!into) return map1(both, ({ value, regex }) => placed(machine, value, regex.first(value)))
  return map2(both, scope.array(arrayArgument(into, tree), compile), ({ value, regex }, { map }) => {
    const groups = regex.groups(value)
    map.clear()
    groups?.forEach((group, index) => {
      if (!group) return
      const name = String(index)
      map.set(name, new Input(value.slice(group.start, group.end)))
      map.set(name + machine.subscriptSeparator + 'start', charactersBefore(value, group.start) + 1)
      map.set(name + machine.subscriptSeparator + 'length', lengthOf(value.slice(group.start, group.end)))
    })
    return placed(machine, value, groups?.[0] ?? null)
  })
}

function placed(machine: Machine, text: string, found: Found | null): Value {
  const start = found ? charactersBefore(text, found.start) + 1 : 0
  machine.cell('RSTART').value = start
  machine.cell('RLENGTH').value = found ? lengthOf(text.slice(found.start, found.end)) : -1
  return start
}

/** Implements `split(text, array [, separator [, between]])` and `patsplit`. */
export function separated(tree: Call, compiler: Compiler): Code<Value> {
  const { machine, scope, compile } = compiler
  const [text, into, pattern, between] = tree.args
  if (!text || !into || tree.args.length > 4) return wrong(tree)
  const patterned = tree.name === 'patsplit'
  const plain = pattern ? unwrapped(pattern) : null
  const constantRegex = plain?.kind === 'regex' || plain?.kind === 'typed-regex'
  const source = pattern
    ? regexSource(pattern, compile, machine)
    : { run: () => machine.text(scalar(machine.cell(patterned ? 'FPAT' : 'FS').value, 'FS')), waits: false }
  const arrays = all(
    [into, ...(between ? [between] : [])].map((arg) => scope.array(arrayArgument(arg, tree), compile)),
  )
  return map2(
    map2(compile(text), source, (value, separator) => {
      const whole = machine.text(value)
      return patterned
        ? splitByContent(whole, machine.regex(separator))
        : splitText(machine, whole, separator, constantRegex)
    }),
    arrays,
    (split, [array, seps]) => stored(split, array, seps, patterned),
  )
}

function splitText(machine: Machine, text: string, separator: string, regex: boolean): Split {
  if (text === '') return { parts: [], between: [], before: '', after: '' }
  if (separator === ' ' && !regex) return splitBlanksFully(text)
  if (separator === '') {
    const parts = Array.from(text)
    return { parts, between: parts.slice(1).map(() => ''), before: '', after: '' }
  }
  const single = separator.length === 1 && !regex
  return splitByRegex(text, machine.regex(single ? literal(separator) : separator))
}

function stored(
  split: Split,
  array: AwkArray | undefined,
  seps: AwkArray | undefined,
  patterned: boolean,
): Value {
  array?.map.clear()
  split.parts.forEach((part, index) => array?.map.set(String(index + 1), new Input(part)))
  if (seps) {
    seps.map.clear()
    if (split.before !== '' || patterned) seps.map.set('0', split.before)
    split.between.forEach((part, index) => seps.map.set(String(index + 1), part))
    if (split.after !== '' || patterned) seps.map.set(String(split.parts.length), split.after)
  }
  return split.parts.length
}
