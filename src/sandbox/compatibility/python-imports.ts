// Finds the imports of a Python script, and whether each is executed when the script starts. Uses lines and
// indentation instead of a parser.

import { IMPORTS_MAX } from './missing-dependencies.ts'

export interface PythonImport {
  /** The module as written; relative imports have leading dots. */
  readonly module: string
  /** Whether the import is executed at the start, outside of functions and conditions. */
  readonly isAtStart: boolean
  /** What the script imports instead if this module is missing; null if it ends in that case. */
  readonly fallbacks: readonly string[] | null
}

/** An indented block. Its code runs `later`, `never`, in a `try` or `except`, or at once like the code around it (`plain`). */
interface Block {
  readonly indent: number
  readonly kind: 'later' | 'try' | 'except' | 'never' | 'plain'
  readonly line: number
}

/** The lines of a script without comments and multi-line strings. */
export function codeLines(text: string): readonly string[] {
  return text
    .replace(/("""|''')[\s\S]*?\1/g, (string) => `''${'\n'.repeat(string.split('\n').length - 1)}`)
    .split('\n')
    .map((line) => line.replace(/(?:^|\s)#.*$/, ''))
}

export function findImports(lines: readonly string[]): readonly PythonImport[] {
  const imports: PythonImport[] = []
  const blocks: Block[] = []
  let brackets = 0
  for (const [index, line] of lines.entries()) {
    if (imports.length >= IMPORTS_MAX) break
    if (line.trim() === '') continue
    // The indentation of a continuation line has no meaning.
    const mayContinue = brackets > 0 && !/^(?:def|class|import|from|if|@)\b/.test(line)
    brackets = Math.max(0, (mayContinue ? brackets : 0) + unclosedBrackets(line))
    if (mayContinue) continue
    const indent = indentOf(line)
    while ((blocks.at(-1)?.indent ?? -1) >= indent) blocks.pop()
    for (const module of modulesOf(line.trim())) {
      if (imports.some((earlier) => earlier.module === module && earlier.isAtStart)) continue
      if (imports.length >= IMPORTS_MAX) break
      if (blocks.some(({ kind }) => kind === 'never' || kind === 'except')) continue
      const isAtStart = !blocks.some(({ kind }) => kind === 'later')
      const tryBlock = blocks.find(({ kind }) => kind === 'try')
      imports.push({ module, isAtStart, fallbacks: tryBlock ? fallbacksOf(lines, tryBlock) : null })
    }
    const kind = kindOf(line.trim())
    if (kind) blocks.push({ indent, kind, line: index })
  }
  return imports
}

function modulesOf(line: string): readonly string[] {
  const from = /^from\s+(\.*[\w.]*)\s+import\b/.exec(line)?.[1]
  if (from !== undefined) return [from]
  const list = /^import\s+([\w., \t]+)/.exec(line)?.[1]
  return (
    list
      ?.split(',')
      .map((module) => module.trim().split(/\s/)[0] ?? '')
      .filter((module) => module !== '') ?? []
  )
}

function kindOf(line: string): Block['kind'] | null {
  if (/^(?:async\s+)?def\b/.test(line)) return 'later'
  if (/^try\s*:/.test(line)) return 'try'
  if (/^except\b/.test(line)) return 'except'
  if (/^if\s+(?:typing\.)?TYPE_CHECKING\b/.test(line)) return 'never'
  if (/^if\s+__name__\b/.test(line) || /^(?:class|with|for|while|else|finally)\b.*:/.test(line))
    return 'plain'
  return /^(?:if|elif)\b.*:/.test(line) ? 'later' : null
}

/** What the script imports instead of a missing module; null if the script ends. */
function fallbacksOf(lines: readonly string[], { indent, line }: Block): readonly string[] | null {
  for (let index = line + 1; index < lines.length; index++) {
    const text = lines[index] ?? ''
    if (text.trim() === '' || indentOf(text) > indent) continue
    const handler = /^except\b(.*)/.exec(text.trim())
    if (!handler) return null
    if (!/^\s*:|ImportError|ModuleNotFoundError|\bException\b|BaseException/.test(handler[1] ?? '')) continue
    const inlineBody = (handler[1] ?? '').replace(/^[^:]*:\s*/, '')
    const body: string[] = inlineBody === '' ? [] : [inlineBody]
    for (
      index += 1;
      index < lines.length && ((lines[index] ?? '').trim() === '' || indentOf(lines[index] ?? '') > indent);
      index++
    )
      body.push(lines[index] ?? '')
    // Only the handler's own statements are tested: a function that it defines may raise.
    const handlerIndent = Math.min(...body.filter((text) => text.trim() !== '').map(indentOf))
    const ends = body.some(
      (text) => indentOf(text) === handlerIndent && /\b(?:exit|_exit|raise|quit)\b/.test(text),
    )
    return ends ? null : body.flatMap((text) => modulesOf(text.trim()))
  }
  return null
}

function indentOf(line: string): number {
  return /^[ \t]*/.exec(line)?.[0].replaceAll('\t', '        ').length ?? 0
}

/** The number of opening brackets minus the number of closing brackets, outside of strings. */
function unclosedBrackets(line: string): number {
  const code = line.replace(/(["'])(?:\\.|(?!\1).)*\1/g, '')
  return code.replace(/[^([{]/g, '').length - code.replace(/[^)\]}]/g, '').length
}
