// Detects commands that send keys to another machine: from an argument, a file or a pipe.

import type { RuleId } from '../rules/rules.ts'
import { originOfHosts } from '../shell/shell-origin.ts'
import { AUTH_HEADERS, sendsData, AUTH_OPTIONS } from './programs.ts'
import { belongsToOtherHost, KEY_FILES } from './secrets.ts'
import type { ProgramCall } from './shell-sources.ts'
import { mergeTaints, CLEAN } from './taint.ts'
import type { Taint } from './taint.ts'

interface Sent {
  readonly rule: RuleId
  readonly summary: string
}

const WEB_PROGRAMS = /^(?:curl|wget|https?|xhs?|aria2c)$/
const FILE_SENDERS =
  /^(?:scp|sftp|rsync|rclone|aws|gsutil|gcloud|az|ftp|lftp|tftp|croc|wormhole|magic-wormhole|ffsend|transfer|smbclient|gh|ipfs)$/
const READS_STDIN = /@-(?=["'\s;&]|$)|\s(?:-T|--upload-file)[ =]?[-.](?:\s|$)|--post-file=-|\/dev\/stdin/
/** The hosts that a token belongs to, by the program that printed it. */
const TOKEN_HOSTS: readonly (readonly [RegExp, RegExp])[] = [
  [/^gh$/, /github|ghcr/],
  [/^glab$/, /gitlab/],
  [/^aws$/, /amazonaws|aws/],
  [/^gcloud$/, /./],
  [/^az$/, /azure|microsoft|windows\.net|visualstudio/],
  [/^npm$/, /npm/],
]

export function findKeysSentByProgram(call: ProgramCall): Sent | null {
  const { program, taints, input, locations } = call
  const { name, words, line } = program
  if (!sendsData(name, line)) return null
  const text = line.replace(
    /\$([A-Za-z_]\w{0,60})/g,
    (reference, variable: string) => locations.textOfVariable(variable) ?? reference,
  )
  if (originOfHosts(text) === 'local') return null
  const isWeb = WEB_PROGRAMS.test(name)
  if (isWeb && !/:\/\/|\$|\w\.\w/.test(line)) return null
  let sent: Taint = CLEAN
  if (input.secretLevel > 0 && (!isWeb || READS_STDIN.test(line) || /^(?:https?|xhs?)$/.test(name)))
    sent = input
  for (let index = 1; index < words.length; index++) {
    const word = words[index]
    const previousWord = words[index - 1]?.unquoted ?? ''
    if (
      word === undefined ||
      (index > 1 && AUTH_OPTIONS.test(previousWord) && !(previousWord === '-F' && isWeb))
    )
      continue
    const wordTaint = taints[index] ?? CLEAN
    const isAuthHeader = /^(?:-H|--header)$/.test(previousWord) && AUTH_HEADERS.test(word.unquoted)
    if (!isAuthHeader) {
      sent = mergeTaints(sent, wordTaint)
      for (const { variable } of word.parts)
        if (variable !== undefined && isWeb && belongsToOtherHost(variable, text))
          return {
            rule: 'shell-keys-sent',
            summary: "A service's key is sent to a host other than that service's",
          }
    } else if (
      word.parts.some(
        ({ variable }) =>
          variable !== undefined &&
          /^(?:GITHUB|GH|NPM)_TOKEN$/.test(variable) &&
          belongsToOtherHost(variable, text),
      )
    )
      return {
        rule: 'shell-keys-sent',
        summary: "A service's key is sent to a host other than that service's",
      }
    const path =
      /(?:^|[=;])[@<]([^;]{1,200})/.exec(word.unquoted)?.[1] ??
      (takesFile(previousWord) ? word.unquoted : null)
    if (path !== null) sent = mergeTaints(sent, locations.taintOfFile(path))
    else if (
      FILE_SENDERS.test(name) &&
      index < words.length - (name === 'gh' ? 0 : 1) &&
      !word.unquoted.startsWith('-')
    ) {
      const fileTaint = locations.taintOfFile(word.unquoted)
      if (!/\.env\b/.test(word.unquoted)) sent = mergeTaints(sent, fileTaint)
    }
  }
  if (sent.secretLevel === 0) return findSentOutput(call)
  if (sent.secretLevel === 1) {
    const hostPattern =
      TOKEN_HOSTS.find(([owner]) => owner.test(sent.owner))?.[1] ?? (sent.owner === '' ? /./ : /(?!)/)
    const hosts = Array.from(text.matchAll(/https?:\/\/([\w.-]{1,200})/g), ([, host = '']) => host).join(' ')
    if (sent.owner === '' || (hosts !== '' && hostPattern.test(hosts))) return null
  }
  return { rule: 'shell-keys-sent', summary: 'Keys are sent over the network' }
}

function takesFile(option: string): boolean {
  return /^(?:-T|--upload-file|--post-file|--body-file|-a|--attach(?:ment)?)$/.test(option)
}

/** A reverse shell: the output of a program that ran text from a connection is sent back. */
function findSentOutput({ input, program }: ProgramCall): Sent | null {
  if (!input.isFromConnection || input.origin !== null || KEY_FILES.test(program.line)) return null
  return {
    rule: 'shell-reverse-shell',
    summary: 'Text from another machine is run and its output is sent back',
  }
}
