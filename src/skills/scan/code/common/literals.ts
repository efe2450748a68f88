// Recognizes arguments that are literals, or that are always false.

import type { CodeFile } from './fetch-source.ts'
import type { SyntaxNode } from './syntax.ts'
import { stringOf } from './values.ts'

/** True for a string, a list of strings, or an object of options. */
export function isLiteral({ syntax }: CodeFile, node: SyntaxNode): boolean {
  const name = syntax.name(node)
  if (name === 'ObjectExpression' || stringOf(syntax, node) !== null) return true
  const isString = (child: SyntaxNode): boolean =>
    /^[[\],]$/.test(syntax.name(child)) || stringOf(syntax, child) !== null
  return name === 'ArrayExpression' && syntax.children(node).every(isString)
}

/** True for the literal false, and for a variable or parameter whose every known value is false. */
export function isAlwaysFalse({ syntax, names, language }: CodeFile, value: SyntaxNode): boolean {
  const isFalse = (node: SyntaxNode | undefined): boolean => /^false$/i.test(syntax.textOf(node ?? -1))
  if (isFalse(value) || syntax.name(value) !== 'VariableName') return isFalse(value)
  const nameValues = names.valuesOfName(language.normalizeName(syntax.textOf(value)), value) ?? []
  return nameValues.length > 0 && nameValues.every((nameValue) => isFalse(nameValue.value))
}
