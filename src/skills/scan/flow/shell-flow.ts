// Follows values through shell code: fetched or decoded text to the command that runs it, and keys to the
// command that sends them. Each script is followed twice, so that values that are defined after their use
// count too. Runs nothing.

import type { RuleId } from '../rules/rules.ts'
import { isReverseShell } from '../shell/reverse-shell.ts'
import { isUntrusted } from '../shell/shell-origin.ts'
import { parseShell } from './shell-parse.ts'
import type { ParsedCommand, Pipeline } from './shell-parse.ts'
import type { Word } from './shell-words.ts'
import { resolveProgram } from './shell-program.ts'
import { createLocations } from './shell-locations.ts'
import { taintOfOutput } from './shell-sources.ts'
import { findRun } from './shell-runs.ts'
import { findKeysSentByProgram } from './shell-sends.ts'
import { markIndirect, mergeTaints, CLEAN } from './taint.ts'
import type { Taint } from './taint.ts'

export type ReportFinding = (rule: RuleId, summary: string, offset: number) => void

/** A program in another language that is passed as an argument. */
export interface InlineProgram {
  readonly program: string
  readonly text: string
  readonly offset: number
}

export interface ShellFlow {
  /**
   * Follows the next part of the shell code, and returns the programs in other languages that it passes as
   * arguments. Uses the variables and files of earlier parts.
   */
  follow(code: string, reportFinding: ReportFinding): readonly InlineProgram[]
}

/** Files that run automatically, or that control who may log in. */
const AUTOSTART_FILES =
  /\.(?:bash|zsh|k)rc\b|\.(?:bash_|z)?profile\b|\.zshenv\b|\.bash_login\b|\/hooks\/|LaunchAgents|LaunchDaemons|systemd\/|autostart|\/etc\/(?:cron|rc\.|profile)|authorized_keys|sitecustomize|config\.fish/
const PLACEHOLDER = /^(?:echo|printf)\s(?:-\w{1,2}\s)?(?:<[\w -]{1,40}>|\.{3}|…|[A-Z_]{4,20})$/
const COMMANDS_MAX = 8_192
const DEPTH_MAX = 8
const INLINE_PROGRAMS_MAX = 64

