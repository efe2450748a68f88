// Detects calls that send key files over the network. Follows variables for a few steps.

import { isPersonalPath, isSensitivePath, isSettingsPath } from '../../base/hosts.ts'
import type { CodeFile } from './fetch-source.ts'
import type { SyntaxNode } from './syntax.ts'
import type { Arguments } from './values.ts'

/** Functions that send a body. Opening a connection with a key file does not send the file. */
const SEND_CALLS =
  /(?:^|\.)(?:post|put|patch|request|Request|urlopen|fetch|send|sendall|sendBeacon|storbinary|sendmail|send_message|upload\w{0,20}|got|axios)$/
const READ_CALLS =
  /(?:^|\.)(?:open|read_text|read_bytes|readFile(?:Sync)?|createReadStream|file|readTextFile|openAsBlob)$/
const CALL_KINDS = /^(?:CallExpression|NewExpression)$/
const STRING_KINDS = /^(?:String|FormatString|TemplateString)$/
/** Options with which a client authenticates itself. */
const AUTH_OPTIONS = /^(?:auth|cert|verify|key|pkey|key_filename|env|timeout|proxies)$/
const DEPTH_MAX = 4
const NODES_MAX = 256
const NODE_COST = 10

/** The literal that names a key file whose content a call sends; null if there is none. */
export function findSentKeys(file: CodeFile, path: string, args: Arguments): SyntaxNode | null {
  if (!SEND_CALLS.test(path)) return null
  const named = Array.from(args.named, ([name, value]) => (AUTH_OPTIONS.test(name) ? -1 : value))
  for (const value of [...args.positional, ...named].slice(0, ARGUMENTS_MAX)) {
    const found = value < 0 ? null : findKeys(file, value, 0, false)
    if (found !== null) return found
  }
  return null
}

const ARGUMENTS_MAX = 16

function findKeys(file: CodeFile, value: SyntaxNode, depth: number, isRead: boolean): SyntaxNode | null {
  const { syntax, names, language, resolve } = file
  let reads = isRead
  for (let node = value; node < value + NODES_MAX && syntax.isInside(node, value); node++) {
    syntax.spend(NODE_COST)
    const name = syntax.name(node)
    if (CALL_KINDS.test(name)) {
      const [first = -1, second = -1] = syntax.children(node)
      const callee = name === 'NewExpression' ? second : first
      reads ||=
        resolve(callee).some((path) => READ_CALLS.test(path)) ||
        READ_CALLS.test(syntax.textOf(callee).slice(-40))
    } else if (STRING_KINDS.test(name) && reads) {
      if (
        isKeyFile(
          syntax
            .textOf(node)
            .slice(0, 1_000)
            .replace(/^\w{0,3}["'`]{1,3}|["'`]{1,3}$/g, ''),
        )
      )
        return node
    }
    if (name !== 'VariableName' || depth >= DEPTH_MAX) continue
    for (const { value: valueNode } of names.valuesOfName(
      language.normalizeName(syntax.textOf(node)),
      node,
    ) ?? []) {
      if (valueNode === undefined || syntax.isInside(node, valueNode)) continue
      const found = findKeys(file, valueNode, depth + 1, reads)
      if (found !== null) return found
    }
  }
  return null
}

function isKeyFile(text: string): boolean {
  return isSensitivePath(text) || isPersonalPath(text) || isSettingsPath(text)
}

const PASSWORD_FILES = /(?:^|[/\\])(?:Login Data|logins\.json|key[34]\.db)$/
const WALLET_FILES =
  /Local Extension Settings|\.electrum|\.ethereum|Ethereum[/\\]keystore|solana[/\\]id\.json|wallet\.dat|exodus\.wallet|\.bitcoin|^nkbihfbeogaeaoehlefnkodbefgpgknn$/

/** Whether the personal files that a script names include saved passwords, or the data of several wallets. */
export function isCredentialCollection(texts: readonly string[]): boolean {
  if (texts.some((text) => PASSWORD_FILES.test(text))) return true
  const wallets = texts.flatMap((text) => WALLET_FILES.exec(text)?.[0] ?? [])
  return new Set(wallets).size > 1
}
