// Built-in functions: how their arguments are compiled.

import { Unsupported } from '../command.ts'
import { all, constant, direct, map1, map2, then1, waiting, type Code } from './code.ts'
import { lengthOf } from './characters.ts'
import { formatted } from './printf.ts'
import { PLAIN } from './builtins-plain.ts'
import { matched, separated, substituted } from './builtins-regex.ts'
import { sorted } from './order.ts'
import { wrong, type Call, type Compiler } from './compiler.ts'
import { AwkArray, Input, numberOf, TypedRegex, type Value } from './values.ts'

export function builtin(tree: Call, compiler: Compiler): Code<Value> {
  const { machine, compile } = compiler
  const { name, args } = tree
  const plain = PLAIN[name]
  if (plain) {
    if (args.length < plain.least || args.length > plain.most) wrong(tree)
    return map1(all(args.map(compile)), (values) => plain.run(values, machine))
  }
  const [first] = args
  switch (name) {
    case 'length':
      return lengthOfArgument(tree, compiler)
    case 'sprintf':
      if (!first) return wrong(tree)
      return map1(all(args.map(compile)), ([format, ...values]) =>
        formatted(machine.text(format), values, machine.convert),
      )
    case 'sub':
    case 'gsub':
    case 'gensub':
      return substituted(tree, compiler)
    case 'match':
      return matched(tree, compiler)
    case 'split':
    case 'patsplit':
      return separated(tree, compiler)
    case 'asort':
    case 'asorti':
      return sorted(tree, compiler)
    case 'typeof':
    case 'isarray':
      return typeOfArgument(tree, compiler)
    case 'system':
      if (!first || args.length > 1) return wrong(tree)
      return then1(compile(first), async (command) => machine.streams.system(machine.text(command)))
    case 'close':
      if (!first || args.length > 1) return wrong(tree)
      return then1(compile(first), async (target) => machine.streams.close(machine.text(target)))
    case 'fflush':
      if (!first)
        return waiting<Value>(async () => {
          await machine.streams.flushAll()
          return 0
        })
      return then1(compile(first), async (target): Promise<Value> => {
        await machine.streams.flushAll()
        const text = machine.text(target)
        return text === '' || text.startsWith('/dev/std') || machine.streams.isOpen(text) ? 0 : -1
      })
    default:
      throw new Unsupported(`awk ${name}()`, 'python3')
  }
}

function lengthOfArgument(tree: Call, { machine, scope, compile }: Compiler): Code<Value> {
  const [first] = tree.args
  if (!first) return direct<Value>(() => lengthOf(machine.record.text))
  if (tree.args.length > 1) return wrong(tree)
  return map1(scope.argument(first, compile), ({ value }) =>
    value instanceof AwkArray ? value.map.size : lengthOf(machine.text(value)),
  )
}

function typeOfArgument(tree: Call, { machine, scope, compile }: Compiler): Code<Value> {
  const [first] = tree.args
  if (!first || tree.args.length > 1) return wrong(tree)
  if (first.kind === 'element')
    return map2(scope.array(first.array, compile), scope.key(first.subscripts, compile), (array, key) => {
      const value = array.map.get(key)
      if (tree.name === 'isarray') return value instanceof AwkArray ? 1 : 0
      return value === undefined && !array.map.has(key) ? 'untyped' : typeName(value, 'unassigned')
    })
  if (first.kind === 'field' && tree.name === 'typeof')
    return map1(compile(first.index), (index) => {
      const at = Math.trunc(numberOf(index))
      return at > machine.record.count ? 'unassigned' : typeName(machine.record.get(at), 'unassigned')
    })
  if (first.kind === 'regex') return constant<Value>(tree.name === 'isarray' ? 0 : 'number')
  return map1(scope.argument(first, compile), ({ value }) =>
    tree.name === 'isarray' ? (value instanceof AwkArray ? 1 : 0) : typeName(value, 'untyped'),
  )
}

function typeName(value: Value | AwkArray, none: string): string {
  if (value instanceof AwkArray) return 'array'
  if (value === undefined) return none
  if (value instanceof Input) return value.number === null ? 'string' : 'strnum'
  if (value instanceof TypedRegex) return 'regexp'
  return typeof value
}
