// Finds the names of the commands that a shell script calls and of the functions that it defines, in one
// pass.

export interface ShellCall {
  readonly name: string
  /** Whether the command always runs: it is not part of a condition, a function, or a list with `&&` or `||`. */
  readonly always: boolean
}

const BLOCK_STARTS = new Set(['if', 'while', 'until', 'for', 'select', 'case', '{', '[['])
const BLOCK_ENDS = new Set(['fi', 'done', 'esac', '}', ']]'])
/** Words that are followed by a command. */
const BEFORE_COMMAND = new Set([
  'then',
  'do',
  'else',
  'elif',
  'if',
  'while',
  'until',
  '!',
  '{',
  'time',
  'coproc',
])
const COMMAND_STARTERS = new Set([
  'env',
  'nohup',
  'exec',
  'command',
  'builtin',
  'xargs',
  'nice',
  'timeout',
  'setsid',
  'sudo',
])
/** Maximum nesting of substitutions. Each level uses a few stack frames. */
const NESTING_MAX = 100
const COMMAND_NAME = /^[A-Za-z][\w.+-]*$/

export function findShellCalls(text: string): {
  readonly calls: readonly ShellCall[]
  readonly functions: ReadonlySet<string>
} {
  const reader = new Reader(text.replace(/\\\n/g, '  '))
  reader.readCommands(null)
  return reader
}

class Reader {
  readonly calls: ShellCall[] = []
  readonly functions = new Set<string>()
  readonly #text: string
  #offset = 0
  #depth = 0
  #nesting = 0
  /** The character that ends the current list of commands. */
  #end: string | null = null
  readonly #heredocs: { readonly word: string; readonly stripsTabs: boolean }[] = []

  constructor(text: string) {
    this.#text = text
  }

