// Rules about the flow of values through a Python or JavaScript file: remote text that is run, keys that are
// sent over the network, and text from a connection that is run.

import type { Steps } from '../../../../lib/steps.ts'
import type { RuleId } from '../../rules/rules.ts'
import { fetchSourceOf, calleePaths } from './fetch-source.ts'
import type { CodeFile, FetchSource } from './fetch-source.ts'
import { NOTHING } from './flow-value.ts'
import type { FlowValue } from './flow-value.ts'
import { analyseValues } from './flow-values.ts'
import type { FlowValues } from './flow-values.ts'
import { ruleForSource, filesStartedBy, fileWrittenBy } from './runs-fetched.ts'
import type { SyntaxNode } from './syntax.ts'
import { argumentsOf, stringOf } from './values.ts'
import type { Arguments } from './values.ts'

type Add = (rule: RuleId, node: SyntaxNode, summary: string) => void

/**
 * Terms of the two pairs that matter: fetching text and running it, reading keys and sending them. The flow
 * of a file is analyzed only if it mentions both terms of a pair.
 */
const FETCH_TERMS =
  /\b(?:requests|urllib|urlopen|httpx|aiohttp|socket|fetch|axios|got|https?|curl|wget|WebSocket|websockets?|net)\b|b64|base64|atob|Buffer\.from|decompress|inflate|fromhex|\bchr\(|fromCharCode|::\s?-1|rot13|\bbytes\(/
const RUN_TERMS =
  /\b(?:eval|exec|execfile|execv\w{0,2}|importlib|__import__|runpy|Function|vm|_compile|Worker|pickle|marshal|communicate|execSync|spawn|spawnSync|Popen|popen|getoutput|create_subprocess_\w{4,5}|posix_spawn|startfile)\b|\bimport\s?\((?!\s?["'`][\w@./:-]{1,80}["'`]\s?\))|\brequire\((?!\s?["'][\w@./:-]{1,80}["']\s?\))|\bos\.system\b|\bshell\s?[=:]\s?[Tt]rue|\bsubprocess\b|sys\.path|["']ev["']/
const KEY_TERMS =
  /environ(?!\.get\b|\[)|process\.env(?!\.\w|\[)|\.(?:ssh|aws|netrc|npmrc|pypirc|gnupg|kube|docker|env|git-credentials|electrum|bitcoin|ethereum|config\/(?:gh|gcloud|solana|op|rclone)|claude|codex)\b|id_rsa|id_ed25519|keyring|Login Data|logins\.json|key4\.db|wallet\.dat|Local Extension|[kK]eychain|\bauth["',\s]{1,6}token|\bsecret(?:-tool|s?\b)|pyperclip|browser_cookie/
const NETWORK_TERMS =
  /\b(?:requests|urllib|urlopen|httpx|aiohttp|socket|fetch|axios|got|https?|curl|wget|WebSocket|net|dns|smtplib|ftplib|sendBeacon|dig|nslookup|paramiko)\b/

const CALL_KINDS = /^(?:CallExpression|NewExpression|DynamicImport)$/
const IMPORT_CALLS =
  /^(?:importlib\.(?:import_module|__import__|reload)|builtins\.__import__|runpy\.run_(?:module|path)|import|module\.createRequire\(\)|globals\.require|require)$/
const LOAD_CALLS =
  /(?:^|\.)(?:_compile|run_path|run_module|run_string|spec_from_file_location|SourceFileLoader|exec_module|Worker|runInNewContext|runInThisContext|runInContext|Script|compileFunction|Function|FunctionType)$/
const UNPICKLE_CALLS = /^(?:c?[pP]ickle|dill|cloudpickle|marshal|jsonpickle)\.(?:loads?|decode|Unpickler)$/
const FEED_CALLS = /\.(?:communicate|stdin\.(?:write|end))$/
const SEND_CALLS =
  /\.(?:send|sendall|sendto|write|end|emit|publish|send_message|sendmail|storbinary|put_object|upload\w{0,20}|post|put)$/
const DNS_CALLS =
  /(?:^|\.)(?:gethostbyname(?:_ex)?|getaddrinfo|dns\.(?:promises\.)?(?:resolve\w{0,6}|lookup)|resolver\.(?:resolve|query))$/
const UPLOAD_PROGRAMS = /["'`](?:curl|wget|nc|ncat|scp|rsync|ssh|dig|nslookup)\b/
const AUTH_OPTIONS = /^(?:headers|auth|cert|verify|key|pkey|key_filename|env|timeout|proxies)$/
const FILES_MAX = 64
/** Maximum size of a file whose flow is analyzed. No benign script in a skill is larger. */
const NODES_MAX = 150_000
const CALLS_MAX = 8_000
const VISITS_MAX = 6_000_000
const CALLS_PER_YIELD = 512
/** Cost of a call, in microseconds. */
const CALL_US = 10

const PROGRAM_NAMES =
  /\b(?:curl|wget|bash|python3?|eval|exec|base64|netcat|powershell|crontab|subprocess|child_process|__import__)\b/gi

/** Finds names of programs that are concatenated from parts, which benign code has no reason to do. */
function findJoinedProgramNames({ syntax, language }: CodeFile, add: Add): void {
  if (!/[a-z_]["'`]\s?\+\s?["'`][a-z_]/i.test(syntax.text)) return
  for (let node = 0; node < Math.min(syntax.size, NODES_MAX); node++) {
    if (syntax.name(node) !== 'BinaryExpression' || syntax.name(syntax.parent(node)) === 'BinaryExpression')
      continue
    const text = syntax.textOf(node).slice(0, 200)
    if (!/[a-z_]["'`]\s?\+\s?["'`][a-z_]/i.test(text)) continue
    const joinedText = stringOf(syntax, node)
    const pieces = text.split(/["'`]\s?\+\s?["'`]/).join('\n')
    for (const [name] of joinedText?.matchAll(PROGRAM_NAMES) ?? [])
      if (!new RegExp(`\\b${name}\\b`).test(pieces))
        add(`${language.prefix}-untrusted-code`, node, 'A program name is concatenated from parts')
  }
}

export function* checkCodeFlow(file: CodeFile, add: Add): Steps<void> {
  const { syntax, language } = file
  const { text } = syntax
  findJoinedProgramNames(file, add)
  if (
    !(RUN_TERMS.test(text) && FETCH_TERMS.test(text)) &&
    !(KEY_TERMS.test(text) && NETWORK_TERMS.test(text))
  )
    return
  const { effects, prefix } = language
  if (syntax.size > NODES_MAX) return
  const analysed = yield* analyseValues(file)
  if (analysed === null) return
  const values: FlowValues = analysed
  const files = new Map<string, FetchSource>()
  const handles = new Map<string, string | null>()
  const calls: {
    readonly node: SyntaxNode
    readonly paths: readonly string[]
    readonly args: Arguments
    readonly text: string
  }[] = []
  for (let node = 0; node < syntax.size; node++) {
    if (!CALL_KINDS.test(syntax.name(node))) continue
    const [first = -1, second = -1] = syntax.children(node)
    const isImport = syntax.name(node) === 'DynamicImport'
    const text = isImport
      ? 'import'
      : syntax.textOf(syntax.name(node) === 'NewExpression' ? second : first).slice(-80)
    const args = isImport
      ? { positional: [syntax.children(node)[2] ?? -1], named: new Map<string, SyntaxNode>() }
      : argumentsOf(syntax, node)
    if (calls.length >= CALLS_MAX) break
    if (calls.length % CALLS_PER_YIELD === CALLS_PER_YIELD - 1) yield CALLS_PER_YIELD * CALL_US
    calls.push({ node, paths: isImport ? ['import'] : calleePaths(file, node), args, text })
  }
  const reportRun = (node: SyntaxNode, { code, isFromConnection }: FlowValue): void => {
    if (isFromConnection && /\b(?:send|sendall|write|end)\s?\(/.test(syntax.text))
      add(`${prefix}-reverse-shell`, node, 'Text received over a connection is run')
    else if (code !== null && code !== 'unknown' && code !== 'local')
      add(
        `${prefix}-${ruleForSource(code)}`,
        node,
        code === 'decoded' ? 'Decoded text is run' : 'Fetched text is run',
      )
  }
  for (const { node, paths, args, text } of calls) {
    for (const path of paths) {
      const target =
        fileWrittenBy(file, node, path, args) ?? (text.endsWith('.write') ? fileOfHandle(text) : null)
      if (target === null || files.size >= FILES_MAX) continue
      const content = path.endsWith('urlretrieve')
        ? { ...NOTHING, code: fetchSourceOf(file, node) }
        : contentOf(node, args)
      if (content.code !== null && content.code !== 'unknown') files.set(target, content.code)
    }
  }
  let reported = values.spent()
  for (const { node, paths, args, text } of calls) {
    if (values.spent() - reported > CALLS_PER_YIELD * CALL_US) {
      yield values.spent() - reported
      reported = values.spent()
      if (reported > VISITS_MAX) return
    }
    const [first = -1] = args.positional
    const startsProgram = paths.some((path) => effects.shell.test(path) || effects.process.test(path))
    const runsCode =
      startsProgram ||
      LOAD_CALLS.test(text) ||
      paths.some((path) => effects.code.test(path) || IMPORT_CALLS.test(path) || LOAD_CALLS.test(path))
    if (
      startsProgram &&
      /["']crontab["'][^\n]{0,20}["']-["']|\bcrontab -(?=["'\s])/.test(syntax.textOf(node).slice(0, 400))
    )
      add('shell-persistence', node, 'A cron job is installed')
    if (runsCode) for (const value of args.positional.slice(0, 3)) reportRun(node, values.valueOfNode(value))
    if (FEED_CALLS.test(text) && /["'\s\\/[(](?:ba|z)?sh["'\s]|python|node/.test(syntax.text))
      reportRun(node, values.valueOfNode(first))
    if (paths.some((path) => UNPICKLE_CALLS.test(path)) && values.valueInside(first).keys === 0) {
      const unpickled = values.valueOfNode(first)
      const inner = argumentsOf(syntax, first).positional[0]
      const code = inner === undefined ? unpickled.code : (values.valueOfNode(inner).code ?? unpickled.code)
      if (code !== 'decoded') reportRun(node, { ...unpickled, code })
    }
    if (files.size > 0 && (runsCode || IMPORT_CALLS.test(text))) checkFileRun(node, paths, args, text)
    checkSend(node, paths, args, text, startsProgram)
  }
  if (files.size > 0) checkFileImports()

  function contentOf(node: SyntaxNode, args: Arguments): FlowValue {
    const argumentValues = [...args.positional, ...args.named.values()].map((value) =>
      values.valueOfNode(value),
    )
    const fetchedValue = argumentValues.find(({ code }) => code !== null)
    if (fetchedValue) return fetchedValue
    // In `open(path, "w").write(text)`, the outer call has the text.
    const outer = syntax.parent(syntax.parent(node))
    const [argument] = syntax.name(outer) === 'CallExpression' ? argumentsOf(syntax, outer).positional : []
    return values.valueOfNode(argument ?? -1)
  }

  /** The file that was opened as the handle of `handle.write`, as in `with open(path) as handle`. */
  function fileOfHandle(text: string): string | null {
    const handle = /^([\w$]{1,40})\.write$/.exec(text)?.[1]
    if (handle === undefined) return null
    const knownFile = handles.get(handle)
    if (knownFile !== undefined) return knownFile
    if (handles.size >= FILES_MAX) return null
    const openCall = new RegExp(
      `open\\(([^,)\\n]{1,120})[^\\n]{0,60}as ${handle.replaceAll('$', '\\$')}\\b|\\b${handle.replaceAll('$', '\\$')} ?= ?open\\(([^,)\\n]{1,120})`,
    ).exec(syntax.text)
    const target = openCall?.[1] ?? openCall?.[2] ?? null
    handles.set(handle, target)
    return target
  }

  function checkFileRun(node: SyntaxNode, paths: readonly string[], args: Arguments, text: string): void {
    const names = paths.flatMap((path) => filesStartedBy(file, { node, path, args, usesShell: false }))
    const command = args.positional
      .slice(0, 2)
      .map((value) => syntax.textOf(value))
      .join(' ')
      .slice(0, 400)
    for (const [target, code] of files) {
      const path = target.replace(/^["'`]|["'`]$/g, '')
      const fileName = /([\w.-]{2,60})["'`]?\)?$/.exec(path)?.[1] ?? path
      const isNamed =
        path.length > 2 && (path.startsWith('/') || path.includes('.')) && command.includes(path)
      const module = fileName.replace(/\.\w{1,4}$/, '')
      const isModule =
        (IMPORT_CALLS.test(text) || paths.some((path) => IMPORT_CALLS.test(path))) &&
        (stringOf(syntax, args.positional[0] ?? -1) === module || command.includes(path))
      if (names.includes(target) || isNamed || isModule || mentionsName(command, target)) {
        reportRun(node, { code, keys: 0, isFromConnection: false })
        return
      }
    }
  }

  function mentionsName(command: string, target: string): boolean {
    return (
      /^[\w$]{1,40}$/.test(target) &&
      new RegExp(`(?:^|[\\s\\[(,])${target.replaceAll('$', '\\$')}(?=$|[\\s,\\])])`).test(command)
    )
  }

  /** Reports imports of files that the script writes, such as `import plugin` after writing plugin.py. */
  function checkFileImports(): void {
    for (const [target, code] of files) {
      const targetValue = new RegExp(`${target.replace(/[^\w]/g, '\\$&')}\\s?=\\s?([^\\n]{1,200})`).exec(
        /^\w+$/.test(target) ? syntax.text : '',
      )?.[1]
      const module = /([A-Za-z_]\w{1,40})\.py["']/.exec(targetValue ?? target)?.[1]
      if (module === undefined) continue
      const importMatch = new RegExp(
        `^[ \\t]*(?:import|from)[ \\t]+${module}\\b|import_module\\(["']${module}["']`,
        'm',
      ).exec(syntax.text)
      if (importMatch) reportRun(nodeAt(importMatch.index), { code, keys: 0, isFromConnection: false })
    }
  }

  function nodeAt(offset: number): SyntaxNode {
    let lastNode = 0
    for (let node = 0; node < syntax.size && syntax.from(node) <= offset; node++) lastNode = node
    return lastNode
  }

  function checkSend(
    node: SyntaxNode,
    paths: readonly string[],
    args: Arguments,
    text: string,
    startsProgram: boolean,
  ): void {
    const isNetworkCall = paths.some((path) => effects.network.test(path))
    const isDnsCall = DNS_CALLS.test(text) || paths.some((path) => DNS_CALLS.test(path))
    const isUpload = startsProgram && UPLOAD_PROGRAMS.test(syntax.textOf(node).slice(0, 400))
    const [receiver] = syntax.children(syntax.children(node)[0] ?? -1)
    const isConnection =
      SEND_CALLS.test(text) &&
      receiver !== undefined &&
      (values.valueOfNode(receiver).isFromConnection || values.valueOfNode(receiver).code !== null)
    if (!isNetworkCall && !isDnsCall && !isUpload && !isConnection) return
    const named = Array.from(args.named, ([name, value]) => (AUTH_OPTIONS.test(name) ? -1 : value))
    for (const value of [...args.positional, ...named].slice(0, 12)) {
      if (value < 0 || values.valueInside(value).keys !== 2) continue
      add(`${prefix}-keys-sent`, node, 'Keys are sent over the network')
      return
    }
  }
}
