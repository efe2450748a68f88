// Rules about the flow of values through a Python or JavaScript file: remote text that is run, keys that are
// sent over the network, and text from a connection that is run.

import type { Steps } from '../../../../lib/steps.ts'
import type { RuleId } from '../../rules/rules.ts'
import { fetchedAddress, openedPaths } from './fetched.ts'
import type { CodeFile, FetchSource } from './fetched.ts'
import { NOTHING, valuesOf } from './flow-values.ts'
import type { FlowValue, FlowValues } from './flow-values.ts'
import { ruleOf, startedBy, writtenBy } from './runs-fetched.ts'
import type { SyntaxNode } from './syntax.ts'
import { argumentsOf, stringOf } from './values.ts'
import type { Arguments } from './values.ts'

type Add = (rule: RuleId, node: SyntaxNode, seen: string) => void

/**
 * Terms of the two pairs that matter: fetching text and running it, reading keys and sending them. The flow
 * of a file is analysed only if it mentions both terms of a pair.
 */
const GETS =
  /\b(?:requests|urllib|urlopen|httpx|aiohttp|socket|fetch|axios|got|https?|curl|wget|WebSocket|websockets?|net)\b|b64|base64|atob|Buffer\.from|decompress|inflate|fromhex|\bchr\(|fromCharCode|::\s?-1|rot13|\bbytes\(/
const RUNS =
  /\b(?:eval|exec|execfile|execv\w{0,2}|importlib|__import__|runpy|Function|vm|_compile|Worker|pickle|marshal|communicate|execSync|spawn|spawnSync|Popen|popen|getoutput|create_subprocess_\w{4,5}|posix_spawn|startfile)\b|\bimport\s?\((?!\s?["'`][\w@./:-]{1,80}["'`]\s?\))|\brequire\((?!\s?["'][\w@./:-]{1,80}["']\s?\))|\bos\.system\b|\bshell\s?[=:]\s?[Tt]rue|\bsubprocess\b|sys\.path|["']ev["']/
const KEYS =
  /environ(?!\.get\b|\[)|process\.env(?!\.\w|\[)|\.(?:ssh|aws|netrc|npmrc|pypirc|gnupg|kube|docker|env|git-credentials|electrum|bitcoin|ethereum|config\/(?:gh|gcloud|solana|op|rclone)|claude|codex)\b|id_rsa|id_ed25519|keyring|Login Data|logins\.json|key4\.db|wallet\.dat|Local Extension|[kK]eychain|\bauth["',\s]{1,6}token|\bsecret(?:-tool|s?\b)|pyperclip|browser_cookie/
const SENDS_OUT =
  /\b(?:requests|urllib|urlopen|httpx|aiohttp|socket|fetch|axios|got|https?|curl|wget|WebSocket|net|dns|smtplib|ftplib|sendBeacon|dig|nslookup|paramiko)\b/

const CALLS = /^(?:CallExpression|NewExpression|DynamicImport)$/
const IMPORTS =
  /^(?:importlib\.(?:import_module|__import__|reload)|builtins\.__import__|runpy\.run_(?:module|path)|import|module\.createRequire\(\)|globals\.require|require)$/
const LOADS =
  /(?:^|\.)(?:_compile|run_path|run_module|run_string|spec_from_file_location|SourceFileLoader|exec_module|Worker|runInNewContext|runInThisContext|runInContext|Script|compileFunction|Function|FunctionType)$/
const UNPICKLES = /^(?:c?[pP]ickle|dill|cloudpickle|marshal|jsonpickle)\.(?:loads?|decode|Unpickler)$/
const FEEDS = /\.(?:communicate|stdin\.(?:write|end))$/
const SENDS =
  /\.(?:send|sendall|sendto|write|end|emit|publish|send_message|sendmail|storbinary|put_object|upload\w{0,20}|post|put)$/
const LOOKS_UP =
  /(?:^|\.)(?:gethostbyname(?:_ex)?|getaddrinfo|dns\.(?:promises\.)?(?:resolve\w{0,6}|lookup)|resolver\.(?:resolve|query))$/
const CARRIERS = /["'`](?:curl|wget|nc|ncat|scp|rsync|ssh|dig|nslookup)\b/
const IDENTIFIES = /^(?:headers|auth|cert|verify|key|pkey|key_filename|env|timeout|proxies)$/
const FILES_MAX = 64
/** Maximum size of a file whose flow is analysed. No benign script in a skill is larger. */
const NODES_MAX = 150_000
const CALLS_MAX = 8_000
const VISITS_MAX = 6_000_000
const CALLS_AT_ONCE = 512
/** Cost of a call, in microseconds. */
const A_CALL = 10

const PROGRAM =
  /\b(?:curl|wget|bash|python3?|eval|exec|base64|netcat|powershell|crontab|subprocess|child_process|__import__)\b/gi

/** Finds names of programs that are concatenated from parts, which benign code has no reason to do. */
function inPieces({ syntax, language }: CodeFile, add: Add): void {
  if (!/[a-z_]["'`]\s?\+\s?["'`][a-z_]/i.test(syntax.text)) return
  for (let node = 0; node < Math.min(syntax.size, NODES_MAX); node++) {
    if (syntax.name(node) !== 'BinaryExpression' || syntax.name(syntax.parent(node)) === 'BinaryExpression')
      continue
    const text = syntax.textOf(node).slice(0, 200)
    if (!/[a-z_]["'`]\s?\+\s?["'`][a-z_]/i.test(text)) continue
    const whole = stringOf(syntax, node)
    const pieces = text.split(/["'`]\s?\+\s?["'`]/).join('\n')
    for (const [name] of whole?.matchAll(PROGRAM) ?? [])
      if (!new RegExp(`\\b${name}\\b`).test(pieces))
        add(`${language.prefix}-untrusted-code`, node, 'The name of a program is concatenated from parts')
  }
}

export function* judgeFlow(file: CodeFile, add: Add): Steps<void> {
  const { syntax, language } = file
  const { text } = syntax
  inPieces(file, add)
  if (!(RUNS.test(text) && GETS.test(text)) && !(KEYS.test(text) && SENDS_OUT.test(text))) return
  const { does, prefix } = language
  if (syntax.size > NODES_MAX) return
  const found = yield* valuesOf(file)
  if (found === null) return
  const values: FlowValues = found
  const files = new Map<string, FetchSource>()
  const handles = new Map<string, string | null>()
  const calls: {
    readonly node: SyntaxNode
    readonly paths: readonly string[]
    readonly given: Arguments
    readonly text: string
  }[] = []
  for (let node = 0; node < syntax.size; node++) {
    if (!CALLS.test(syntax.name(node))) continue
    const [first = -1, second = -1] = syntax.kids(node)
    const isImport = syntax.name(node) === 'DynamicImport'
    const text = isImport
      ? 'import'
      : syntax.textOf(syntax.name(node) === 'NewExpression' ? second : first).slice(-80)
    const given = isImport
      ? { positional: [syntax.kids(node)[2] ?? -1], named: new Map<string, SyntaxNode>() }
      : argumentsOf(syntax, node)
    if (calls.length >= CALLS_MAX) break
    if (calls.length % CALLS_AT_ONCE === CALLS_AT_ONCE - 1) yield CALLS_AT_ONCE * A_CALL
    calls.push({ node, paths: isImport ? ['import'] : openedPaths(file, node), given, text })
  }
  const tellRun = (node: SyntaxNode, { code, isLive }: FlowValue): void => {
    if (isLive && /\b(?:send|sendall|write|end)\s?\(/.test(syntax.text))
      add(`${prefix}-reverse-shell`, node, 'Text received over a connection is run')
    else if (code !== null && code !== 'unknown' && code !== 'local')
      add(
        `${prefix}-${ruleOf(code)}`,
        node,
        code === 'decoded' ? 'Decoded text is run' : 'Fetched text is run',
      )
  }
  for (const { node, paths, given, text } of calls) {
    for (const path of paths) {
      const target = writtenBy(file, node, path, given) ?? (text.endsWith('.write') ? openedFor(text) : null)
      if (target === null || files.size >= FILES_MAX) continue
      const held = path.endsWith('urlretrieve')
        ? { ...NOTHING, code: fetchedAddress(file, node) }
        : contentOf(node, given)
      if (held.code !== null && held.code !== 'unknown') files.set(target, held.code)
    }
  }
  let reported = values.spent()
  for (const { node, paths, given, text } of calls) {
    if (values.spent() - reported > CALLS_AT_ONCE * A_CALL) {
      yield values.spent() - reported
      reported = values.spent()
      if (reported > VISITS_MAX) return
    }
    const [first = -1] = given.positional
    const starts = paths.some((path) => does.shell.test(path) || does.process.test(path))
    const runs =
      starts ||
      LOADS.test(text) ||
      paths.some((path) => does.code.test(path) || IMPORTS.test(path) || LOADS.test(path))
    if (
      starts &&
      /["']crontab["'][^\n]{0,20}["']-["']|\bcrontab -(?=["'\s])/.test(syntax.textOf(node).slice(0, 400))
    )
      add('shell-persistence', node, 'A cron job is installed')
    if (runs) for (const value of given.positional.slice(0, 3)) tellRun(node, values.whole(value))
    if (FEEDS.test(text) && /["'\s\\/[(](?:ba|z)?sh["'\s]|python|node/.test(syntax.text))
      tellRun(node, values.whole(first))
    if (paths.some((path) => UNPICKLES.test(path)) && values.within(first).keys === 0) {
      const held = values.whole(first)
      const inner = argumentsOf(syntax, first).positional[0]
      const code = inner === undefined ? held.code : (values.whole(inner).code ?? held.code)
      if (code !== 'decoded') tellRun(node, { ...held, code })
    }
    if (files.size > 0 && (runs || IMPORTS.test(text))) runsFile(node, paths, given, text)
    sends(node, paths, given, text, starts)
  }
  if (files.size > 0) importsFile()

  function contentOf(node: SyntaxNode, given: Arguments): FlowValue {
    const whole = [...given.positional, ...given.named.values()].map((value) => values.whole(value))
    const found = whole.find(({ code }) => code !== null)
    if (found) return found
    // In `open(path, "w").write(text)`, the outer call has the text.
    const outer = syntax.parent(syntax.parent(node))
    const [argument] = syntax.name(outer) === 'CallExpression' ? argumentsOf(syntax, outer).positional : []
    return values.whole(argument ?? -1)
  }

  /** The file that was opened as the handle of `handle.write`, as in `with open(path) as handle`. */
  function openedFor(text: string): string | null {
    const handle = /^([\w$]{1,40})\.write$/.exec(text)?.[1]
    if (handle === undefined) return null
    const before = handles.get(handle)
    if (before !== undefined) return before
    if (handles.size >= FILES_MAX) return null
    const opened = new RegExp(
      `open\\(([^,)\\n]{1,120})[^\\n]{0,60}as ${handle.replaceAll('$', '\\$')}\\b|\\b${handle.replaceAll('$', '\\$')} ?= ?open\\(([^,)\\n]{1,120})`,
    ).exec(syntax.text)
    const target = opened?.[1] ?? opened?.[2] ?? null
    handles.set(handle, target)
    return target
  }

  function runsFile(node: SyntaxNode, paths: readonly string[], given: Arguments, text: string): void {
    const names = paths.flatMap((path) => startedBy(file, { node, path, given, shells: false }))
    const command = given.positional
      .slice(0, 2)
      .map((value) => syntax.textOf(value))
      .join(' ')
      .slice(0, 400)
    for (const [target, code] of files) {
      const plain = target.replace(/^["'`]|["'`]$/g, '')
      const base = /([\w.-]{2,60})["'`]?\)?$/.exec(plain)?.[1] ?? plain
      const isNamed =
        plain.length > 2 && (plain.startsWith('/') || plain.includes('.')) && command.includes(plain)
      const module = base.replace(/\.\w{1,4}$/, '')
      const isModule =
        (IMPORTS.test(text) || paths.some((path) => IMPORTS.test(path))) &&
        (stringOf(syntax, given.positional[0] ?? -1) === module || command.includes(plain))
      if (names.includes(target) || isNamed || isModule || sameName(command, target)) {
        tellRun(node, { code, keys: 0, isLive: false })
        return
      }
    }
  }

  function sameName(command: string, target: string): boolean {
    return (
      /^[\w$]{1,40}$/.test(target) &&
      new RegExp(`(?:^|[\\s\\[(,])${target.replaceAll('$', '\\$')}(?=$|[\\s,\\])])`).test(command)
    )
  }

  /** Reports imports of files that the script writes, such as `import plugin` after writing plugin.py. */
  function importsFile(): void {
    for (const [target, code] of files) {
      const written = new RegExp(`${target.replace(/[^\w]/g, '\\$&')}\\s?=\\s?([^\\n]{1,200})`).exec(
        /^\w+$/.test(target) ? syntax.text : '',
      )?.[1]
      const module = /([A-Za-z_]\w{1,40})\.py["']/.exec(written ?? target)?.[1]
      if (module === undefined) continue
      const imported = new RegExp(
        `^[ \\t]*(?:import|from)[ \\t]+${module}\\b|import_module\\(["']${module}["']`,
        'm',
      ).exec(syntax.text)
      if (imported) tellRun(nodeAt(imported.index), { code, keys: 0, isLive: false })
    }
  }

  function nodeAt(offset: number): SyntaxNode {
    let found = 0
    for (let node = 0; node < syntax.size && syntax.from(node) <= offset; node++) found = node
    return found
  }

  function sends(
    node: SyntaxNode,
    paths: readonly string[],
    given: Arguments,
    text: string,
    starts: boolean,
  ): void {
    const network = paths.some((path) => does.network.test(path))
    const looksUp = LOOKS_UP.test(text) || paths.some((path) => LOOKS_UP.test(path))
    const carries = starts && CARRIERS.test(syntax.textOf(node).slice(0, 400))
    const [receiver] = syntax.kids(syntax.kids(node)[0] ?? -1)
    const live =
      SENDS.test(text) &&
      receiver !== undefined &&
      (values.whole(receiver).isLive || values.whole(receiver).code !== null)
    if (!network && !looksUp && !carries && !live) return
    const named = Array.from(given.named, ([name, value]) => (IDENTIFIES.test(name) ? -1 : value))
    for (const value of [...given.positional, ...named].slice(0, 12)) {
      if (value < 0 || values.within(value).keys !== 2) continue
      add(`${prefix}-keys-sent`, node, 'Keys are sent over the network')
      return
    }
  }
}