  /** Reads commands up to `end` (`)` or a backtick) or the end of the text. */
  readCommands(end: string | null): void {
    /** Whether the next word may be a command's name. */
    let expectsCommand = true
    /** Whether the command follows `&&` or `||`. */
    let isConditional = false
    /** The block depth of each open `case`. */
    const cases: number[] = []
    /** Whether the reader is at a pattern of a `case`. */
    let inPattern = false
    while (this.#offset < this.#text.length) {
      const char = this.#text[this.#offset] ?? ''
      if (char === end) {
        this.#offset += 1
        return
      }
      if (char === '\n' || char === ';' || char === '&' || char === '|') {
        const operator = this.#text.slice(this.#offset, this.#offset + 2)
        if (operator === ';;' && cases.length > 0) inPattern = true
        isConditional = operator === '&&' || operator === '||' || (isConditional && char === '|')
        this.#offset += operator === '&&' || operator === '||' || operator === ';;' ? 2 : 1
        if (char === '\n') this.#skipHeredocs()
        expectsCommand = true
      } else if (char === '(') {
        this.#offset += 1
        if (this.#text[this.#offset] === '(') this.#skipArithmetic()
        else if (!inPattern) {
          this.#depth += 1
          this.#readNested(0, ')')
          this.#depth -= 1
        }
        expectsCommand = true
      } else if (/\s/.test(char)) this.#offset += 1
      else if (char === '#' && /^$|[\s;]/.test(this.#text[this.#offset - 1] ?? '')) this.#skipLine()
      else if (char === '<' || char === '>') this.#readRedirection()
      else if (char === ')') {
        this.#offset += 1
        inPattern = false
        expectsCommand = true
      } else {
        const word = this.#readWord()
        if (inPattern && word !== 'esac') continue
        if (!expectsCommand) {
          if (word === 'in' && cases.at(-1) === this.#depth) inPattern = true
          continue
        }
        const startsBlock = BLOCK_STARTS.has(word)
        if (word === 'function' || /^\s*\(\s*\)/.test(this.#text.slice(this.#offset, this.#offset + 10))) {
          this.functions.add(word === 'function' ? this.#readNextWord() : word)
          this.#offset += /^\s*\(\s*\)/.exec(this.#text.slice(this.#offset))?.[0].length ?? 0
          continue
        }
        if (BLOCK_ENDS.has(word)) this.#depth = Math.max(0, this.#depth - 1)
        if (word === 'esac') {
          cases.pop()
          inPattern = false
        }
        if (startsBlock) this.#depth += 1
        if (word === 'case') cases.push(this.#depth)
        if (/^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.test(word)) continue
        expectsCommand = BEFORE_COMMAND.has(word)
        if (startsBlock || BLOCK_ENDS.has(word) || BEFORE_COMMAND.has(word)) continue
        if (COMMAND_NAME.test(word))
          this.calls.push({ name: word, always: this.#depth === 0 && !isConditional && end === null })
        if (COMMAND_STARTERS.has(word)) this.#addStartedCommand()
      }
    }
  }

  /** Adds the command that another command starts, as in `env A=1 timeout 5 python3`. */
  #addStartedCommand(): void {
    const match =
      /^[ \t]+(?:(?:-{1,2}\w[\w=-]*|[A-Za-z_]\w*=\S*|\d+[smh]?|env|nohup|timeout|nice|xargs|command)[ \t]+)*([A-Za-z][\w.+-]*)(?=[\s;&|)]|$)/.exec(
        this.#text.slice(this.#offset, this.#offset + 300),
      )
    if (match?.[1] !== undefined) this.calls.push({ name: match[1], always: false })
  }

  #readNextWord(): string {
    while (/[ \t]/.test(this.#text[this.#offset] ?? '')) this.#offset += 1
    return this.#readWord()
  }

  /** Reads a word with its quotes, and the commands in its substitutions. */
  #readWord(): string {
    const from = this.#offset
    for (; this.#offset < this.#text.length;) {
      const char = this.#text[this.#offset] ?? ''
      if (/[\s;&|()<>]/.test(char)) {
        if (this.#offset > from && char === '(' && this.#text[this.#offset - 1] === '=') this.#skipList()
        else break
      } else if (char === '`' && this.#end === '`') break
      else this.#readPiece(char)
    }
    if (this.#offset === from && this.#text[this.#offset] !== '`') this.#offset += 1
    return this.#text.slice(from, this.#offset)
  }

  #readPiece(char: string): void {
    if (char === '\\') this.#offset += 2
    else if (char === "'") this.#skipTo("'")
    else if (char === '"') this.#readDoubleQuotes()
    else if (char === '`') this.#readNested(1, '`')
    else if (this.#text.startsWith('$((', this.#offset)) {
      this.#offset += 2
      this.#skipArithmetic()
    } else if (this.#text.startsWith('$(', this.#offset)) this.#readNested(2, ')')
    else if (this.#text.startsWith('${', this.#offset)) this.#skipTo('}')
    else this.#offset += 1
  }

  #readDoubleQuotes(): void {
    this.#offset += 1
    while (this.#offset < this.#text.length && this.#text[this.#offset] !== '"') {
      const char = this.#text[this.#offset] ?? ''
      if (char === "'") this.#offset += 1
      else this.#readPiece(char)
    }
    this.#offset += 1
  }

  #readNested(opening: number, end: string): void {
    const outer = this.#end
    this.#end = end
    this.#offset += opening
    this.#nesting += 1
    // Real scripts are not nested this deeply, so skip the rest.
    if (this.#nesting > NESTING_MAX) this.#offset = this.#text.length
    else this.readCommands(end)
    this.#nesting -= 1
    this.#end = outer
  }

  #skipTo(end: string): void {
    const index = this.#text.indexOf(end, this.#offset + 1)
    this.#offset = index === -1 ? this.#text.length : index + 1
  }

  #skipLine(): void {
    const index = this.#text.indexOf('\n', this.#offset)
    this.#offset = index === -1 ? this.#text.length : index
  }

  /** Skips to `))`; called at the second parenthesis of `((`. */
  #skipArithmetic(): void {
    const index = this.#text.indexOf('))', this.#offset)
    this.#offset = index === -1 ? this.#text.length : index + 2
  }

  /** Skips an array `a=(…)`, which contains words instead of commands. */
  #skipList(): void {
    this.#offset += 1
    while (this.#offset < this.#text.length && this.#text[this.#offset] !== ')') {
      if (this.#text[this.#offset] === '#') this.#skipLine()
      else this.#readPiece(this.#text[this.#offset] ?? '')
    }
    this.#offset += 1
  }

  #readRedirection(): void {
    const match = /^(?:<<(-?)[ \t]*(['"]?)([A-Za-z_]\w*)\2|<\(|>\(|[<>]+[&|]?[ \t]*)/.exec(
      this.#text.slice(this.#offset),
    )
    this.#offset += match?.[0].length ?? 1
    if (match?.[3] !== undefined) this.#heredocs.push({ word: match[3], stripsTabs: match[1] === '-' })
    else if (match?.[0].endsWith('(')) this.#readNested(0, ')')
    else if (!/[\s;&|()<>]/.test(this.#text[this.#offset] ?? '\n')) this.#readWord()
  }

  #skipHeredocs(): void {
    for (const { word, stripsTabs } of this.#heredocs.splice(0))
      for (;;) {
        if (this.#offset >= this.#text.length) break
        const end = this.#text.indexOf('\n', this.#offset)
        const line = this.#text.slice(this.#offset, end === -1 ? undefined : end)
        this.#offset = end === -1 ? this.#text.length : end + 1
        if ((stripsTabs ? line.replace(/^\t+/, '') : line) === word) break
      }
  }
}