export function createShellFlow(fileVariables: ReadonlyMap<string, string>): ShellFlow {
  const locations = createLocations(fileVariables)
  const functions = new Map<string, readonly Pipeline[]>()
  const parsed = new Map<string, readonly Pipeline[]>()
  let budget = COMMANDS_MAX
  let inlinePrograms: InlineProgram[] = []
  let reportFinding: ReportFinding = () => {}
  let offset = 0
  let isAutostarted = false
  let isOutputHidden = false

  function parse(text: string): readonly Pipeline[] {
    const previous = parsed.get(text)
    if (previous) return previous
    const pipelines = parseShell(text)
    if (parsed.size < COMMANDS_MAX) parsed.set(text, pipelines)
    return pipelines
  }

  function followText(text: string, input: Taint, depth: number): Taint {
    return depth > DEPTH_MAX ? CLEAN : followPipelines(parse(text), input, depth)
  }

  function followPipelines(pipelines: readonly Pipeline[], input: Taint, depth: number): Taint {
    let outputTaint = CLEAN
    for (const pipeline of pipelines) {
      let pipedTaint = input
      // A placeholder in an example is not a program.
      if (PLACEHOLDER.test(pipeline.commands[0]?.words.map(({ unquoted }) => unquoted).join(' ') ?? ''))
        continue
      pipeline.commands.forEach((parsedCommand, index) => {
        if (--budget < 0) return
        if (depth === 0) offset = parsedCommand.offset
        pipedTaint = followCommand(
          parsedCommand,
          pipedTaint,
          index > 0 || input !== CLEAN,
          pipeline.isBackground,
          depth,
        )
      })
      outputTaint = mergeTaints(outputTaint, pipedTaint)
    }
    return outputTaint
  }

  /** The taint of a word: of its variables, and of the output of the commands in it. */
  function wordTaint(word: Word, depth: number): Taint {
    let mergedTaint = CLEAN
    for (const { variable, command: text } of word.parts)
      mergedTaint = mergeTaints(
        mergedTaint,
        variable === undefined
          ? followText(text ?? '', CLEAN, depth + 1)
          : markIndirect(locations.taintOfVariable(variable)),
      )
    return mergedTaint
  }

  function followCommand(
    parsedCommand: ParsedCommand,
    piped: Taint,
    isPiped: boolean,
    isBackground: boolean,
    depth: number,
  ): Taint {
    let input = piped
    let hasInput = isPiped
    for (const { name, word } of parsedCommand.assignments)
      locations.assign(name, word, wordTaint(word, depth))
    for (const { operator, handle, word } of parsedCommand.redirects) {
      if (operator === '<>' || (operator === '<' && /^\/dev\/(?:tcp|udp)\//.test(word.unquoted)))
        locations.openConnection(handle, word.unquoted)
      if (!operator.startsWith('<') || (operator === '<' && handle !== '' && handle !== '0')) continue
      hasInput = true
      const inputTaint = wordTaint(word, depth)
      input =
        operator === '<&' || operator === '<>'
          ? mergeTaints(locations.taintOfHandle(word.unquoted), inputTaint)
          : operator === '<' && !word.isFile
            ? locations.taintOfFile(word.unquoted)
            : inputTaint
    }
    if (parsedCommand.functionName !== null) {
      if (parsedCommand.body) functions.set(parsedCommand.functionName, parsedCommand.body)
      return CLEAN
    }
    const outputTaint = parsedCommand.body
      ? followPipelines(parsedCommand.body, input, depth + 1)
      : followSimple(parsedCommand, input, hasInput, isBackground, depth)
    return followRedirects(parsedCommand, outputTaint, depth)
  }

  function followRedirects(parsedCommand: ParsedCommand, outputTaint: Taint, depth: number): Taint {
    let printed = outputTaint
    for (const { operator, handle, word } of parsedCommand.redirects) {
      if (!operator.includes('>') || operator === '<>' || handle === '2') continue
      if (word.isFile)
        for (const { command: text } of word.parts) followText(text ?? '', outputTaint, depth + 1)
      else if (
        /^\/dev\/(?:tcp|udp)\//.test(word.unquoted) ||
        (operator === '>&' && locations.taintOfHandle(word.unquoted).isFromConnection)
      ) {
        if (outputTaint.secretLevel > 0 || outputTaint.isFromConnection)
          reportFinding(
            outputTaint.secretLevel > 0 ? 'shell-keys-sent' : 'shell-reverse-shell',
            outputTaint.secretLevel > 0
              ? 'Keys are sent over the network'
              : 'A shell is connected to the network',
            offset,
          )
      } else if (operator !== '>&') {
        if (AUTOSTART_FILES.test(locations.pathOf(word.unquoted))) followAutostart(parsedCommand, depth)
        locations.writeFile(word.unquoted, outputTaint)
        printed = CLEAN
      }
    }
    return printed
  }

  /** Follows the text that a command writes to a file that runs automatically. */
  function followAutostart(parsedCommand: ParsedCommand, depth: number): void {
    const texts = parsedCommand.redirects
      .filter(({ operator }) => operator === '<<' || operator === '<<<')
      .map(({ word }) => word.unquoted)
    const [program, ...args] = parsedCommand.words.map(({ unquoted }) => unquoted)
    if (/^(?:echo|printf)$/.test(program ?? ''))
      texts.push(
        args
          .filter((text) => !text.startsWith('-'))
          .join(' ')
          .replaceAll('\\n', '\n'),
      )
    const previous = isAutostarted
    isAutostarted = true
    for (const text of texts) followText(text.replace(/^\s*ExecStart\w*=/gm, ''), CLEAN, depth + 1)
    isAutostarted = previous
  }

  function followSimple(
    parsedCommand: ParsedCommand,
    input: Taint,
    hasInput: boolean,
    isBackground: boolean,
    depth: number,
  ): Taint {
    const program = resolveProgram(parsedCommand.words, (name) => locations.textOfVariable(name))
    if (program === null) return input
    const { name, words, line } = program
    if (parsedCommand.words[0]?.unquoted === 'coproc') locations.openConnection('COPROC', line)
    const taints = words.map((word) => wordTaint(word, depth))
    const functionBody = functions.get(name)
    if (functionBody && depth < DEPTH_MAX) {
      const restore = locations.enterFunction(taints.slice(1), words.slice(1))
      const outputTaint = followPipelines(functionBody, input, depth + 1)
      restore()
      return markIndirect(outputTaint)
    }
    if (name === 'alias') {
      const [, alias, body] = /^([\w.-]{1,60})=([^]*)$/.exec(words[1]?.unquoted ?? '') ?? []
      if (alias !== undefined && body !== undefined) functions.set(alias, parse(body))
      const parts = words[1]?.parts ?? []
      if (parts.length > 0 && (taints[1] ?? CLEAN).origin !== null)
        reportRun({ ...(taints[1] ?? CLEAN), isIndirect: true }, false)
      return CLEAN
    }
    if (/^(?:read|mapfile|readarray)$/.test(name)) {
      for (const word of words.slice(1))
        if (/^[A-Za-z_]\w*$/.test(word.unquoted)) locations.assign(word.unquoted, null, input)
      return CLEAN
    }
    const call = {
      program,
      taints,
      input,
      hasInput,
      locations,
    }
    const run = findRun(call)
    if (run !== null) {
      const runsHidden =
        isBackground &&
        parsedCommand.redirects.some(
          ({ operator, word }) => operator.includes('>') && word.unquoted === '/dev/null',
        )
      const previous = isOutputHidden
      isOutputHidden ||= runsHidden
      for (const text of run.texts) {
        if (run.isShell) followText(text, input, depth + 1)
        else if (inlinePrograms.length < INLINE_PROGRAMS_MAX)
          inlinePrograms.push({ program: name, text, offset })
      }
      if (run.taint !== null) reportRun(run.taint, run.isFile)
      const prints = run.isShell ? run.texts.map((text) => followText(text, input, depth + 1)) : []
      const printedTaint = run.isShell ? CLEAN : taintOfOutput(call)
      isOutputHidden = previous
      const connectionTaint = run.taint?.origin != null ? { ...CLEAN, isFromConnection: true } : CLEAN
      return [...prints, printedTaint].reduce(mergeTaints, connectionTaint)
    }
    const resolvedLine = locations.pathOf(program.line)
    if (resolvedLine !== program.line && isReverseShell(resolvedLine))
      reportFinding('shell-reverse-shell', 'A reverse shell', offset)
    const sentKeys = findKeysSentByProgram(call)
    if (sentKeys !== null) reportFinding(sentKeys.rule, sentKeys.summary, offset)
    return taintOfOutput(call)
  }

  function reportRun(taint: Taint, isFile: boolean): void {
    const { origin, isIndirect, isExtracted } = taint
    if (origin === null || (isFile && isExtracted)) return
    if (isAutostarted && origin !== 'local')
      reportFinding(
        'shell-persistent-access',
        'A program that starts automatically runs text that it fetches',
        offset,
      )
    else if (origin === 'decoded') reportFinding('shell-decoded-command', 'Decoded text is run', offset)
    else if (isUntrusted(origin))
      reportFinding('shell-untrusted-pipe-shell', 'Text from another machine is run', offset)
    else if (isOutputHidden)
      reportFinding(
        'shell-hidden-download',
        'A download is run in the background and its output is discarded',
        offset,
      )
    else if (isIndirect && origin === 'named' && !isFile)
      reportFinding('shell-fetched-command', 'Fetched text is run', offset)
  }

  return {
    follow(code, report) {
      parsed.clear()
      const pipelines = parse(code)
      budget = COMMANDS_MAX
      reportFinding = () => {}
      followPipelines(pipelines, CLEAN, 0)
      inlinePrograms = []
      reportFinding = report
      followPipelines(pipelines, CLEAN, 0)
      return inlinePrograms
    },
  }
}
