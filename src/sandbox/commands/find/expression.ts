// Parses find's expression: tests and actions, with `!`, `-a`, `-o`, `,` and parentheses.

import { Failed, Unsupported, type CommandIo } from '../command.ts'
import { execEach, execMany, print, print0, printf, refusedAction, remove, type Exec } from './actions.ts'
import type { Predicate, Walk } from './entry.ts'
import { testOf } from './tests.ts'

export interface Expression {
  readonly predicate: Predicate
  readonly minDepth: number
  readonly maxDepth: number
  /** Whether the contents of a folder are visited before the folder itself. */
  readonly depthFirst: boolean
  /** Finish commands that still have files to process. */
  readonly unfinished: readonly ((walk: Walk) => Promise<void>)[]
}

const WITH_ARGUMENT = new Set(
  (
    '-name -iname -path -wholename -ipath -iwholename -lname -ilname -regex -iregex -type -xtype -size -perm -mtime ' +
    '-mmin -newer -newermm -newermt'
  ).split(' '),
)
/** Tests for properties that this tree does not have. */
const UNKNOWN = new Set(
  (
    '-user -group -uid -gid -nouser -nogroup -inum -samefile -links -fstype -atime -amin -anewer -ctime -cmin -cnewer ' +
    '-used -writable -context -files0-from -follow -newerat -newerct -newerBt -newera -newerc'
  ).split(' '),
)
const IGNORED = new Set(
  '-mount -xdev -noleaf -warn -nowarn -ignore_readdir_race -noignore_readdir_race'.split(' '),
)

/** Throws a `Failed` with find's message for an invalid expression. */
export async function parseExpression(
  io: CommandIo,
  words: readonly string[],
  nowMs: number,
): Promise<Expression> {
  return new Parser(io, words, nowMs).parse()
}

class Parser {
  readonly #io: CommandIo
  readonly #words: readonly string[]
  readonly #nowMs: number
  #at = 0
  #minDepth = 0
  #maxDepth = Infinity
  #depthFirst = false
  #dayStart = false
  #regexType = 'emacs'
  #acts = false
  #deletes = false
  #prunes = false
  readonly #unfinished: ((walk: Walk) => Promise<void>)[] = []

  constructor(io: CommandIo, words: readonly string[], nowMs: number) {
    this.#io = io
    this.#words = words
    this.#nowMs = nowMs
  }

  async parse(): Promise<Expression> {
    const given: Predicate = this.#words.length === 0 ? () => true : await this.#list()
    if (this.#at < this.#words.length)
      throw new Failed(
        this.#words[this.#at] === ')'
          ? "invalid expression; you have used ')' without a matching '('"
          : `paths must precede expression: \`${this.#words[this.#at] ?? ''}'`,
      )
    if (this.#deletes && this.#prunes && !this.#depthGiven)
      throw new Failed(
        'The -delete action automatically turns on -depth, but -prune does nothing when -depth is in effect.  If you want to carry on anyway, just explicitly use the -depth option.',
      )
    return {
      predicate: this.#acts
        ? given
        : async (entry, walk) => (await given(entry, walk)) && !walk.over && print(entry, walk),
      minDepth: this.#minDepth,
      maxDepth: this.#maxDepth,
      depthFirst: this.#depthFirst,
      unfinished: this.#unfinished,
    }
  }

  #depthGiven = false

  get #word(): string | undefined {
    return this.#words[this.#at]
  }

  async #list(): Promise<Predicate> {
    let left = await this.#or()
    while (this.#word === ',') {
      this.#at++
      const first = left
      const second = await this.#or()
      left = async (entry, walk) => {
        await first(entry, walk)
        return second(entry, walk)
      }
    }
    return left
  }

  async #or(): Promise<Predicate> {
    let left = await this.#and()
    while (this.#word === '-o' || this.#word === '-or') {
      const operator = this.#words[this.#at++] ?? ''
      if (this.#word === undefined) throw new Failed(`expected an expression after '${operator}'`)
      const first = left
      const second = await this.#and()
      left = async (entry, walk) => (await first(entry, walk)) || second(entry, walk)
    }
    return left
  }

