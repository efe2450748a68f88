// Parses a `sed` script, with GNU's messages.

import { Failed, Unsupported } from '../command.ts'
import { PatternError } from '../pattern/tree.ts'
import { charactersOf } from './characters.ts'
import { resolveLabels } from './labels.ts'
import { delimitedAt } from './delimited.ts'
import { textArgument } from './text-argument.ts'
import { compileWanted, type PatternRules } from './patterns.ts'
import { largestGroup, parseReplacement } from './replacement.ts'
import type { Address, SedCommand, SedScript, Substitution } from './script.ts'

/** Throws a `Failed` with GNU's message. */
export function parseScript(text: string, rules: PatternRules): SedScript {
  return new ScriptParser(text, rules).parse()
}

class ScriptParser {
  readonly #text: string
  readonly #rules: PatternRules
  #at = 0
  readonly #commands: SedCommand[] = []
  readonly #open: number[] = []

  constructor(text: string, rules: PatternRules) {
    this.#text = text
    this.#rules = rules
  }

  parse(): SedScript {
    const quiet = /^#n(?:\n|$)/.test(this.#text)
    for (;;) {
      this.#skip(/[\s;]/)
      if (this.#at >= this.#text.length) break
      if (this.#peek() === '#') this.#skip(/[^\n]/)
      else this.#command()
    }
    if (this.#open.length > 0) throw new Failed("-e expression #1, char 0: unmatched `{'")
    resolveLabels(this.#commands)
    return { commands: this.#commands, quiet }
  }

  #command(): void {
    const from = this.#address()
    let to: Address | null = null
    this.#skip(/[ \t]/)
    if (from && this.#peek() === ',') {
      this.#at++
      this.#skip(/[ \t]/)
      to = this.#address(true)
      if (!to) throw this.#wrong("unexpected `,'")
    }
    if (from?.kind === 'line' && from.line === 0 && to?.kind !== 'pattern')
      throw this.#wrong('invalid usage of line address 0')
    this.#skip(/[ \t]/)
    let negated = false
    while (this.#peek() === '!') {
      if (negated) throw this.#wrong("multiple `!'s")
      negated = true
      this.#at++
      this.#skip(/[ \t]/)
    }
    const name = this.#peek()
    if (name === '' || name === '\n') throw this.#wrong('missing command')
    this.#at++
    const blank: SedCommand = {
      name,
      from,
      to,
      negated,
      text: '',
      number: null,
      substitution: null,
      characters: null,
      target: -1,
    }
    this.#arguments(blank, name)
  }

  #arguments(blank: SedCommand, name: string): void {
    const add = (more: Partial<SedCommand> = {}): number => this.#commands.push({ ...blank, ...more })
    switch (name) {
      case '{':
        this.#open.push(this.#commands.length)
        add()
        return
      case '}': {
        const opened = this.#commands[this.#open.pop() ?? -1]
        if (!opened) throw this.#wrong("unexpected `}'")
        if (blank.from) throw this.#wrong("} doesn't want any addresses")
        opened.target = this.#commands.length
        return this.#end()
      }
      case 'a':
      case 'i':
      case 'c': {
        const found = textArgument(this.#text, this.#at)
        if (!found) throw this.#wrong("expected \\ after `a', `c' or `i'")
        this.#at = found.end
        return void add({ text: found.text })
      }
      case ':': {
        if (blank.from) throw this.#wrong(": doesn't want any addresses")
        const label = this.#label(true)
        if (label === '') throw this.#wrong('":" lacks a label')
        return void add({ text: label })
      }
      case 'b':
      case 't':
      case 'T':
        return void add({ text: this.#label() })
      case 'r':
      case 'R':
      case 'w':
      case 'W':
        return void add({ text: this.#fileName() })
      case 'q':
      case 'Q':
      case 'l': {
        this.#skip(/[ \t]/)
        const [digits = ''] = /^\d*/.exec(this.#text.slice(this.#at, this.#at + 12)) ?? []
        this.#at += digits.length
        add({ number: digits === '' ? null : Number(digits) })
        return this.#end()
      }
      case 's':
        add({ substitution: this.#substitution() })
        return this.#end()
      case 'y':
        add({ characters: this.#characters() })
        return this.#end()
      case 'v':
        this.#skip(/[^\n;]/)
        return
      case 'e':
        throw new Unsupported('sed e', 'a loop of the shell, or python3')
      default:
        if (!'=dDgGhHnNpPxzF'.includes(name)) throw this.#wrong(`unknown command: \`${name}'`)
        add()
        return this.#end()
    }
  }

  #end(): void {
    this.#skip(/[ \t]/)
    const next = this.#peek()
    if (next === '' || next === '\n' || next === ';' || next === '}' || next === '#') return
    this.#at++
    throw this.#wrong('extra characters after command')
  }

  #address(asEnd = false): Address | null {
    const rest = this.#text.slice(this.#at, this.#at + 40)
    const number = /^\d+/.exec(rest)?.[0]
    if (number !== undefined) {
      this.#at += number.length
      const step = asEnd ? null : /^[ \t]*~[ \t]*(\d*)/.exec(this.#text.slice(this.#at, this.#at + 40))
      if (!step) return { kind: 'line', line: Number(number) }
      this.#at += step[0].length
      const by = Number(step[1] ?? '')
      return by === 0
        ? { kind: 'line', line: Number(number) }
        : { kind: 'step', first: Number(number), step: by }
    }
    const more = asEnd ? /^([+~])(\d+)/.exec(rest) : null
    if (more) {
      this.#at += more[0].length
      const count = Number(more[2])
      return more[1] === '+' ? { kind: 'more', lines: count } : { kind: 'multiple', of: count }
    }
    if (rest.startsWith('$')) {
      this.#at++
      return { kind: 'last' }
    }
    if (!rest.startsWith('/') && !rest.startsWith('\\')) return null
    if (rest.startsWith('\\')) this.#at++
    const mark = this.#peek()
    this.#at++
    const pattern = this.#delimited(mark, 'pattern')
    if (pattern === null) throw this.#wrong('unterminated address regex')
    let flags = ''
    while (this.#peek() === 'I' || this.#peek() === 'M') flags += this.#text[this.#at++] ?? ''
    return { kind: 'pattern', pattern: this.#compiled(pattern, flags) }
  }

  #compiled(pattern: string, flags: string): ReturnType<typeof compileWanted> {
    try {
      return compileWanted(pattern, flags, this.#rules)
    } catch (error) {
      if (!(error instanceof PatternError)) throw error
      if (error.message.startsWith('character class')) throw new Failed(error.message)
      throw this.#wrong(error.message)
    }
  }

  #delimited(mark: string, kind: 'pattern' | 'text'): string | null {
    const found = delimitedAt(this.#text, this.#at, mark, kind)
    this.#at = found.end
    return found.text
  }

  #substitution(): Substitution {
    const mark = this.#peek()
    this.#at++
    const pattern = this.#delimited(mark, 'pattern')
    const text = pattern === null ? null : this.#delimited(mark, 'text')
    if (pattern === null || text === null) throw this.#wrong("unterminated `s' command")
    let flags = ''
    let global = false
    let print = false
    let number = 0
    let file: string | null = null
    for (; file === null; this.#at++) {
      const flag = this.#peek()
      if (flag === 'g') {
        if (global) throw this.#wrongAfter("multiple `g' options to `s' command")
        global = true
      } else if (flag === 'p') {
        if (print) throw this.#wrongAfter("multiple `p' options to `s' command")
        print = true
      } else if (flag === 'i' || flag === 'I') flags += 'I'
      else if (flag === 'm' || flag === 'M') flags += 'M'
      else if (flag === 'e') throw new Unsupported('sed s///e', 'a loop of the shell, or python3')
      else if (flag >= '0' && flag <= '9' && flag.length === 1) {
        if (number > 0) throw this.#wrongAfter("multiple number options to `s' command")
        const [digits = ''] = /^\d+/.exec(this.#text.slice(this.#at, this.#at + 20)) ?? []
        number = Number(digits)
        if (number === 0) throw this.#wrongAfter("number option to `s' command may not be zero")
        this.#at += digits.length - 1
      } else if (flag === 'w') {
        this.#at++
        file = this.#fileName()
        break
      } else if (flag === '' || /[\s;}#]/.test(flag)) break
      else {
        this.#at++
        throw this.#wrong("unknown option to `s'")
      }
    }
    const compiled = this.#compiled(pattern, flags)
    const replacement = parseReplacement(text)
    const group = largestGroup(replacement)
    if (compiled && group > compiled.groups)
      throw this.#wrong(`invalid reference \\${group} on \`s' command's RHS`)
    return { pattern: compiled, replacement, global, number: Math.max(1, number), print, file }
  }

  #characters(): ReadonlyMap<string, string> {
    const mark = this.#peek()
    this.#at++
    const from = this.#delimited(mark, 'text')
    const to = from === null ? null : this.#delimited(mark, 'text')
    if (from === null || to === null) throw this.#wrong("unterminated `y' command")
    const [some, others] = [charactersOf(from), charactersOf(to)]
    if (some.length !== others.length) throw this.#wrong("strings for `y' command are different lengths")
    const map = new Map<string, string>()
    some.forEach((char, index) => {
      if (!map.has(char)) map.set(char, others[index] ?? '')
    })
    return map
  }

  #label(goesOn = false): string {
    this.#skip(/[ \t]/)
    const start = this.#at
    this.#skip(/[^\s;}]/)
    const label = this.#text.slice(start, this.#at)
    this.#skip(/[ \t]/)
    const next = this.#peek()
    if (!goesOn && next !== '' && next !== '\n' && next !== ';' && next !== '}')
      throw new Unsupported('sed: text after a label', 'a semicolon or a new line after the label')
    return label
  }

  #fileName(): string {
    this.#skip(/[ \t]/)
    const start = this.#at
    this.#skip(/[^\n]/)
    const name = this.#text.slice(start, this.#at)
    if (name === '') throw this.#wrong('missing filename in r/R/w/W commands')
    return name
  }

  #peek(): string {
    return this.#text[this.#at] ?? ''
  }

  #skip(what: RegExp): void {
    while (this.#at < this.#text.length && what.test(this.#text[this.#at] ?? '')) this.#at++
  }

  #wrong(message: string): Failed {
    return new Failed(`-e expression #1, char ${this.#at}: ${message}`)
  }

  #wrongAfter(message: string): Failed {
    this.#at++
    return this.#wrong(message)
  }
}
