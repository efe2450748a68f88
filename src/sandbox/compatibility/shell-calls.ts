// Finds the names of the commands that a shell script calls and of the functions that it defines, in one
// pass.

export interface ShellCall {
  readonly name: string
  /** Whether the command always runs: it is in no condition, function or list with `&&` or `||`. */
  readonly always: boolean
}

const OPENS = new Set(['if', 'while', 'until', 'for', 'select', 'case', '{', '[['])
const CLOSES = new Set(['fi', 'done', 'esac', '}', ']]'])
/** Words that are followed by a command. */
const LEADS = new Set(['then', 'do', 'else', 'elif', 'if', 'while', 'until', '!', '{', 'time', 'coproc'])
const STARTERS = new Set([
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
/** Maximum nesting of substitutions; each level takes a few stack frames. */
const NESTED_MAX = 100
const NAME = /^[A-Za-z][\w.+-]*$/

export function findShellCalls(text: string): {
  readonly calls: readonly ShellCall[]
  readonly functions: ReadonlySet<string>
} {
  const reader = new Reader(text.replace(/\\\n/g, '  '))
  reader.script(null)
  return reader
}

class Reader {
  readonly calls: ShellCall[] = []
  readonly functions = new Set<string>()
  readonly #text: string
  #at = 0
  #depth = 0
  #nested = 0
  /** The character that ends the current list of commands. */
  #end: string | null = null
  readonly #heredocs: { readonly word: string; readonly tabs: boolean }[] = []

  constructor(text: string) {
    this.#text = text
  }

  /** Reads commands up to `end` (`)` or a backtick) or the end of the text. */
  script(end: string | null): void {
    /** Whether the next word may be a command's name. */
    let begins = true
    let joined = false
    const cases: number[] = []
    let pattern = false
    while (this.#at < this.#text.length) {
      const letter = this.#text[this.#at] ?? ''
      if (letter === end) {
        this.#at += 1
        return
      }
      if (letter === '\n' || letter === ';' || letter === '&' || letter === '|') {
        if (this.#text.startsWith(';;', this.#at) && cases.length > 0) pattern = true
        const two = this.#text.slice(this.#at, this.#at + 2)
        joined = two === '&&' || two === '||' || (joined && letter === '|')
        this.#at += two === '&&' || two === '||' || two === ';;' ? 2 : 1
        if (letter === '\n') this.#skipHeredocs()
        begins = true
      } else if (letter === '(') {
        this.#at += 1
        if (this.#text[this.#at] === '(') this.#skipArithmetic()
        else if (!pattern) {
          this.#depth += 1
          this.#inner(0, ')')
          this.#depth -= 1
        }
        begins = true
      } else if (/\s/.test(letter)) this.#at += 1
      else if (letter === '#' && /^$|[\s;]/.test(this.#text[this.#at - 1] ?? '')) this.#skipLine()
      else if (letter === '<' || letter === '>') this.#redirection()
      else if (letter === ')') {
        this.#at += 1
        pattern = false
        begins = true
      } else {
        const word = this.#word()
        if (pattern && word !== 'esac') continue
        if (!begins) {
          if (word === 'in' && cases.at(-1) === this.#depth) pattern = true
          continue
        }
        const opens = OPENS.has(word)
        if (word === 'function' || /^\s*\(\s*\)/.test(this.#text.slice(this.#at, this.#at + 10))) {
          this.functions.add(word === 'function' ? this.#nextWord() : word)
          this.#at += /^\s*\(\s*\)/.exec(this.#text.slice(this.#at))?.[0].length ?? 0
          continue
        }
        if (CLOSES.has(word)) this.#depth = Math.max(0, this.#depth - 1)
        if (word === 'esac') pattern = cases.pop() === undefined && pattern
        if (word === 'esac') pattern = false
        if (opens) this.#depth += 1
        if (word === 'case') cases.push(this.#depth)
        if (/^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.test(word)) continue
        begins = LEADS.has(word)
        if (opens || CLOSES.has(word) || LEADS.has(word)) continue
        if (NAME.test(word))
          this.calls.push({ name: word, always: this.#depth === 0 && !joined && end === null })
        if (STARTERS.has(word)) this.#started()
      }
    }
  }

  /** Adds the command that another command starts, as in `env A=1 timeout 5 python3`. */
  #started(): void {
    const rest =
      /^[ \t]+(?:(?:-{1,2}\w[\w=-]*|[A-Za-z_]\w*=\S*|\d+[smh]?|env|nohup|timeout|nice|xargs|command)[ \t]+)*([A-Za-z][\w.+-]*)(?=[\s;&|)]|$)/.exec(
        this.#text.slice(this.#at, this.#at + 300),
      )
    if (rest?.[1] !== undefined) this.calls.push({ name: rest[1], always: false })
  }

  #nextWord(): string {
    while (/[ \t]/.test(this.#text[this.#at] ?? '')) this.#at += 1
    return this.#word()
  }

  /** Reads a word with its quotes, and the commands in it. */
  #word(): string {
    const from = this.#at
    for (; this.#at < this.#text.length;) {
      const letter = this.#text[this.#at] ?? ''
      if (/[\s;&|()<>]/.test(letter)) {
        if (this.#at > from && letter === '(' && this.#text[this.#at - 1] === '=') this.#skipList()
        else break
      } else if (letter === '`' && this.#end === '`') break
      else this.#piece(letter)
    }
    if (this.#at === from && this.#text[this.#at] !== '`') this.#at += 1
    return this.#text.slice(from, this.#at)
  }

  #piece(letter: string): void {
    if (letter === '\\') this.#at += 2
    else if (letter === "'") this.#skipTo("'")
    else if (letter === '"') this.#double()
    else if (letter === '`') this.#inner(1, '`')
    else if (this.#text.startsWith('$((', this.#at)) {
      this.#at += 2
      this.#skipArithmetic()
    } else if (this.#text.startsWith('$(', this.#at)) this.#inner(2, ')')
    else if (this.#text.startsWith('${', this.#at)) this.#skipTo('}')
    else this.#at += 1
  }

  #double(): void {
    this.#at += 1
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"') {
      const letter = this.#text[this.#at] ?? ''
      if (letter === "'") this.#at += 1
      else this.#piece(letter)
    }
    this.#at += 1
  }

  #inner(opening: number, end: string): void {
    const outer = this.#end
    this.#end = end
    this.#at += opening
    this.#nested += 1
    // Real scripts are not nested this deeply, so the remainder is skipped.
    if (this.#nested > NESTED_MAX) this.#at = this.#text.length
    else this.script(end)
    this.#nested -= 1
    this.#end = outer
  }

  #skipTo(end: string): void {
    const at = this.#text.indexOf(end, this.#at + 1)
    this.#at = at === -1 ? this.#text.length : at + 1
  }

  #skipLine(): void {
    const at = this.#text.indexOf('\n', this.#at)
    this.#at = at === -1 ? this.#text.length : at
  }

  /** Skips to `))`; called at the second parenthesis of `((`. */
  #skipArithmetic(): void {
    const at = this.#text.indexOf('))', this.#at)
    this.#at = at === -1 ? this.#text.length : at + 2
  }

  /** Skips an array `a=(…)`, which contains words instead of commands. */
  #skipList(): void {
    this.#at += 1
    while (this.#at < this.#text.length && this.#text[this.#at] !== ')') {
      if (this.#text[this.#at] === '#') this.#skipLine()
      else this.#piece(this.#text[this.#at] ?? '')
    }
    this.#at += 1
  }

  #redirection(): void {
    const found = /^(?:<<(-?)[ \t]*(['"]?)([A-Za-z_]\w*)\2|<\(|>\(|[<>]+[&|]?[ \t]*)/.exec(
      this.#text.slice(this.#at),
    )
    this.#at += found?.[0].length ?? 1
    if (found?.[3] !== undefined) this.#heredocs.push({ word: found[3], tabs: found[1] === '-' })
    else if (found?.[0].endsWith('(')) this.#inner(0, ')')
    else if (!/[\s;&|()<>]/.test(this.#text[this.#at] ?? '\n')) this.#word()
  }

  #skipHeredocs(): void {
    for (const { word, tabs } of this.#heredocs.splice(0))
      for (;;) {
        if (this.#at >= this.#text.length) break
        const end = this.#text.indexOf('\n', this.#at)
        const line = this.#text.slice(this.#at, end === -1 ? undefined : end)
        this.#at = end === -1 ? this.#text.length : end + 1
        if ((tabs ? line.replace(/^\t+/, '') : line) === word) break
      }
  }
}
