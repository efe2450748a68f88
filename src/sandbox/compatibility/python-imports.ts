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

interface Block {
  readonly indent: number
  readonly kind: 'later' | 'try' | 'except' | 'never' | 'plain'
  readonly line: number
}

/** The lines of a script without comments and multi-line strings. */
export function codeLines(text: string): readonly string[] {
  return text
    .replace(/("""|''')[\s\S]*?\1/g, (all) => `''${'\n'.repeat(all.split('\n').length - 1)}`)
    .split('\n')
    .map((line) => line.replace(/(?:^|\s)#.*$/, ''))
}

export function findImports(lines: readonly string[]): readonly PythonImport[] {
  const found: PythonImport[] = []
  const blocks: Block[] = []
  let brackets = 0
  for (const [at, line] of lines.entries()) {
    if (found.length >= IMPORTS_MAX) break
    if (line.trim() === '') continue
    // The indentation of a continuation line has no meaning.
    const mayContinue = brackets > 0 && !/^(?:def|class|import|from|if|@)\b/.test(line)
    brackets = Math.max(0, (mayContinue ? brackets : 0) + openedBy(line))
    if (mayContinue) continue
    const indent = indentOf(line)
    while ((blocks.at(-1)?.indent ?? -1) >= indent) blocks.pop()
    for (const module of modulesOf(line.trim())) {
      if (found.some((one) => one.module === module && one.isAtStart)) continue
      if (found.length >= IMPORTS_MAX) break
      if (blocks.some(({ kind }) => kind === 'never' || kind === 'except')) continue
      const later = blocks.some(({ kind }) => kind === 'later')
      const tried = blocks.find(({ kind }) => kind === 'try')
      found.push({ module, isAtStart: !later, fallbacks: tried ? handlerOf(lines, tried) : null })
    }
    const kind = kindOf(line.trim())
    if (kind) blocks.push({ indent, kind, line: at })
  }
  return found
}

function modulesOf(line: string): readonly string[] {
  const from = /^from\s+(\.*[\w.]*)\s+import\b/.exec(line)?.[1]
  if (from !== undefined) return [from]
  const list = /^import\s+([\w., \t]+)/.exec(line)?.[1]
  return (
    list
      ?.split(',')
      .map((one) => one.trim().split(/\s/)[0] ?? '')
      .filter((one) => one !== '') ?? []
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
function handlerOf(lines: readonly string[], { indent, line }: Block): readonly string[] | null {
  for (let at = line + 1; at < lines.length; at++) {
    const text = lines[at] ?? ''
    if (text.trim() === '' || indentOf(text) > indent) continue
    const handler = /^except\b(.*)/.exec(text.trim())
    if (!handler) return null
    if (!/^\s*:|ImportError|ModuleNotFoundError|\bException\b|BaseException/.test(handler[1] ?? '')) continue
    const short = (handler[1] ?? '').replace(/^[^:]*:\s*/, '')
    const body: string[] = short === '' ? [] : [short]
    for (
      at += 1;
      at < lines.length && ((lines[at] ?? '').trim() === '' || indentOf(lines[at] ?? '') > indent);
      at++
    )
      body.push(lines[at] ?? '')
    // Only the handler's own statements are tested: a function that it defines may raise.
    const least = Math.min(...body.filter((text) => text.trim() !== '').map(indentOf))
    const ends = body.some((text) => indentOf(text) === least && /\b(?:exit|_exit|raise|quit)\b/.test(text))
    return ends ? null : body.flatMap((text) => modulesOf(text.trim()))
  }
  return null
}

function indentOf(line: string): number {
  return /^[ \t]*/.exec(line)?.[0].replaceAll('\t', '        ').length ?? 0
}

function openedBy(line: string): number {
  const plain = line.replace(/(["'])(?:\\.|(?!\1).)*\1/g, '')
  return plain.replace(/[^([{]/g, '').length - plain.replace(/[^)\]}]/g, '').length
}
