// Runs a `sed` script on lines.

import { Failed, Unsupported, type CommandIo } from '../command.ts'
import { FileError } from '../io/files.ts'
import type { Pattern } from '../pattern/pattern.ts'
import { LineStream } from './input.ts'
import type { SedFiles, SedOutput } from './output.ts'
import { Ranges } from './ranges.ts'
import type { Address, SedCommand, SedScript, Wanted } from './script.ts'
import { translated } from './translate.ts'
import { substituted } from './substitute.ts'
import { unambiguous } from './unambiguous.ts'

export interface RunRules {
  readonly quiet: boolean
  readonly separator: string
  readonly width: number
}

/** How the script ended for a line. `restart` begins the next cycle without reading a line. */
type End = 'done' | 'delete' | 'restart' | 'quit' | 'quit silently'

export class SedRun {
  readonly #io: CommandIo
  readonly #script: SedScript
  readonly #rules: RunRules
  readonly #files: SedFiles
  readonly #ranges = new Ranges()
  readonly #readLines = new Map<string, LineStream>()
  #stream: LineStream
  #output: SedOutput
  #text = ''
  #ended = true
  #hold = ''
  #holdEnded = true
  #number = 0
  #last = false
  #lastUsed: Pattern | null = null
  /** Whether a substitution succeeded since the last line was read. */
  #replaced = false
  /** Output that `a`, `r` and `R` add after the line. */
  #queue: { readonly kind: 'text' | 'file' | 'line'; readonly text: string }[] = []
  exitCode = 0
  /** Whether `q` has ended the script. */
  over = false
  readonly #matches: (address: Address) => boolean

  constructor(
    io: CommandIo,
    script: SedScript,
    rules: RunRules,
    files: SedFiles,
    stream: LineStream,
    output: SedOutput,
  ) {
    this.#io = io
    this.#script = script
    this.#rules = rules
    this.#files = files
    this.#stream = stream
    this.#output = output
    this.#matches = (address) => address.kind === 'pattern' && this.#pattern(address.pattern).test(this.#text)
  }

  /** Starts the next file if files are processed separately. */
  turnTo(stream: LineStream, output: SedOutput): void {
    this.#stream = stream
    this.#output = output
    this.#number = 0
    this.#ranges.reset()
  }

  async run(): Promise<void> {
    while (await this.#read()) {
      let end: End = 'restart'
      for (let first = true; end === 'restart'; first = false) {
        if (!first) await this.#writeQueue()
        end = await this.#cycle()
      }
      if ((end === 'done' || end === 'quit') && !this.#rules.quiet) await this.#print()
      if (end !== 'quit silently') await this.#writeQueue()
      if (end === 'quit' || end === 'quit silently') {
        this.over = true
        return
      }
    }
  }

  async #read(): Promise<boolean> {
    if (!this.#stream.ready() && !(await this.#stream.fill())) return false
    const { text, ended } = this.#stream.take()
    this.#text = text
    this.#ended = ended
    this.#replaced = false
    this.#number++
    this.#last = !this.#stream.ready() && !(await this.#stream.fill())
    return true
  }

  async #print(): Promise<void> {
    await this.#output.line(this.#text, this.#ended)
  }

