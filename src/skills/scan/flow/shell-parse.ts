// Parses shell code into pipelines, groups, functions, redirections and here-documents. It never fails: text
// that is not shell code becomes commands without meaning. Runs nothing.

import { readWord, wordOf } from './shell-words.ts'
import type { Word } from './shell-words.ts'

interface Redirect {
  /** The operator: `<`, `>`, `>>`, `<<<`, `<<`, `<&`, `>&` or `<>`. `handle` is the number in front of it. */
  readonly sign: string
  readonly handle: string
  readonly word: Word
}

export interface ParsedCommand {
  readonly at: number
  readonly words: readonly Word[]
  readonly gives: readonly { readonly name: string; readonly word: Word }[]
  readonly redirects: readonly Redirect[]
  /** The commands of a group, a loop or a function; null for a simple command. */
  readonly body: readonly Pipeline[] | null
  /** The name of the function that is defined; null for other commands. */
  readonly defines: string | null
}

export interface Pipeline {
  readonly commands: readonly ParsedCommand[]
  /** True if it runs in the background (`&`). */
  readonly isBehind: boolean
}

const COMMANDS_MAX = 4_096
const WORDS_MAX = 256
const HERE_MAX = 32
const DEPTH_MAX = 6
const REDIRECT = /(\d{0,2})(<<<|<<-?|<>|[<>]&|&>>?|>>|>\||<(?!\()|>(?!\())[ \t]{0,8}/y
const GIVES = /([A-Za-z_]\w{0,60})(?:\[[^\]\n]{0,40}\])?\+?=/y
const FUNCTION =
  /(?:function[ \t]+([\w.:-]{1,60})[ \t]*(?:\([ \t]*\))?|([\w.:-]{1,60})[ \t]*\([ \t]*\))\s*(?=[{(])/y
const OPENS_BODY = /(?:for|select|while|until|if|case)(?=[\s(;])/y
const JOINS_BODY = /(?:do|then|else|elif|in)(?=[\s;(]|$)/y
const CLOSES_BODY = /(?:done|fi|esac)(?=[\s;&|)<>]|$)/y
const BLANKS = /(?:[ \t\r]|\\\r?\n)+/y

export function parseShell(text: string): readonly Pipeline[] {
  let at = 0
  let count = 0
  const hereDocuments: { readonly end: string; readonly isPlain: boolean; give: (body: string) => void }[] =
    []

  const matches = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at = pattern.lastIndex
    return found
  }

  function newline(): void {
    at++
    for (const { end, isPlain, give } of hereDocuments.splice(0)) {
      const from = at
      let stop = text.length
      let next = text.length
      for (let line = at; line < text.length;) {
        const to = text.indexOf('\n', line) < 0 ? text.length : text.indexOf('\n', line)
        if (text.slice(line, to).trim() === end) {
          stop = line
          next = Math.min(text.length, to + 1)
          break
        }
        line = to + 1
      }
      // A here-document without an end is ignored.
      if (next === text.length && stop === text.length && text.slice(from).trim().split('\n').at(-1) !== end)
        stop = from
      else at = next
      give(isPlain ? `\0${text.slice(from, stop)}` : text.slice(from, stop))
    }
  }

  /** Parses commands up to `until`, or to the end of the text if it is null. */
  function script(until: ')' | '}' | 'done' | null, depth: number): readonly Pipeline[] {
    const found: Pipeline[] = []
    let commands: ParsedCommand[] = []
    const close = (isBehind: boolean): void => {
      if (commands.length > 0) found.push({ commands, isBehind })
      commands = []
    }
    while (at < text.length && count < COMMANDS_MAX) {
      matches(BLANKS)
      const char = text[at]
      if (char === undefined) break
      if (char === '\n' || char === ';') {
        close(false)
        if (char === '\n') newline()
        else at++
      } else if (char === '#') {
        const end = text.indexOf('\n', at)
        at = end < 0 ? text.length : end
      } else if (char === '&') {
        const isBehind = text[at + 1] !== '&'
        close(isBehind)
        at += isBehind ? 1 : 2
      } else if (char === '|') {
        if (text[at + 1] === '|') {
          close(false)
          at += 2
        } else at += text[at + 1] === '&' ? 2 : 1
      } else if (char === ')' || (char === '}' && /^\}(?:[\s;&|)<>]|$)/.test(text.slice(at, at + 2)))) {
        close(false)
        if (until === char) break
        at++
      } else if (until === 'done' && CLOSES_BODY.test(peek())) break
      else if (!matches(JOINS_BODY) && !matches(CLOSES_BODY)) commands.push(command(depth))
    }
    close(false)
    return found
  }

  function peek(): string {
    CLOSES_BODY.lastIndex = 0
    return text.slice(at, at + 5)
  }

  function command(depth: number): ParsedCommand {
    const from = at
    count++
    const words: Word[] = []
    const gives: { name: string; word: Word }[] = []
    const redirects: Redirect[] = []
    let body: readonly Pipeline[] | null = null
    let defines: string | null = null
    const named = depth < DEPTH_MAX ? matches(FUNCTION) : null
    if (named) defines = named[1] ?? named[2] ?? ''
    const char = text[at]
    if (
      depth < DEPTH_MAX &&
      ((char === '(' && text[at + 1] !== '(') || (char === '{' && /\s/.test(text[at + 1] ?? '')))
    ) {
      at++
      body = script(char === '(' ? ')' : '}', depth + 1)
      at++
    } else if (matches(/\[\[[^\n]{0,600}?\]\](?=[\s;&|)]|$)|\(\([^\n]{0,300}?\)\)/y)) {
      // A test (`[[ … ]]`, `(( … ))`) runs nothing.
    } else if (depth < DEPTH_MAX && matches(OPENS_BODY)) {
      const loops = /^(?:for|select)/.test(text.slice(from, from + 6))
      if (text.startsWith('case', from)) matches(/\s{1,4}[^\n]{0,200}?\sin(?=\s)/y)
      const name = loops ? matches(/\s{1,4}([A-Za-z_]\w{0,60})\s{1,4}in(?=\s)/y)?.[1] : undefined
      if (name !== undefined) for (const word of restOfLine()) gives.push({ name, word })
      body = script('done', depth + 1)
      at += /^(?:done|esac|fi)/.exec(text.slice(at, at + 4))?.[0].length ?? 0
    }
    for (let before = -1; before !== at && at < text.length;) {
      before = at
      matches(BLANKS)
      const redirect = matches(REDIRECT)
      if (redirect) {
        const [, handle = '', sign = ''] = redirect
        const [word, end] = readWord(text, at)
        at = end
        if (!sign.startsWith('<<') || sign === '<<<') redirects.push({ sign, handle, word })
        else if (hereDocuments.length < HERE_MAX)
          hereDocuments.push({
            end: word.plain,
            isPlain: /["'\\]/.test(text[redirect.index + redirect[0].length] ?? ''),
            give: (words) =>
              redirects.push({
                sign: '<<',
                handle,
                word: words.startsWith('\0')
                  ? { plain: words.slice(1), parts: [], isFile: false }
                  : wordOf(words),
              }),
          })
        continue
      }
      if (text[at] === '#' && words.length + gives.length > 0) break
      if (text.startsWith('&>', at)) continue
      if (/[\s;&|()]/.test(text[at] ?? '\n') && !/^[<>]\(/.test(text.slice(at, at + 2))) break
      GIVES.lastIndex = at
      const given = words.length === 0 ? GIVES.exec(text) : null
      if (given) {
        at = GIVES.lastIndex
        if (text[at] === '(') {
          at++
          for (const word of restOfLine()) gives.push({ name: given[1] ?? '', word })
          continue
        }
        const isEmpty = /[\s;&|)]/.test(text[at] ?? '\n')
        const [word, end] = isEmpty ? [EMPTY, at] : readWord(text, at)
        at = end
        gives.push({ name: given[1] ?? '', word })
        continue
      }
      const [word, end] = readWord(text, at)
      at = end
      // Words beyond the maximum are read but not kept.
      if (words.length < WORDS_MAX) words.push(word)
    }
    if (at === from) at++
    return { at: from, words, gives, redirects, body, defines }
  }

  function restOfLine(): readonly Word[] {
    const words: Word[] = []
    for (;;) {
      matches(BLANKS)
      if (/[\n;)]/.test(text[at] ?? '\n')) break
      const [word, end] = readWord(text, at)
      at = end
      words.push(word)
    }
    if (text[at] === ')') at++
    return words
  }

  return script(null, 0)
}

const EMPTY: Word = { plain: '', parts: [], isFile: false }
