// Determines the taint of what a command prints or saves: text from another machine, decoded text, or keys.

import { moreSevere, originOfHosts, originOfCommand } from '../shell/shell-origin.ts'
import {
  TEXT_FILTERS,
  decodesData,
  fetchesData,
  isInterpreter,
  WEB_PROGRAMS,
  COPY_PROGRAMS,
  READ_PROGRAMS,
} from './programs.ts'
import { CLIPBOARD_COMMANDS, DUMP_COMMANDS, KEY_FILES, TOKEN_COMMANDS } from './secrets.ts'
import type { Locations } from './shell-locations.ts'
import type { ShellProgram } from './shell-program.ts'
import { markIndirect, mergeTaints, CLEAN } from './taint.ts'
import type { Taint } from './taint.ts'

export interface ProgramCall {
  readonly program: ShellProgram
  /** The taint of each word. */
  readonly taints: readonly Taint[]
  readonly input: Taint
  readonly hasInput: boolean
  readonly locations: Locations
}

const NO_PROGRAM_FILE =
  /https?:\/\/[^\s?#]{1,300}\.(?:css|json|png|jpe?g|gif|svg|ico|webp|woff2?|ttf|csv|xml|dat|log|md|html?|pdf)(?=[\s?#]|$)/i
const UNPACK_PROGRAMS =
  /^(?:gunzip|zcat|bzcat|xzcat|zstdcat|bunzip2|unxz|lzcat|unlzma|gzip|bzip2|xz|zstd|lz4|brotli|unzip|7za?)$/
const CONNECTION_PROGRAMS = /^(?:nc|ncat|netcat|nc\.openbsd|nc\.traditional|socat|telnet|websocat|wscat)$/
/** Programs that select single lines of a dump. */
const FILTER_PROGRAMS = /^(?:grep|egrep|rg|awk|cut|jq|head|sed)$/
const IDENTITY_OPTIONS = /^(?:-i|--identity(?:-file)?|-F|--key|--cert|--env-file|--kubeconfig)$/

export function taintOfOutput(call: ProgramCall): Taint {
  const { program, taints, input, locations } = call
  const { name, words, line } = program
  const operands = words.slice(1)
  if (fetchesData(name, line)) return taintOfFetch(call)
  let outputTaint = taints.slice(1).reduce(mergeTaints, CLEAN)
  if (!READ_PROGRAMS.test(name)) outputTaint = { ...outputTaint, origin: null, isIndirect: false }
  const files = operands.map(({ unquoted }, index) =>
    unquoted.startsWith('-') || IDENTITY_OPTIONS.test(operands[index - 1]?.unquoted ?? '')
      ? CLEAN
      : locations.taintOfFile(unquoted),
  )
  const filesTaint = files.reduce(mergeTaints, CLEAN)
  if (READ_PROGRAMS.test(name) && filesTaint !== CLEAN && !/^(?:echo|printf|ln|find|rm)$/.test(name)) {
    outputTaint = mergeTaints(
      outputTaint,
      readsSettings(name, line) && filesTaint.secretLevel > 0
        ? { ...filesTaint, secretLevel: 1 }
        : filesTaint,
    )
    if (COPY_PROGRAMS.test(name))
      for (const { unquoted } of operands) if (!unquoted.startsWith('-')) save(call, unquoted, filesTaint)
  }
  if (decodesData(line)) {
    const isUnpacked = UNPACK_PROGRAMS.test(name)
    const inputOrigin = mergeTaints(input, filesTaint).origin
    if (!isUnpacked || inputOrigin === null)
      outputTaint = mergeTaints(outputTaint, {
        ...CLEAN,
        origin: 'decoded',
        isIndirect: true,
        isExtracted: isUnpacked,
      })
    const target = /\s(?:-o|-out|--output)[ =]([^\s]{1,200})/.exec(line)?.[1]
    if (target !== undefined) locations.writeFile(target, outputTaint)
  }
  if (DUMP_COMMANDS.test(line) && operands.every(({ parts }) => parts.length === 0))
    outputTaint = mergeTaints(outputTaint, { ...CLEAN, secretLevel: 2 })
  if (TOKEN_COMMANDS.test(line) || CLIPBOARD_COMMANDS.test(line))
    outputTaint = mergeTaints(outputTaint, { ...CLEAN, secretLevel: 1, owner: name })
  if (name === 'tee')
    for (const { unquoted } of operands) locations.writeFile(unquoted, mergeTaints(input, outputTaint))
  const isFilter = FILTER_PROGRAMS.test(name) && !/key|token|secret|pass|cred|-v\b/i.test(line)
  const filtered = isFilter && input.secretLevel === 2 ? { ...input, secretLevel: 1 as const } : input
  const passedTaint =
    TEXT_FILTERS.test(name) || (name !== 'cat' && name !== 'tee') ? markIndirect(filtered) : filtered
  return mergeTaints(outputTaint, isInterpreter(name) ? CLEAN : passedTaint)
}

/** True for a command that reads single settings from a `.env` file. */
function readsSettings(name: string, line: string): boolean {
  return /^(?:grep|egrep|rg|awk|sed|cut)$/.test(name) && /\.env\b/.test(line)
}

function save({ locations }: ProgramCall, path: string, taint: Taint): void {
  if (!KEY_FILES.test(path)) locations.writeFile(path, taint)
}

function taintOfFetch(call: ProgramCall): Taint {
  const { name, line, words } = call.program
  const { locations } = call
  const text = line.replace(
    /\$([A-Za-z_]\w{0,60})/g,
    (reference, variable: string) => locations.textOfVariable(variable) ?? reference,
  )
  const isWeb = WEB_PROGRAMS.test(name)
  const addressOrigin = originOfCommand(text) ?? originOfHosts(text)
  // Programs are not distributed as images or style sheets.
  const origin = !isWeb || NO_PROGRAM_FILE.test(text) ? moreSevere(addressOrigin, 'bare') : addressOrigin
  const outputTaint: Taint = {
    ...CLEAN,
    origin: origin === 'decoded' ? 'named' : origin,
    isIndirect: !isWeb,
    isFromConnection: CONNECTION_PROGRAMS.test(name),
  }
  const secretLevel = DUMP_COMMANDS.test(line) ? 2 : TOKEN_COMMANDS.test(line) ? 1 : 0
  const fetchTaint = { ...outputTaint, secretLevel, owner: secretLevel === 1 ? name : '' } as const
  if (!isWeb) return fetchTaint
  const target =
    /\s(?:-[a-zA-Z]{0,8}[oO](?=[ =/.~$])|--output(?:-document)?[ =])[ =]?([^\s-][^\s]{0,200})/.exec(line)?.[1]
  const isPrinted = /\s-[a-zA-Z]{0,4}O\s?-(?:\s|$)|\s--output-document=-|\s-o\s?-(?:\s|$)/.test(line)
  const isSaved =
    !isPrinted && (target !== undefined || /\s-[a-zA-Z]{0,6}O\b|--remote-name/.test(line) || name === 'wget')
  if (!isSaved) return outputTaint
  const url = words.map(({ unquoted }) => unquoted).find((unquoted) => /:\/\//.test(unquoted)) ?? ''
  for (const path of [target, url.replace(/[?#].*$/, '').replace(/^.*\//, '')])
    if (path !== undefined && path !== '') locations.writeFile(path, outputTaint)
  return CLEAN
}
