// Follows values through shell code: fetched or decoded text to the command that runs it, and keys to the
// command that sends them. Each script is followed twice, so that values that are defined after their use
// count too. Runs nothing.

import type { RuleId } from '../rules/rules.ts'
import { isReverseShell } from '../shell/reverse-shell.ts'
import { isGrave } from '../shell/shell-origin.ts'
import { parseShell } from './shell-parse.ts'
import type { ParsedCommand, Pipeline } from './shell-parse.ts'
import type { Word } from './shell-words.ts'
import { resolveProgram } from './shell-program.ts'
import { createLocations } from './shell-locations.ts'
import { printedBy } from './shell-sources.ts'
import { runBy } from './shell-runs.ts'
import { isSent } from './shell-sends.ts'
import { bent, both, CLEAN } from './taint.ts'
import type { Taint } from './taint.ts'

export type ReportFinding = (rule: RuleId, seen: string, at: number) => void

/** A program in another language that is passed as an argument. */
export interface Inline {
  readonly program: string
  readonly text: string
  readonly at: number
}

export interface ShellFlow {
  /**
   * Follows the next part of the shell code, and returns the programs in other languages that it passes as
   * arguments. Variables and files from earlier parts are known.
   */
  follow(code: string, tell: ReportFinding): readonly Inline[]
}

/** Files that run automatically, or that control who may log in. */
const STARTS =
  /\.(?:bash|zsh|k)rc\b|\.(?:bash_|z)?profile\b|\.zshenv\b|\.bash_login\b|\/hooks\/|LaunchAgents|LaunchDaemons|systemd\/|autostart|\/etc\/(?:cron|rc\.|profile)|authorized_keys|sitecustomize|config\.fish/
const PLACEHOLDER = /^(?:echo|printf)\s(?:-\w{1,2}\s)?(?:<[\w -]{1,40}>|\.{3}|…|[A-Z_]{4,20})$/
const COMMANDS_MAX = 8_192
const DEPTH_MAX = 8
const INLINES_MAX = 64

