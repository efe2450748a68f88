// Detects commands that run text as a program: from a pipe, an argument or a file.

import { isInterpreter, PROGRAM_FLAGS, SCHEDULES, SHELLS } from './programs.ts'
import type { ProgramCall } from './shell-sources.ts'
import type { Word } from './shell-words.ts'
import { hostsOf } from '../shell/shell-origin.ts'
import { bent, both, CLEAN } from './taint.ts'
import type { Taint } from './taint.ts'

interface Run {
  /** The taint of the text that is run; null if the command runs only its own literal text. */
  readonly taint: Taint | null
  readonly isFile: boolean
  readonly isShell: boolean
  /** The programs that are passed as arguments. */
  readonly texts: readonly string[]
}

const NONE: Run = { taint: null, isFile: false, isShell: false, texts: [] }

/** What a command runs; null if it runs nothing. */
export function runBy(call: ProgramCall): Run | null {
  const { program, given, input, hasInput, locations } = call
  const { name, words } = program
  if (name === 'eval' || name === 'trap') {
    const text = words
      .slice(1)
      .map((word) => word.plain)
      .join(' ')
    const taint = words
      .map((word, index) => atCommand(word, given[index] ?? CLEAN))
      .slice(1)
      .reduce(both, CLEAN)
    const known = text.replace(
      /\$([A-Za-z_]\w{0,60})/g,
      (seen, variable: string) => locations.textOf(variable) ?? seen,
    )
    return { taint: { ...taint, isBent: true }, isFile: false, isShell: true, texts: [known] }
  }
  if (name === 'source' || name === '.') {
    const [, file] = words
    const held =
      file === undefined ? CLEAN : both(given[1] ?? CLEAN, isInput(file) ? input : locations.file(file.plain))
    return { ...NONE, taint: { ...held, isBent: true }, isShell: true }
  }
  if (name === 'xargs') return throughXargs(call)
  if (SCHEDULES.test(name)) return hasInput ? { ...NONE, taint: { ...input, isBent: true } } : null
  if (!isInterpreter(name)) return byPath(call)
  const isShell = SHELLS.test(name)
  const flag = words.findIndex((word, index) => index > 0 && PROGRAM_FLAGS.test(word.plain))
  const operand = words.findIndex(
    (word, index) => index > 0 && !word.plain.startsWith('-') && !/^(?:run|eval|exec)$/.test(word.plain),
  )
  const [program0] = flag > 0 ? [words[flag + 1]] : []
  if (program0 !== undefined && (operand < 0 || operand > flag)) {
    const taint = atCommand(program0, given[flag + 1] ?? CLEAN)
    return {
      taint: isShell ? taint : { ...taint, isBent: true },
      isFile: false,
      isShell,
      texts: [program0.plain],
    }
  }
  const isPiped = words.some((word, index) => index > 0 && (operand < 0 || index < operand) && isInput(word))
  const file = operand > 0 && !isPiped ? words[operand] : undefined
  if (file !== undefined && !isInput(file)) {
    const own = given[operand] ?? CLEAN
    if (file.isFile) return { ...NONE, taint: isShell ? own : bent(own), isShell }
    if (/^https?:\/\//.test(file.plain) && !isShell)
      return { ...NONE, taint: { ...CLEAN, code: hostsOf(file.plain), isBent: true } }
    const held = locations.file(file.plain)
    // With a script file, standard input is data.
    if (!words.some((word) => word.plain === '-s')) return { ...NONE, taint: held, isFile: true, isShell }
  }
  return { ...NONE, taint: hasInput ? input : null, isShell }
}

function isInput(word: Word): boolean {
  return /^(?:-|\/dev\/(?:stdin|fd\/0)|\/proc\/self\/fd\/0)$/.test(word.plain)
}

/** A program that is started by its path or from a variable. */
function byPath({ program, given, locations }: ProgramCall): Run | null {
  const [word] = program.words
  if (word === undefined) return null
  const own = given[0] ?? CLEAN
  const isWhole = word.parts.length > 0 && /^\$?\w*$/.test(word.plain)
  if (isWhole && own.code !== null) return { ...NONE, taint: { ...own, isBent: true } }
  if (!/[/$]/.test(word.plain)) return null
  const held = locations.file(word.plain)
  return held.code === null ? null : { ...NONE, taint: held, isFile: true }
}

function throughXargs({ program, input }: ProgramCall): Run | null {
  const at = program.words.findIndex(
    (word, index) => index > 0 && SHELLS.test(word.plain.replace(/^.*\//, '')),
  )
  if (at < 0 || input.code === null) return null
  const [flag, text] = program.words.slice(at + 1)
  const isWhole = text === undefined || /^(?:\{\}|\$[@*0-9]|%)$/.test(text.plain)
  return flag?.plain === '-c' && isWhole ? { ...NONE, taint: { ...input, isBent: true } } : null
}

/**
 * The taint of a word that is run as code. A tainted part counts only where a command can begin, such as
 * after `;`.
 */
function atCommand(word: Word, taint: Taint): Taint {
  if (taint.code === null) return taint
  const begins = word.parts.some(({ at }) =>
    /(?:^|[;&|\n({]|\b(?:then|do))\s*$/.test(word.plain.slice(0, at)),
  )
  return begins ? taint : { ...taint, code: null }
}