  async #cycle(): Promise<End> {
    const { commands } = this.#script
    for (let at = 0; at < commands.length; at++) {
      const command = commands[at]
      if (!command) break
      if (
        command.from &&
        !this.#ranges.applies(command, { number: this.#number, last: this.#last }, this.#matches)
      ) {
        if (command.name === '{') at = command.target - 1
        continue
      }
      switch (command.name) {
        case '{':
        case ':':
          break
        case 's':
          await this.#substitute(command)
          break
        case 'p':
          await this.#print()
          break
        case 'b':
          if (command.target === -1) return 'done'
          at = command.target
          break
        case 't':
        case 'T': {
          const jumps = this.#replaced === (command.name === 't')
          this.#replaced = false
          if (!jumps) break
          if (command.target === -1) return 'done'
          at = command.target
          break
        }
        case 'd':
          return 'delete'
        case 'D': {
          const end = this.#text.indexOf('\n')
          if (end === -1) return 'delete'
          this.#text = this.#text.slice(end + 1)
          return 'restart'
        }
        case 'n':
          if (this.#last) return 'quit'
          if (!this.#rules.quiet) await this.#print()
          await this.#writeQueue()
          await this.#read()
          break
        case 'N': {
          if (this.#last) return 'quit'
          const before = this.#text
          await this.#writeQueue()
          await this.#read()
          this.#text = `${before}${this.#rules.separator}${this.#text}`
          break
        }
        case 'c':
          if (!command.to || command.negated || !this.#ranges.isOpen(command))
            await this.#output.raw(command.text)
          return 'delete'
        case 'q':
        case 'Q':
          this.exitCode = command.number ?? 0
          return command.name === 'q' ? 'quit' : 'quit silently'
        default:
          await this.#other(command)
      }
    }
    return 'done'
  }

  async #other(command: SedCommand): Promise<void> {
    const { separator } = this.#rules
    switch (command.name) {
      case 'a':
        this.#queue.push({ kind: 'text', text: command.text })
        break
      case 'r':
        this.#queue.push({ kind: 'file', text: command.text })
        break
      case 'R':
        this.#queue.push({ kind: 'line', text: command.text })
        break
      case 'i':
        await this.#output.raw(command.text)
        break
      case '=':
        await this.#output.raw(`${this.#number}\n`)
        break
      case 'F':
        await this.#output.raw(`${this.#stream.name}\n`)
        break
      case 'l':
        await this.#output.raw(unambiguous(this.#text, command.number ?? this.#rules.width))
        break
      case 'P': {
        const end = this.#text.indexOf(separator)
        if (end === -1) await this.#print()
        else await this.#output.line(this.#text.slice(0, end), true)
        break
      }
      case 'g':
        this.#text = this.#hold
        this.#ended = this.#holdEnded
        break
      case 'G':
        this.#text += separator + this.#hold
        this.#ended = this.#holdEnded
        break
      case 'h':
        this.#hold = this.#text
        this.#holdEnded = this.#ended
        break
      case 'H':
        this.#hold += separator + this.#text
        this.#holdEnded = this.#ended
        break
      case 'x':
        ;[this.#text, this.#hold] = [this.#hold, this.#text]
        ;[this.#ended, this.#holdEnded] = [this.#holdEnded, this.#ended]
        break
      case 'y':
        this.#text = translated(this.#text, command.characters)
        break
      case 'z':
        this.#text = ''
        break
      case 'w':
        await this.#files.line(command.text, this.#text, this.#ended)
        break
      case 'W': {
        const end = this.#text.indexOf('\n')
        await this.#files.line(
          command.text,
          end === -1 ? this.#text : this.#text.slice(0, end),
          end !== -1 || this.#ended,
        )
        break
      }
      default:
        throw new Unsupported(`sed ${command.name}`, 'python3')
    }
  }

  async #substitute({ substitution }: SedCommand): Promise<void> {
    if (!substitution) return
    const result = substituted(this.#text, this.#pattern(substitution.pattern), substitution)
    if (result === null) return
    this.#text = result
    this.#replaced = true
    if (substitution.print) await this.#print()
    if (substitution.file !== null) await this.#files.line(substitution.file, this.#text, this.#ended)
  }

  #pattern(wanted: Wanted): Pattern {
    const pattern = wanted ?? this.#lastUsed
    if (!pattern) throw new Failed('-e expression #1, char 0: no previous regular expression')
    this.#lastUsed = pattern
    return pattern
  }

  async #writeQueue(): Promise<void> {
    if (this.#queue.length === 0) return
    const queue = this.#queue
    this.#queue = []
    for (const { kind, text } of queue) {
      if (kind === 'text') await this.#output.raw(text)
      else if (kind === 'line') await this.#writeLineOf(text)
      else await this.#writeFile(text)
    }
  }

  async #writeFile(name: string): Promise<void> {
    await this.#files.flush()
    try {
      if (name === '/dev/stdin') throw new Unsupported('sed r /dev/stdin', 'cat')
      await this.#output.raw(await this.#io.files.read(name))
    } catch (error) {
      // An unreadable file counts as empty.
      if (!(error instanceof FileError)) throw error
    }
  }

  async #writeLineOf(name: string): Promise<void> {
    let stream = this.#readLines.get(name)
    if (!stream) {
      await this.#files.flush()
      const exists = name === '/dev/stdin' || (await this.#io.files.stat(name))?.kind === 'file'
      stream = new LineStream(this.#io, exists ? [name] : [], this.#rules.separator.charCodeAt(0))
      this.#readLines.set(name, stream)
    }
    if (!(await stream.fill())) return
    const { text, ended } = stream.take()
    await this.#output.raw(text + (ended ? this.#rules.separator : ''))
  }
}