export function createShellFlow(ambient: ReadonlyMap<string, string>): ShellFlow {
  const locations = createLocations(ambient)
  const functions = new Map<string, readonly Pipeline[]>()
  const parsed = new Map<string, readonly Pipeline[]>()
  let budget = COMMANDS_MAX
  let inlines: Inline[] = []
  let tell: ReportFinding = () => {}
  let at = 0
  let isStarted = false
  let isHidden = false

  function parse(text: string): readonly Pipeline[] {
    const before = parsed.get(text)
    if (before) return before
    const pipelines = parseShell(text)
    if (parsed.size < COMMANDS_MAX) parsed.set(text, pipelines)
    return pipelines
  }

  function inText(text: string, input: Taint, depth: number): Taint {
    return depth > DEPTH_MAX ? CLEAN : script(parse(text), input, depth)
  }

  function script(pipelines: readonly Pipeline[], input: Taint, depth: number): Taint {
    let out = CLEAN
    for (const pipeline of pipelines) {
      let carried = input
      // A placeholder in an example is not a program.
      if (PLACEHOLDER.test(pipeline.commands[0]?.words.map(({ plain }) => plain).join(' ') ?? '')) continue
      pipeline.commands.forEach((one, index) => {
        if (--budget < 0) return
        if (depth === 0) at = one.at
        carried = command(one, carried, index > 0 || input !== CLEAN, pipeline.isBehind, depth)
      })
      out = both(out, carried)
    }
    return out
  }

  /** The taint of a word: of its variables, and of the output of the commands in it. */
  function wordTaint(word: Word, depth: number): Taint {
    let found = CLEAN
    for (const { variable, command: text } of word.parts)
      found = both(
        found,
        variable === undefined ? inText(text ?? '', CLEAN, depth + 1) : bent(locations.variable(variable)),
      )
    return found
  }

  function command(
    one: ParsedCommand,
    piped: Taint,
    isPiped: boolean,
    isBehind: boolean,
    depth: number,
  ): Taint {
    let input = piped
    let hasInput = isPiped
    for (const { name, word } of one.gives) locations.give(name, word, wordTaint(word, depth))
    for (const { sign, handle, word } of one.redirects) {
      if (sign === '<>' || (sign === '<' && /^\/dev\/(?:tcp|udp)\//.test(word.plain)))
        locations.open(handle, word.plain)
      if (!sign.startsWith('<') || (sign === '<' && handle !== '' && handle !== '0')) continue
      hasInput = true
      const given = wordTaint(word, depth)
      input =
        sign === '<&' || sign === '<>'
          ? both(locations.handle(word.plain), given)
          : sign === '<' && !word.isFile
            ? locations.file(word.plain)
            : given
    }
    if (one.defines !== null) {
      if (one.body) functions.set(one.defines, one.body)
      return CLEAN
    }
    const out = one.body ? script(one.body, input, depth + 1) : simple(one, input, hasInput, isBehind, depth)
    return redirected(one, out, depth)
  }

  function redirected(one: ParsedCommand, out: Taint, depth: number): Taint {
    let printed = out
    for (const { sign, handle, word } of one.redirects) {
      if (!sign.includes('>') || sign === '<>' || handle === '2') continue
      if (word.isFile) for (const { command: text } of word.parts) inText(text ?? '', out, depth + 1)
      else if (
        /^\/dev\/(?:tcp|udp)\//.test(word.plain) ||
        (sign === '>&' && locations.handle(word.plain).isLive)
      ) {
        if (out.secret > 0 || out.isLive)
          tell(
            out.secret > 0 ? 'shell-keys-sent' : 'shell-reverse-shell',
            out.secret > 0 ? 'Keys are sent over the network' : 'A shell is connected to the network',
            at,
          )
      } else if (sign !== '>&') {
        if (STARTS.test(locations.pathOf(word.plain))) starts(one, depth)
        locations.put(word.plain, out)
        printed = CLEAN
      }
    }
    return printed
  }

  /** Follows the text that a command writes to a file that runs automatically. */
  function starts(one: ParsedCommand, depth: number): void {
    const texts = one.redirects
      .filter(({ sign }) => sign === '<<' || sign === '<<<')
      .map(({ word }) => word.plain)
    const [program, ...given] = one.words.map(({ plain }) => plain)
    if (/^(?:echo|printf)$/.test(program ?? ''))
      texts.push(
        given
          .filter((text) => !text.startsWith('-'))
          .join(' ')
          .replaceAll('\\n', '\n'),
      )
    const before = isStarted
    isStarted = true
    for (const text of texts) inText(text.replace(/^\s*ExecStart\w*=/gm, ''), CLEAN, depth + 1)
    isStarted = before
  }

  function simple(
    one: ParsedCommand,
    input: Taint,
    hasInput: boolean,
    isBehind: boolean,
    depth: number,
  ): Taint {
    const program = resolveProgram(one.words, (name) => locations.textOf(name))
    if (program === null) return input
    const { name, words, line } = program
    if (one.words[0]?.plain === 'coproc') locations.open('COPROC', line)
    const given = words.map((word) => wordTaint(word, depth))
    const called = functions.get(name)
    if (called && depth < DEPTH_MAX) {
      const leave = locations.enter(given.slice(1), words.slice(1))
      const out = script(called, input, depth + 1)
      leave()
      return bent(out)
    }
    if (name === 'alias') {
      const [, alias, body] = /^([\w.-]{1,60})=([^]*)$/.exec(words[1]?.plain ?? '') ?? []
      if (alias !== undefined && body !== undefined) functions.set(alias, parse(body))
      const parts = words[1]?.parts ?? []
      if (parts.length > 0 && (given[1] ?? CLEAN).code !== null)
        ran({ ...(given[1] ?? CLEAN), isBent: true }, false)
      return CLEAN
    }
    if (/^(?:read|mapfile|readarray)$/.test(name)) {
      for (const word of words.slice(1))
        if (/^[A-Za-z_]\w*$/.test(word.plain)) locations.give(word.plain, null, input)
      return CLEAN
    }
    const call = {
      program,
      given,
      input,
      hasInput,
      locations,
      within: (text: string) => inText(text, input, depth + 1),
    }
    const run = runBy(call)
    if (run !== null) {
      const hides =
        isBehind && one.redirects.some(({ sign, word }) => sign.includes('>') && word.plain === '/dev/null')
      const before = isHidden
      isHidden ||= hides
      for (const text of run.texts) {
        if (run.isShell) inText(text, input, depth + 1)
        else if (inlines.length < INLINES_MAX) inlines.push({ program: name, text, at })
      }
      if (run.taint !== null) ran(run.taint, run.isFile)
      const prints = run.isShell ? run.texts.map((text) => inText(text, input, depth + 1)) : []
      const own = run.isShell ? CLEAN : printedBy(call)
      isHidden = before
      const live = run.taint?.code != null ? { ...CLEAN, isLive: true } : CLEAN
      return [...prints, own].reduce(both, live)
    }
    const known = locations.pathOf(program.line)
    if (known !== program.line && isReverseShell(known)) tell('shell-reverse-shell', 'A reverse shell', at)
    const sent = isSent(call)
    if (sent !== null) tell(sent.rule, sent.seen, at)
    return printedBy(call)
  }

  function ran(taint: Taint, isFile: boolean): void {
    const { code, isBent, isPacked } = taint
    if (code === null || (isFile && isPacked)) return
    if (isStarted && code !== 'local')
      tell('shell-persistent-access', 'A program that starts automatically runs text that it fetches', at)
    else if (code === 'decoded') tell('shell-decoded-command', 'Decoded text is run', at)
    else if (isGrave(code)) tell('shell-untrusted-pipe-shell', 'Text from another machine is run', at)
    else if (isHidden)
      tell('shell-hidden-download', 'A download is run in the background and its output is discarded', at)
    else if (isBent && code === 'named' && !isFile) tell('shell-fetched-command', 'Fetched text is run', at)
  }

  return {
    follow(code, report) {
      parsed.clear()
      const pipelines = parse(code)
      budget = COMMANDS_MAX
      tell = () => {}
      script(pipelines, CLEAN, 0)
      inlines = []
      tell = report
      script(pipelines, CLEAN, 0)
      return inlines
    },
  }
}
