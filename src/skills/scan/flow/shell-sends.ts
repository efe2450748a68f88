// Detects commands that send keys to another machine: from an argument, a file or a pipe.

import type { RuleId } from '../rules/rules.ts'
import { hostsOf } from '../shell/shell-origin.ts'
import { AUTHORIZES, carries, IDENTIFIES } from './programs.ts'
import { isElsewhere, KEY_FILES } from './secrets.ts'
import type { ProgramCall } from './shell-sources.ts'
import { both, CLEAN } from './taint.ts'
import type { Taint } from './taint.ts'

interface Sent {
  readonly rule: RuleId
  readonly seen: string
}

const WEB = /^(?:curl|wget|https?|xhs?|aria2c)$/
const COPIES =
  /^(?:scp|sftp|rsync|rclone|aws|gsutil|gcloud|az|ftp|lftp|tftp|croc|wormhole|magic-wormhole|ffsend|transfer|smbclient|gh|ipfs)$/
const TAKES_INPUT = /@-(?=["'\s;&]|$)|\s(?:-T|--upload-file)[ =]?[-.](?:\s|$)|--post-file=-|\/dev\/stdin/
/** The hosts that a token belongs to, by the program that printed it. */
const OWNERS: readonly (readonly [RegExp, RegExp])[] = [
  [/^gh$/, /github|ghcr/],
  [/^glab$/, /gitlab/],
  [/^aws$/, /amazonaws|aws/],
  [/^gcloud$/, /./],
  [/^az$/, /azure|microsoft|windows\.net|visualstudio/],
  [/^npm$/, /npm/],
]

export function isSent(call: ProgramCall): Sent | null {
  const { program, given, input, locations } = call
  const { name, words, line } = program
  if (!carries(name, line)) return null
  const text = line.replace(
    /\$([A-Za-z_]\w{0,60})/g,
    (seen, variable: string) => locations.textOf(variable) ?? seen,
  )
  if (hostsOf(text) === 'local') return null
  const isWeb = WEB.test(name)
  if (isWeb && !/:\/\/|\$|\w\.\w/.test(line)) return null
  let sent: Taint = CLEAN
  if (input.secret > 0 && (!isWeb || TAKES_INPUT.test(line) || /^(?:https?|xhs?)$/.test(name))) sent = input
  for (let index = 1; index < words.length; index++) {
    const word = words[index]
    const before = words[index - 1]?.plain ?? ''
    if (word === undefined || (index > 1 && IDENTIFIES.test(before) && !(before === '-F' && isWeb))) continue
    const own = given[index] ?? CLEAN
    const authorizes = /^(?:-H|--header)$/.test(before) && AUTHORIZES.test(word.plain)
    if (!authorizes) {
      sent = both(sent, own)
      for (const { variable } of word.parts)
        if (variable !== undefined && isWeb && isElsewhere(variable, text))
          return { rule: 'shell-keys-sent', seen: 'The key of a service is sent to another host' }
    } else if (
      word.parts.some(
        ({ variable }) =>
          variable !== undefined && /^(?:GITHUB|GH|NPM)_TOKEN$/.test(variable) && isElsewhere(variable, text),
      )
    )
      return { rule: 'shell-keys-sent', seen: 'The key of a service is sent to another host' }
    const path =
      /(?:^|[=;])[@<]([^;]{1,200})/.exec(word.plain)?.[1] ?? (takesFile(before) ? word.plain : null)
    if (path !== null) sent = both(sent, locations.file(path))
    else if (
      COPIES.test(name) &&
      index < words.length - (name === 'gh' ? 0 : 1) &&
      !word.plain.startsWith('-')
    ) {
      const held = locations.file(word.plain)
      if (!/\.env\b/.test(word.plain)) sent = both(sent, held)
    }
  }
  if (sent.secret === 0) return sentAnswer(call)
  if (sent.secret === 1) {
    const belongs =
      OWNERS.find(([owner]) => owner.test(sent.owner))?.[1] ?? (sent.owner === '' ? /./ : /(?!)/)
    const hosts = Array.from(text.matchAll(/https?:\/\/([\w.-]{1,200})/g), ([, host = '']) => host).join(' ')
    if (sent.owner === '' || (hosts !== '' && belongs.test(hosts))) return null
  }
  return { rule: 'shell-keys-sent', seen: 'Keys are sent over the network' }
}

function takesFile(option: string): boolean {
  return /^(?:-T|--upload-file|--post-file|--body-file|-a|--attach(?:ment)?)$/.test(option)
}

/** A reverse shell: the output of a program that ran text from a connection is sent back. */
function sentAnswer({ input, program }: ProgramCall): Sent | null {
  if (!input.isLive || input.code !== null || KEY_FILES.test(program.line)) return null
  return {
    rule: 'shell-reverse-shell',
    seen: 'Text from another machine is run and its output is sent back',
  }
}
