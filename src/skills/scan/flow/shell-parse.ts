// Parses shell code into pipelines, groups, functions, redirections and here-documents. Never fails: text
// that is not shell code becomes meaningless commands. Runs nothing.

import { readWord, readHereDocument } from './shell-words.ts'
import type { Word } from './shell-words.ts'

interface Redirect {
  /** `<`, `>`, `>>`, `<<<`, `<<`, `<&`, `>&` or `<>`. `handle` is the number in front of it. */
  readonly operator: string
  readonly handle: string
  readonly word: Word
}

export interface ParsedCommand {
  readonly offset: number
  readonly words: readonly Word[]
  readonly assignments: readonly { readonly name: string; readonly word: Word }[]
  readonly redirects: readonly Redirect[]
  /** The commands of a group, a loop or a function; null for a simple command. */
  readonly body: readonly Pipeline[] | null
  /** The name of the function that is defined; null for other commands. */
  readonly functionName: string | null
}

export interface Pipeline {
  readonly commands: readonly ParsedCommand[]
  /** True if it runs in the background (`&`). */
  readonly isBackground: boolean
}

const COMMANDS_MAX = 4_096
const WORDS_MAX = 256
const HERE_DOCUMENTS_MAX = 32
const DEPTH_MAX = 6
const REDIRECT = /(\d{0,2})(<<<|<<-?|<>|[<>]&|&>>?|>>|>\||<(?!\()|>(?!\())[ \t]{0,8}/y
const ASSIGNMENT = /([A-Za-z_]\w{0,60})(?:\[[^\]\n]{0,40}\])?\+?=/y
const FUNCTION =
  /(?:function[ \t]+([\w.:-]{1,60})[ \t]*(?:\([ \t]*\))?|([\w.:-]{1,60})[ \t]*\([ \t]*\))\s*(?=[{(])/y
const OPENS_BODY = /(?:for|select|while|until|if|case)(?=[\s(;])/y
const JOINS_BODY = /(?:do|then|else|elif|in)(?=[\s;(]|$)/y
const CLOSES_BODY = /(?:done|fi|esac)(?=[\s;&|)<>]|$)/y
const BLANKS = /(?:[ \t\r]|\\\r?\n)+/y

export function parseShell(text: string): readonly Pipeline[] {
  let offset = 0
  let commandCount = 0
  const hereDocuments: {
    readonly delimiter: string
    readonly isLiteral: boolean
    resolve: (body: string) => void
  }[] = []

  const matchHere = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = offset
    const match = pattern.exec(text)
    if (match) offset = pattern.lastIndex
    return match
  }

  function skipNewline(): void {
    offset++
    for (const { delimiter, isLiteral, resolve } of hereDocuments.splice(0)) {
      const from = offset
      let bodyEnd = text.length
      let nextOffset = text.length
      for (let line = offset; line < text.length;) {
        const to = text.indexOf('\n', line) < 0 ? text.length : text.indexOf('\n', line)
        if (text.slice(line, to).trim() === delimiter) {
          bodyEnd = line
          nextOffset = Math.min(text.length, to + 1)
          break
        }
        line = to + 1
      }
      // A here-document without an end is ignored.
      if (
        nextOffset === text.length &&
        bodyEnd === text.length &&
        text.slice(from).trim().split('\n').at(-1) !== delimiter
      )
        bodyEnd = from
      else offset = nextOffset
      resolve(isLiteral ? `\0${text.slice(from, bodyEnd)}` : text.slice(from, bodyEnd))
    }
  }

  /** Parses commands up to `until`, or to the end of the text if it is null. */
  function parseUntil(until: ')' | '}' | 'done' | null, depth: number): readonly Pipeline[] {
    const pipelines: Pipeline[] = []
    let commands: ParsedCommand[] = []
    const closePipeline = (isBackground: boolean): void => {
      if (commands.length > 0) pipelines.push({ commands, isBackground })
      commands = []
    }
    while (offset < text.length && commandCount < COMMANDS_MAX) {
      matchHere(BLANKS)
      const char = text[offset]
      if (char === undefined) break
      if (char === '\n' || char === ';') {
        closePipeline(false)
        if (char === '\n') skipNewline()
        else offset++
      } else if (char === '#') {
        const end = text.indexOf('\n', offset)
        offset = end < 0 ? text.length : end
      } else if (char === '&') {
        const isBackground = text[offset + 1] !== '&'
        closePipeline(isBackground)
        offset += isBackground ? 1 : 2
      } else if (char === '|') {
        if (text[offset + 1] === '|') {
          closePipeline(false)
          offset += 2
        } else offset += text[offset + 1] === '&' ? 2 : 1
      } else if (
        char === ')' ||
        (char === '}' && /^\}(?:[\s;&|)<>]|$)/.test(text.slice(offset, offset + 2)))
      ) {
        closePipeline(false)
        if (until === char) break
        offset++
      } else if (until === 'done' && CLOSES_BODY.test(peek())) break
      else if (!matchHere(JOINS_BODY) && !matchHere(CLOSES_BODY)) commands.push(parseCommand(depth))
    }
    closePipeline(false)
    return pipelines
  }

  function peek(): string {
    CLOSES_BODY.lastIndex = 0
    return text.slice(offset, offset + 5)
  }

  function parseCommand(depth: number): ParsedCommand {
    const from = offset
    commandCount++
    const words: Word[] = []
    const assignments: { name: string; word: Word }[] = []
    const redirects: Redirect[] = []
    let body: readonly Pipeline[] | null = null
    let functionName: string | null = null
    const functionHead = depth < DEPTH_MAX ? matchHere(FUNCTION) : null
    if (functionHead) functionName = functionHead[1] ?? functionHead[2] ?? ''
    const char = text[offset]
    if (
      depth < DEPTH_MAX &&
      ((char === '(' && text[offset + 1] !== '(') || (char === '{' && /\s/.test(text[offset + 1] ?? '')))
    ) {
      offset++
      body = parseUntil(char === '(' ? ')' : '}', depth + 1)
      offset++
    } else if (matchHere(/\[\[[^\n]{0,600}?\]\](?=[\s;&|)]|$)|\(\([^\n]{0,300}?\)\)/y)) {
      // A test (`[[ … ]]`, `(( … ))`) runs nothing.
    } else if (depth < DEPTH_MAX && matchHere(OPENS_BODY)) {
      const isLoop = /^(?:for|select)/.test(text.slice(from, from + 6))
      if (text.startsWith('case', from)) matchHere(/\s{1,4}[^\n]{0,200}?\sin(?=\s)/y)
      const name = isLoop ? matchHere(/\s{1,4}([A-Za-z_]\w{0,60})\s{1,4}in(?=\s)/y)?.[1] : undefined
      if (name !== undefined) for (const word of restOfLine()) assignments.push({ name, word })
      body = parseUntil('done', depth + 1)
      offset += /^(?:done|esac|fi)/.exec(text.slice(offset, offset + 4))?.[0].length ?? 0
    }
    for (let previousOffset = -1; previousOffset !== offset && offset < text.length;) {
      previousOffset = offset
      matchHere(BLANKS)
      const redirect = matchHere(REDIRECT)
      if (redirect) {
        const [, handle = '', operator = ''] = redirect
        const [word, end] = readWord(text, offset)
        offset = end
        if (!operator.startsWith('<<') || operator === '<<<') redirects.push({ operator, handle, word })
        else if (hereDocuments.length < HERE_DOCUMENTS_MAX)
          hereDocuments.push({
            delimiter: word.unquoted,
            isLiteral: /["'\\]/.test(text[redirect.index + redirect[0].length] ?? ''),
            resolve: (body) =>
              redirects.push({
                operator: '<<',
                handle,
                word: body.startsWith('\0')
                  ? { unquoted: body.slice(1), parts: [], isFile: false }
                  : readHereDocument(body),
              }),
          })
        continue
      }
      if (text[offset] === '#' && words.length + assignments.length > 0) break
      if (text.startsWith('&>', offset)) continue
      if (/[\s;&|()]/.test(text[offset] ?? '\n') && !/^[<>]\(/.test(text.slice(offset, offset + 2))) break
      ASSIGNMENT.lastIndex = offset
      const assignment = words.length === 0 ? ASSIGNMENT.exec(text) : null
      if (assignment) {
        offset = ASSIGNMENT.lastIndex
        if (text[offset] === '(') {
          offset++
          for (const word of restOfLine()) assignments.push({ name: assignment[1] ?? '', word })
          continue
        }
        const isEmpty = /[\s;&|)]/.test(text[offset] ?? '\n')
        const [word, end] = isEmpty ? [EMPTY_WORD, offset] : readWord(text, offset)
        offset = end
        assignments.push({ name: assignment[1] ?? '', word })
        continue
      }
      const [word, end] = readWord(text, offset)
      offset = end
      // Words beyond the maximum are read but not kept.
      if (words.length < WORDS_MAX) words.push(word)
    }
    if (offset === from) offset++
    return { offset: from, words, assignments, redirects, body, functionName }
  }

  function restOfLine(): readonly Word[] {
    const words: Word[] = []
    for (;;) {
      matchHere(BLANKS)
      if (/[\n;)]/.test(text[offset] ?? '\n')) break
      const [word, end] = readWord(text, offset)
      offset = end
      words.push(word)
    }
    if (text[offset] === ')') offset++
    return words
  }

  return parseUntil(null, 0)
}

const EMPTY_WORD: Word = { unquoted: '', parts: [], isFile: false }
