// Detects commands that run text as a program: from a pipe, an argument or a file.

import { isInterpreter, PROGRAM_FLAGS, SCHEDULERS, SHELLS } from './programs.ts'
import type { ProgramCall } from './shell-sources.ts'
import type { Word } from './shell-words.ts'
import { originOfHosts } from '../shell/shell-origin.ts'
import { markIndirect, mergeTaints, CLEAN } from './taint.ts'
import type { Taint } from './taint.ts'

interface Run {
  /** The taint of the text that is run; null if the command runs only its own literal text. */
  readonly taint: Taint | null
  readonly isFile: boolean
  readonly isShell: boolean
  /** The programs that are passed as arguments. */
  readonly texts: readonly string[]
}

const RUNS_OWN_TEXT: Run = { taint: null, isFile: false, isShell: false, texts: [] }

/** What a command runs; null if it runs nothing. */
export function findRun(call: ProgramCall): Run | null {
  const { program, taints, input, hasInput, locations } = call
  const { name, words } = program
  if (name === 'eval' || name === 'trap') {
    const text = words
      .slice(1)
      .map((word) => word.unquoted)
      .join(' ')
    const taint = words
      .map((word, index) => taintAtCommandStart(word, taints[index] ?? CLEAN))
      .slice(1)
      .reduce(mergeTaints, CLEAN)
    const resolvedText = text.replace(
      /\$([A-Za-z_]\w{0,60})/g,
      (reference, variable: string) => locations.textOfVariable(variable) ?? reference,
    )
    return { taint: { ...taint, isIndirect: true }, isFile: false, isShell: true, texts: [resolvedText] }
  }
  if (name === 'source' || name === '.') {
    const [, file] = words
    const fileTaint =
      file === undefined
        ? CLEAN
        : mergeTaints(taints[1] ?? CLEAN, isStdin(file) ? input : locations.taintOfFile(file.unquoted))
    return { ...RUNS_OWN_TEXT, taint: { ...fileTaint, isIndirect: true }, isShell: true }
  }
  if (name === 'xargs') return runByXargs(call)
  if (SCHEDULERS.test(name))
    return hasInput ? { ...RUNS_OWN_TEXT, taint: { ...input, isIndirect: true } } : null
  if (!isInterpreter(name)) return runByPath(call)
  const isShell = SHELLS.test(name)
  const flag = words.findIndex((word, index) => index > 0 && PROGRAM_FLAGS.test(word.unquoted))
  const operandIndex = words.findIndex(
    (word, index) =>
      index > 0 && !word.unquoted.startsWith('-') && !/^(?:run|eval|exec)$/.test(word.unquoted),
  )
  const [inlineProgram] = flag > 0 ? [words[flag + 1]] : []
  if (inlineProgram !== undefined && (operandIndex < 0 || operandIndex > flag)) {
    const taint = taintAtCommandStart(inlineProgram, taints[flag + 1] ?? CLEAN)
    return {
      taint: isShell ? taint : { ...taint, isIndirect: true },
      isFile: false,
      isShell,
      texts: [inlineProgram.unquoted],
    }
  }
  const isPiped = words.some(
    (word, index) => index > 0 && (operandIndex < 0 || index < operandIndex) && isStdin(word),
  )
  const file = operandIndex > 0 && !isPiped ? words[operandIndex] : undefined
  if (file !== undefined && !isStdin(file)) {
    const wordTaint = taints[operandIndex] ?? CLEAN
    if (file.isFile)
      return { ...RUNS_OWN_TEXT, taint: isShell ? wordTaint : markIndirect(wordTaint), isShell }
    if (/^https?:\/\//.test(file.unquoted) && !isShell)
      return { ...RUNS_OWN_TEXT, taint: { ...CLEAN, origin: originOfHosts(file.unquoted), isIndirect: true } }
    const fileTaint = locations.taintOfFile(file.unquoted)
    // With a script file, standard input is data.
    if (!words.some((word) => word.unquoted === '-s'))
      return { ...RUNS_OWN_TEXT, taint: fileTaint, isFile: true, isShell }
  }
  return { ...RUNS_OWN_TEXT, taint: hasInput ? input : null, isShell }
}

function isStdin(word: Word): boolean {
  return /^(?:-|\/dev\/(?:stdin|fd\/0)|\/proc\/self\/fd\/0)$/.test(word.unquoted)
}

/** A program that is started by its path or from a variable. */
function runByPath({ program, taints, locations }: ProgramCall): Run | null {
  const [word] = program.words
  if (word === undefined) return null
  const wordTaint = taints[0] ?? CLEAN
  const isOnlyTaintedText = word.parts.length > 0 && /^\$?\w*$/.test(word.unquoted)
  if (isOnlyTaintedText && wordTaint.origin !== null)
    return { ...RUNS_OWN_TEXT, taint: { ...wordTaint, isIndirect: true } }
  if (!/[/$]/.test(word.unquoted)) return null
  const fileTaint = locations.taintOfFile(word.unquoted)
  return fileTaint.origin === null ? null : { ...RUNS_OWN_TEXT, taint: fileTaint, isFile: true }
}

function runByXargs({ program, input }: ProgramCall): Run | null {
  const at = program.words.findIndex(
    (word, index) => index > 0 && SHELLS.test(word.unquoted.replace(/^.*\//, '')),
  )
  if (at < 0 || input.origin === null) return null
  const [flag, text] = program.words.slice(at + 1)
  const isOnlyTaintedText = text === undefined || /^(?:\{\}|\$[@*0-9]|%)$/.test(text.unquoted)
  return flag?.unquoted === '-c' && isOnlyTaintedText
    ? { ...RUNS_OWN_TEXT, taint: { ...input, isIndirect: true } }
    : null
}

/**
 * The taint of a word that is run as code. A tainted part counts only where a command can begin, such as
 * after `;`.
 */
function taintAtCommandStart(word: Word, taint: Taint): Taint {
  if (taint.origin === null) return taint
  const isAtStart = word.parts.some(({ offset: at }) =>
    /(?:^|[;&|\n({]|\b(?:then|do))\s*$/.test(word.unquoted.slice(0, at)),
  )
  return isAtStart ? taint : { ...taint, origin: null }
}
