// Determines the taint of what a command prints or saves: text from another machine, decoded text, or keys.

import { graver, hostsOf, originOf } from '../shell/shell-origin.ts'
import { TEXT_FILTERS, decodes, fetches, isInterpreter, OF_THE_WEB, PACKS, READS } from './programs.ts'
import { CLIPBOARD, DUMPS, KEY_FILES, TOKENS } from './secrets.ts'
import type { Locations } from './shell-locations.ts'
import type { ShellProgram } from './shell-program.ts'
import { bent, both, CLEAN } from './taint.ts'
import type { Taint } from './taint.ts'

export interface ProgramCall {
  readonly program: ShellProgram
  /** The taint of each word. */
  readonly given: readonly Taint[]
  readonly input: Taint
  readonly hasInput: boolean
  readonly locations: Locations
  readonly within: (text: string) => Taint
}

const NO_PROGRAM =
  /https?:\/\/[^\s?#]{1,300}\.(?:css|json|png|jpe?g|gif|svg|ico|webp|woff2?|ttf|csv|xml|dat|log|md|html?|pdf)(?=[\s?#]|$)/i
const UNPACKS =
  /^(?:gunzip|zcat|bzcat|xzcat|zstdcat|bunzip2|unxz|lzcat|unlzma|gzip|bzip2|xz|zstd|lz4|brotli|unzip|7za?)$/
const LIVES = /^(?:nc|ncat|netcat|nc\.openbsd|nc\.traditional|socat|telnet|websocat|wscat)$/
/** Programs that select single lines of a dump. */
const PICKS = /^(?:grep|egrep|rg|awk|cut|jq|head|sed)$/
const IDENTITY = /^(?:-i|--identity(?:-file)?|-F|--key|--cert|--env-file|--kubeconfig)$/

export function printedBy(call: ProgramCall): Taint {
  const { program, given, input, locations } = call
  const { name, words, line } = program
  const operands = words.slice(1)
  if (fetches(name, line)) return fetched(call)
  let out = given.slice(1).reduce(both, CLEAN)
  if (!READS.test(name)) out = { ...out, code: null, isBent: false }
  const files = operands.map(({ plain }, index) =>
    plain.startsWith('-') || IDENTITY.test(operands[index - 1]?.plain ?? '') ? CLEAN : locations.file(plain),
  )
  const held = files.reduce(both, CLEAN)
  if (READS.test(name) && held !== CLEAN && !/^(?:echo|printf|ln|find|rm)$/.test(name)) {
    out = both(out, isPicked(name, line) && held.secret > 0 ? { ...held, secret: 1 } : held)
    if (PACKS.test(name))
      for (const { plain } of operands) if (!plain.startsWith('-')) save(call, plain, held)
  }
  if (decodes(line)) {
    const isUnpacked = UNPACKS.test(name)
    const known = both(input, held).code
    if (!isUnpacked || known === null)
      out = both(out, { ...CLEAN, code: 'decoded', isBent: true, isPacked: isUnpacked })
    const target = /\s(?:-o|-out|--output)[ =]([^\s]{1,200})/.exec(line)?.[1]
    if (target !== undefined) locations.put(target, out)
  }
  if (DUMPS.test(line) && operands.every(({ parts }) => parts.length === 0))
    out = both(out, { ...CLEAN, secret: 2 })
  if (TOKENS.test(line) || CLIPBOARD.test(line)) out = both(out, { ...CLEAN, secret: 1, owner: name })
  if (name === 'tee') for (const { plain } of operands) locations.put(plain, both(input, out))
  const picks = PICKS.test(name) && !/key|token|secret|pass|cred|-v\b/i.test(line)
  const passed0 = picks && input.secret === 2 ? { ...input, secret: 1 as const } : input
  const passed = TEXT_FILTERS.test(name) || (name !== 'cat' && name !== 'tee') ? bent(passed0) : passed0
  return both(out, isInterpreter(name) ? CLEAN : passed)
}

/** True for a command that reads single settings from a `.env` file. */
function isPicked(name: string, line: string): boolean {
  return /^(?:grep|egrep|rg|awk|sed|cut)$/.test(name) && /\.env\b/.test(line)
}

function save({ locations }: ProgramCall, path: string, taint: Taint): void {
  if (!KEY_FILES.test(path)) locations.put(path, taint)
}

function fetched(call: ProgramCall): Taint {
  const { name, line, words } = call.program
  const { locations } = call
  const text = line.replace(
    /\$([A-Za-z_]\w{0,60})/g,
    (seen, variable: string) => locations.textOf(variable) ?? seen,
  )
  const isWeb = OF_THE_WEB.test(name)
  const source = originOf(text) ?? hostsOf(text)
  // Programs are not distributed as images or style sheets.
  const code = !isWeb || NO_PROGRAM.test(text) ? graver(source, 'bare') : source
  const out: Taint = {
    ...CLEAN,
    code: code === 'decoded' ? 'named' : code,
    isBent: !isWeb,
    isLive: LIVES.test(name),
  }
  const secret = DUMPS.test(line) ? 2 : TOKENS.test(line) ? 1 : 0
  const own = { ...out, secret, owner: secret === 1 ? name : '' } as const
  if (!isWeb) return own
  const target =
    /\s(?:-[a-zA-Z]{0,8}[oO](?=[ =/.~$])|--output(?:-document)?[ =])[ =]?([^\s-][^\s]{0,200})/.exec(line)?.[1]
  const printed = /\s-[a-zA-Z]{0,4}O\s?-(?:\s|$)|\s--output-document=-|\s-o\s?-(?:\s|$)/.test(line)
  const saves =
    !printed && (target !== undefined || /\s-[a-zA-Z]{0,6}O\b|--remote-name/.test(line) || name === 'wget')
  if (!saves) return out
  const url = words.map(({ plain }) => plain).find((plain) => /:\/\//.test(plain)) ?? ''
  for (const path of [target, url.replace(/[?#].*$/, '').replace(/^.*\//, '')])
    if (path !== undefined && path !== '') locations.put(path, out)
  return CLEAN
}
