// Detects calls that send key files over the network. Follows variables for a few steps.

import { isPersonalPath, isSensitivePath, isSettingsPath } from '../../base/hosts.ts'
import type { CodeFile } from './fetched.ts'
import type { SyntaxNode } from './syntax.ts'
import type { Arguments } from './values.ts'

/** Functions that send a body. Opening a connection with a key file does not send the file. */
const SENDS =
  /(?:^|\.)(?:post|put|patch|request|Request|urlopen|fetch|send|sendall|sendBeacon|storbinary|sendmail|send_message|upload\w{0,20}|got|axios)$/
const READS =
  /(?:^|\.)(?:open|read_text|read_bytes|readFile(?:Sync)?|createReadStream|file|readTextFile|openAsBlob)$/
const CALLS = /^(?:CallExpression|NewExpression)$/
const TEXTS = /^(?:String|FormatString|TemplateString)$/
/** Options with which a client authenticates itself. */
const IDENTIFIES = /^(?:auth|cert|verify|key|pkey|key_filename|env|timeout|proxies)$/
const DEPTH_MAX = 4
const NODES_MAX = 256
const A_NODE = 10

/** The literal that names a key file whose content a call sends; null if there is none. */
export function sentKeys(file: CodeFile, path: string, given: Arguments): SyntaxNode | null {
  if (!SENDS.test(path)) return null
  const named = Array.from(given.named, ([name, value]) => (IDENTIFIES.test(name) ? -1 : value))
  for (const value of [...given.positional, ...named].slice(0, ARGUMENTS_MAX)) {
    const found = value < 0 ? null : keysIn(file, value, 0, false)
    if (found !== null) return found
  }
  return null
}

const ARGUMENTS_MAX = 16

function keysIn(file: CodeFile, value: SyntaxNode, depth: number, isRead: boolean): SyntaxNode | null {
  const { syntax, names, language, resolve } = file
  let reads = isRead
  for (let node = value; node < value + NODES_MAX && syntax.within(node, value); node++) {
    syntax.spend(A_NODE)
    const name = syntax.name(node)
    if (CALLS.test(name)) {
      const [first = -1, second = -1] = syntax.kids(node)
      const callee = name === 'NewExpression' ? second : first
      reads ||=
        resolve(callee).some((path) => READS.test(path)) || READS.test(syntax.textOf(callee).slice(-40))
    } else if (TEXTS.test(name) && reads) {
      if (
        isKeys(
          syntax
            .textOf(node)
            .slice(0, 1_000)
            .replace(/^\w{0,3}["'`]{1,3}|["'`]{1,3}$/g, ''),
        )
      )
        return node
    }
    if (name !== 'VariableName' || depth >= DEPTH_MAX) continue
    for (const { value: held } of names.givenTo(language.word(syntax.textOf(node)), node) ?? []) {
      if (held === undefined || syntax.within(node, held)) continue
      const found = keysIn(file, held, depth + 1, reads)
      if (found !== null) return found
    }
  }
  return null
}

function isKeys(text: string): boolean {
  return isSensitivePath(text) || isPersonalPath(text) || isSettingsPath(text)
}

const PASSWORDS = /(?:^|[/\\])(?:Login Data|logins\.json|key[34]\.db)$/
const WALLETS =
  /Local Extension Settings|\.electrum|\.ethereum|Ethereum[/\\]keystore|solana[/\\]id\.json|wallet\.dat|exodus\.wallet|\.bitcoin|^nkbihfbeogaeaoehlefnkodbefgpgknn$/

/** Whether the personal files that a script names include saved passwords, or the data of several wallets. */
export function isHoard(texts: readonly string[]): boolean {
  if (texts.some((text) => PASSWORDS.test(text))) return true
  const kinds = texts.flatMap((text) => WALLETS.exec(text)?.[0] ?? [])
  return new Set(kinds).size > 1
}
