// Detects call arguments that contain the whole environment.

import type { CodeFile } from './fetch-source.ts'
import type { SyntaxNode } from './syntax.ts'
import type { Arguments } from './values.ts'

/** The arguments except `env`, which passes the environment to a child process. */
export function argumentsExceptEnv({ positional, named }: Arguments): readonly SyntaxNode[] {
  const byName = Array.from(named, ([name, value]) => (name === 'env' ? -1 : value))
  return [...positional.slice(0, ARGUMENTS_MAX), ...byName.slice(0, ARGUMENTS_MAX)]
}

const SUBTREE_MAX = 64
const ARGUMENTS_MAX = 32
const NAME_KINDS = new Set(['VariableName', 'MemberExpression', 'CallExpression'])

/** Whether a value contains the whole environment, directly or (with `follow`) through one variable. */
export function carriesEnvironment(file: CodeFile, value: SyntaxNode, follow: boolean): boolean {
  const { syntax, language, names, resolve } = file
  for (let node = value; node < value + SUBTREE_MAX && syntax.isInside(node, value); node++) {
    if (!NAME_KINDS.has(syntax.name(node))) continue
    // Reading one environment variable, or checking for it, is harmless.
    if (/^(?:Member|Binary)Expression$/.test(syntax.name(syntax.parent(node)))) continue
    if (
      resolve(node).some((path) => language.effects.environment.test(path)) &&
      (follow || !isTransformed(file, node))
    )
      return true
    if (!follow || syntax.name(node) !== 'VariableName') continue
    const values = names.valuesOfName(language.normalizeName(syntax.textOf(node)), node) ?? []
    // A destructured property is a single environment variable.
    const wholeValues = values.flatMap(({ value: valueNode, member }) =>
      member === undefined && valueNode !== undefined ? [valueNode] : [],
    )
    if (wholeValues.some((valueNode) => carriesEnvironment(file, valueNode, false))) return true
  }
  return false
}

/**
 * True for an argument of a function that does not return its argument: the result no longer contains the
 * environment.
 */
function isTransformed({ syntax, language, resolve }: CodeFile, node: SyntaxNode): boolean {
  const list = syntax.parent(node)
  if (syntax.name(list) !== 'ArgList') return false
  const [callee = -1] = syntax.children(syntax.parent(list))
  return !resolve(callee).some((path) => language.effects.serializes.test(path) || COPY_CALLS.test(path))
}

const COPY_CALLS = /(?:^|\.)(?:dict|copy|deepcopy|assign|structuredClone)$/
