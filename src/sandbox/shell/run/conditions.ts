// Evaluates `[[ … ]]`.

import { Unsupported } from '../../commands/command.ts'
import { TooManySteps } from '../../commands/pattern/backtrack.ts'
import { UnsupportedPattern } from '../../commands/pattern/brackets.ts'
import { parsePattern } from '../../commands/pattern/parse.ts'
import { Pattern } from '../../commands/pattern/pattern.ts'
import { PatternError } from '../../commands/pattern/tree.ts'
import { compareNumbers } from '../builtins/test.ts'
import { expandExpression, expandPattern, expandText } from '../expand/words.ts'
import { compilePattern } from '../pattern/match.ts'
import { arithmetic } from '../state/assign.ts'
import { CommandError } from '../state/flow.ts'
import { compareFiles, testUnary } from '../state/file-tests.ts'
import { IndexedList } from '../state/indexed-list.ts'
import type { Shell } from '../state/shell.ts'
import { byCodePoints } from '../state/variables.ts'
import type { Condition, Word } from '../syntax/tree.ts'
import { trace } from './trace.ts'
import { quoteForTrace } from '../syntax/quoting.ts'

export async function runCondition(shell: Shell, condition: Condition): Promise<number> {
  return (await holds(shell, condition)) ? 0 : 1
}

async function holds(shell: Shell, condition: Condition): Promise<boolean> {
  switch (condition.kind) {
    case 'not':
      return !(await holds(shell, condition.test))
    case 'grouped':
      return holds(shell, condition.test)
    case 'and':
      return (await holds(shell, condition.left)) && (await holds(shell, condition.right))
    case 'or':
      return (await holds(shell, condition.left)) || (await holds(shell, condition.right))
    case 'unary': {
      const text = await expandText(shell, condition.word)
      await trace(shell, `[[ ${condition.operator} ${quoteForTrace(text)} ]]`)
      return testUnary(shell, condition.operator, text)
    }
    case 'binary':
      return compare(shell, condition.left, condition.operator, condition.right)
    default:
      return condition satisfies never
  }
}

async function compare(shell: Shell, left: Word, operator: string, right: Word): Promise<boolean> {
  const text = await expandText(shell, left)
  switch (operator) {
    case '=':
    case '==':
    case '!=': {
      const pattern = await expandPattern(shell, right)
      await trace(shell, `[[ ${quoteForTrace(text)} ${operator} ${pattern} ]]`)
      const rules = { extended: true, ignoreCase: shell.options.isOn('nocasematch') }
      return compilePattern(pattern, rules).test(text) === (operator !== '!=')
    }
    case '=~': {
      const expression = await expandExpression(shell, right)
      await trace(shell, `[[ ${quoteForTrace(text)} =~ ${expression} ]]`)
      return matches(shell, text, expression)
    }
    default: {
      const other = await expandText(shell, right)
      await trace(shell, `[[ ${quoteForTrace(text)} ${operator} ${quoteForTrace(other)} ]]`)
      if (operator === '<') return byCodePoints(text, other) < 0
      if (operator === '>') return byCodePoints(text, other) > 0
      if (/^-(?:nt|ot|ef)$/.test(operator)) return compareFiles(shell, text, operator, other)
      return compareNumbers(arithmetic(shell, text, '[[: '), operator, arithmetic(shell, other, '[[: '))
    }
  }
}

const CACHE_MAX = 100
const cache = new Map<string, Pattern>()

function compiled(expression: string, ignoreCase: boolean): Pattern {
  const key = `${ignoreCase ? 'i' : '-'}${expression}`
  const known = cache.get(key)
  if (known) return known
  try {
    const { tree, groups } = parsePattern(expression, { extended: true, ignoreCase })
    const pattern = new Pattern(tree, { groups, ignoreCase })
    if (cache.size >= CACHE_MAX) cache.clear()
    cache.set(key, pattern)
    return pattern
  } catch (error) {
    // As in bash, an invalid regular expression fails without a message.
    if (error instanceof PatternError) throw new CommandError('', 2)
    if (error instanceof UnsupportedPattern)
      throw new Unsupported(`[[ =~ with ${error.message}`, 'another expression')
    throw error
  }
}

function matches(shell: Shell, text: string, expression: string): boolean {
  const pattern = compiled(expression, shell.options.isOn('nocasematch'))
  try {
    const found = pattern.find(text)
    const groups = found
      ? [
          text.slice(found.start, found.end),
          ...Array.from({ length: pattern.groups }, (_, index) => found.group(index + 1)),
        ]
      : []
    shell.variables.obtain('BASH_REMATCH').value = new IndexedList(groups)
    return found !== null
  } catch (error) {
    if (error instanceof TooManySteps)
      throw new Unsupported('[[ =~ with this expression and text', 'a simpler expression, or python3')
    throw error
  }
}