  async #and(): Promise<Predicate> {
    let left = await this.#not()
    for (;;) {
      const word = this.#word
      if (word === undefined || /^(?:-o|-or|,|\))$/.test(word)) return left
      if (word === '-a' || word === '-and') {
        this.#at++
        if (this.#word === undefined) throw new Failed(`expected an expression after '${word}'`)
      }
      const first = left
      const second = await this.#not()
      left = async (entry, walk) => (await first(entry, walk)) && !walk.over && second(entry, walk)
    }
  }

  async #not(): Promise<Predicate> {
    if (this.#word !== '!' && this.#word !== '-not') return this.#primary()
    const operator = this.#words[this.#at++] ?? ''
    if (this.#word === undefined) throw new Failed(`expected an expression after '${operator}'`)
    const negated = await this.#not()
    return async (entry, walk) => !(await negated(entry, walk))
  }

  async #primary(): Promise<Predicate> {
    const word = this.#words[this.#at++] ?? ''
    if (word === '(') {
      if (this.#word === ')') throw new Failed('invalid expression; empty parentheses are not allowed.')
      const inner = await this.#list()
      if (this.#word !== ')')
        throw new Failed(
          "invalid expression; expected to find a ')' but didn't see one. Perhaps you need an extra predicate after '('",
        )
      this.#at++
      return inner
    }
    if (/^(?:-o|-or|-a|-and|,)$/.test(word))
      throw new Failed(
        `invalid expression; you have used a binary operator '${word}' with nothing before it.`,
      )
    if (word === ')') throw new Failed("invalid expression; you have used ')' without a matching '('")
    if (!word.startsWith('-')) throw new Failed(`paths must precede expression: \`${word}'`)
    return this.#named(word)
  }

  async #named(name: string): Promise<Predicate> {
    const yes: Predicate = () => true
    if (WITH_ARGUMENT.has(name)) {
      const parts = { io: this.#io, nowMs: this.#nowMs, dayStart: this.#dayStart, regexType: this.#regexType }
      return (await testOf(name, this.#argument(name), parts)) ?? yes
    }
    if (IGNORED.has(name)) return yes
    switch (name) {
      case '-true':
        return yes
      case '-false':
        return () => false
      case '-empty':
        return async ({ path, status }, { io }) =>
          status.kind === 'directory'
            ? (await io.files.list(path)).length === 0
            : status.kind === 'file' && status.size === 0
      case '-readable':
        return yes
      case '-executable':
        return ({ status }) => status.kind === 'directory' || (status.mode & 0o111) !== 0
      case '-maxdepth':
        this.#maxDepth = this.#depth(name)
        return yes
      case '-mindepth':
        this.#minDepth = this.#depth(name)
        return yes
      case '-depth':
      case '-d':
        this.#depthFirst = this.#depthGiven = true
        return yes
      case '-daystart':
        this.#dayStart = true
        return yes
      case '-regextype':
        this.#regexType = this.#argument(name)
        return yes
      case '-prune':
        this.#prunes = true
        return (_entry, walk) => {
          walk.pruned = true
          return true
        }
      case '-quit':
        return (_entry, walk) => {
          walk.over = true
          return true
        }
      case '-print':
        this.#acts = true
        return print
      case '-print0':
        this.#acts = true
        return print0
      case '-printf':
        this.#acts = true
        return printf(this.#argument(name))
      case '-delete':
        this.#acts = this.#depthFirst = this.#deletes = true
        return remove
      case '-exec':
      case '-execdir':
        this.#acts = true
        return this.#exec(name)
      default:
        if (UNKNOWN.has(name))
          throw new Unsupported(`find ${name}`, 'another test, or python3 with its module os')
        throw refusedAction(name) ?? new Failed(`unknown predicate \`${name}'`)
    }
  }

  #exec(name: string): Predicate {
    const words: string[] = []
    for (; this.#word !== undefined; this.#at++) {
      const word = this.#word
      const many = word === '+' && words.at(-1) === '{}'
      if (word !== ';' && !many) {
        words.push(word)
        continue
      }
      this.#at++
      if (many && name === '-execdir') throw new Unsupported('find -execdir … +', '-execdir … ;')
      const exec: Exec = many ? execMany(words.slice(0, -1)) : execEach(words, name === '-execdir')
      if (exec.finish) this.#unfinished.push(exec.finish)
      return exec.predicate
    }
    throw new Failed(`missing argument to \`${name}'`)
  }

  #argument(name: string): string {
    const word = this.#words[this.#at++]
    if (word === undefined) throw new Failed(`missing argument to \`${name}'`)
    return word
  }

  #depth(name: string): number {
    const text = this.#argument(name)
    if (!/^\d+$/.test(text))
      throw new Failed(`Expected a positive decimal integer argument to ${name}, but got ‘${text}’`)
    return Number(text)
  }
}
