// Follows values through code in languages that are not parsed (PowerShell, Ruby, Perl, PHP, Lua, R, Go,
// AppleScript …), by the terms of these languages. The statements are read twice: first to learn what each
// variable holds, then to report variables that are run or sent.

import type { Steps } from '../../../lib/steps.ts'
import { KEY_FILES } from './secrets.ts'
import { hostsOf, isGrave, originOf } from '../shell/shell-origin.ts'
import { both, CLEAN } from './taint.ts'
import type { Taint } from './taint.ts'
import type { ReportFinding } from './shell-flow.ts'

const FETCHES =
  /\b(?:Net::HTTP|URI\.(?:open|parse)|OpenURI|LWP::|HTTP::Tiny|HTTPotato|file_get_contents\s?\(\s?["'$]|curl_exec|http\.(?:request|Get)|socket\.http|Download(?:String|Data|File)|Invoke-(?:WebRequest|RestMethod)|irm|iwr|HttpClient|Downloads\.download|HTTP\.get|Faraday|HTTParty|RestClient|Mechanize|requests?\.get|httr::GET|RCurl|getURL|OkHttp|MSXML2|WinHttp|XMLHTTP)\b|\bio\.popen\s?\((?!["'])|\b(?:read(?:Lines|_lines|\.\w{3,6})?|source|url|open|get|fetch|do shell script|popen|qx|`)\s?[("'{\s]{0,4}(?:curl|wget|https?:\/\/)|`(?:curl|wget)\s|\bfetch\s?\(|(?<![\w-])get\s?\(?["']https?:/
const DECODES =
  /\b(?:FromBase64String|decode64|base64_decode|decode_base64|unpack\s?\(?\s?["'](?:H|u|m)|gzinflate|gzuncompress|str_rot13|hex2bin|strrev|convert_uudecode|b64decode|base64decode|StdEncoding\.DecodeString|fromCharCode|mime\.unb64|Base64\.decode|GzipStream|DeflateStream)\b|-join\s?\([^\n]{0,80}\[char\]|\[char\[?\]?\][^\n]{0,60}-join|\.reverse\b[^\n]{0,20}$/i
const LIVE =
  /\b(?:TCPSocket|IO::Socket|fsockopen|stream_socket_client|socket\.(?:tcp|connect)|socket"?\)?\.tcp|TCPClient|net\.Dial|Sockets\.TcpClient|ClientWebSocket|UNIXSocket|require\s?\(?["']socket["'])|\/inet\/tcp\//i
const SECRETS = new RegExp(
  `${KEY_FILES.source}|\\b(?:Get-ChildItem|gci|dir|ls)\\s{1,4}["']?env:|\\bENV\\.(?:to_h|to_a|map|inspect|to_json)|\\$_ENV\\b|\\bgetenv\\(\\s?\\)|%ENV\\b|\\bos\\.Environ\\(|Sys\\.getenv\\(\\s?\\)|System\\.getenv\\(\\s?\\)|GetEnvironmentVariables|Get-Clipboard|ConvertFrom-SecureString|CredRead|Get-StoredCredential|\\\\.ssh\\\\\\\\?id_`,
)
const SENDS =
  /\b(?:Invoke-(?:WebRequest|RestMethod)|irm|iwr)\b[^\n]{0,300}-(?:Body|InFile|Form|Headers)\b|\.Upload(?:String|Data|File|Values)\w{0,6}\s?\(|\b(?:Net::HTTP\.(?:post|put)\w{0,8}|HTTParty\.(?:post|put)|Faraday\.(?:post|put)|RestClient\.(?:post|put)|http\.Post\w{0,4}|curl_setopt[^\n]{0,80}POSTFIELDS|HTTP\.post|httr::POST|PostAsync|Send-MailMessage|fwrite|\.send|:send|\.puts|\.write|\.print|socket\.send|stream_context_create|Resolve-DnsName|gethostbyname|nslookup)\b|->(?:post|put)\s?\(/
/** Functions that run text of their own language, and functions that start a program. */
const RUNS =
  /(?:\b(?:eval|instance_eval|class_eval|module_eval|Invoke-Expression|iex|InvokeScript|include_string|loadstring|load|dofile|loadfile|assert|create_function|system|shell_exec|passthru|proc_open|popen|os\.execute|io\.popen|IO\.popen|Open3\.\w{2,10}|spawn|exec|exec\.Command|ProcessBuilder|Process\.Start|Runtime\.getRuntime\(\)\.exec|do shell script|run script|require|include|include_once|source|sys\.source|Start-Process|pwsh|powershell|bash|sh|cmd|Invoke-Item|Import-Module|Add-Type|import)\b|\[?ScriptBlock\]?::Create|Assembly\]?::Load\w{0,6}|(?:^|[;|&{=(]\s{0,4})[&.](?=\s{0,2}[$("'])|`|%x\(|\bqx\b)/gi
const MEANT =
  /^(?:eval|instance_eval|class_eval|module_eval|iex|Invoke-Expression|loadstring|load|include_string|create_function|InvokeScript|\[?ScriptBlock)/i
const GIVES =
  /(?:^|[;{(]|\b(?:then|do)\b)\s{0,20}(?:my|local|var|let|const|set|auto|final|string|\[\w{1,20}\])?\s{0,4}[$@%]?([A-Za-z_]\w{0,40})(?:\s?,\s?[\w$]{1,20}){0,2}\s{0,4}(?:\+|\.)?(?:=(?![=~>])|:=|<-|\bto\b)\s{0,4}([^\n]{1,600})/gi
const WRITES =
  /\b(?:File\.(?:write|binwrite)|file_put_contents|WriteAll(?:Text|Bytes)|Out-File|Set-Content|writeLines|os\.WriteFile|ioutil\.WriteFile|Add-Content|spew|write_text)\b[^\n]{0,40}?["'(\s]([\w$:~/\\.%{}-]{3,120})|-OutFile\s{1,4}["']?([^\s"';)]{2,120})|DownloadFile\([^,\n]{1,300},\s?["']?([^\s"')]{2,120})/gi
const STATEMENTS_MAX = 4_000
const NAMES_MAX = 256
const TEXT_CHARS = 262_144
// Costs in microseconds: per character that is searched, and per line that is checked.
const SEARCHED = 0.02
const A_LINE = 40
const LINES_AT_ONCE = 128

/** An encoded PowerShell command, as one string or in a list of arguments. */
const ENCODED = /-(?:e|ec|enc\w{0,16})["'\s,]{1,20}["'][A-Za-z0-9+/]{60}/i

/**
 * `isInstaller` is true for languages whose installers are usually downloaded and run in one command, such as
 * PowerShell.
 */
export function* followText(whole: string, isInstaller: boolean, tell: ReportFinding): Steps<void> {
  const text = whole.slice(0, TEXT_CHARS)
  yield text.length * SEARCHED
  const isLive = LIVE.test(text)
  const encoded = ENCODED.exec(text)
  if (encoded) tell('shell-decoded-command', 'An encoded command', encoded.index)
  if (!FETCHES.test(text) && !DECODES.test(text) && !SECRETS.test(text) && !isLive) return
  const names = new Map<string, Taint>()
  const files = new Map<string, Taint>()
  /** Variables that hold a function that was looked up by name. */
  const evaluators = new Set<string>()
  let current = ''
  const lines = text.split('\n', STATEMENTS_MAX)
  for (const report of [null, tell]) {
    let at = 0
    for (const [index, line] of lines.entries()) {
      if (index % LINES_AT_ONCE === 0) yield LINES_AT_ONCE * A_LINE
      const piece = line.slice(0, 2_000)
      if (!/^\s{0,40}(?:#|\/\/|--\s|REM\b|::)/i.test(piece)) statement(piece, at, report)
      at += line.length + 1
    }
  }
  // In a short text, opening a connection and running something is enough.
  if (
    isLive &&
    text.length < 2_000 &&
    /`[^`\n]{0,80}[$#_]|\b(?:shell_exec|popen|iex|Invoke-Expression|system|exec|os\.execute|getline)\b/i.test(
      text,
    )
  )
    tell('shell-reverse-shell', 'Text received over a connection is run', 0)

  function statement(line: string, at: number, report: ReportFinding | null): void {
    const defined = /\b(?:function|def|sub|func|fn)\s{1,4}(?:[\w.]{1,40}[.:])?(\w{1,40})/.exec(line)?.[1]
    if (defined !== undefined) current = defined
    const returned = /^\s{0,40}return\s([^\n]{1,300})/.exec(line)?.[1]
    const value = returned === undefined ? CLEAN : taintOf(returned, true)
    if (value !== CLEAN && names.size < NAMES_MAX)
      names.set(current, both(names.get(current) ?? CLEAN, value))
    const looked = /(\w{1,40})\s?=\s?(?:rawget\(_G|_G\[|_ENV\[|method\(|\$GLOBALS\[|Get-Command)/.exec(
      line,
    )?.[1]
    if (looked !== undefined && evaluators.size < NAMES_MAX) evaluators.add(looked)
    for (const { 1: name = '', 2: value = '' } of line.matchAll(GIVES)) {
      const given = taintOf(value, true)
      if (given !== CLEAN && names.size < NAMES_MAX) names.set(name, both(names.get(name) ?? CLEAN, given))
    }
    for (const { 1: a, 2: b, 3: c } of line.matchAll(WRITES)) {
      const path = a ?? b ?? c
      const held = taintOf(line, false)
      if (path !== undefined && held.code !== null && files.size < NAMES_MAX) files.set(path, held)
    }
    if (report) judge(line, at, report)
  }

  function judge(line: string, at: number, report: ReportFinding): void {
    for (const { 0: call, index } of line.matchAll(RUNS)) {
      const behind = line.slice(index + call.length, index + call.length + 300)
      const own = ran(call, behind)
      if (own.isLive) report('shell-reverse-shell', 'Text received over a connection is run', at)
      else if (own.code === 'decoded') report('shell-decoded-command', 'Decoded text is run', at)
      else if (own.code !== null && isGrave(own.code))
        report('shell-untrusted-pipe-shell', 'Text from another machine is run', at)
      else if (own.code === 'named' && (own.isBent || !isInstaller))
        report('shell-fetched-command', 'Fetched text is run', at)
    }
    for (const { 1: called = '', 2: given = '' } of evaluators.size > 0
      ? line.matchAll(/\b(\w{1,40})\s?\(([^\n]{1,200})/g)
      : [])
      if (evaluators.has(called) && taintOf(given, true).code !== null)
        report('shell-decoded-command', 'Text is run by a function that is looked up by name', at)
    if (SENDS.test(line) && hostsOf(line) !== 'local') {
      const own = taintOf(line.replace(/-(?:Headers|Authorization)\s[^\n]{0,120}/, ''), false)
      if (own.secret > 1) report('shell-keys-sent', 'Keys are sent over the network', at)
    }
  }

  /** The taint of what a call runs. A variable inside a longer command does not count. */
  function ran(call: string, behind: string): Taint {
    const isCode = MEANT.test(call)
    const head =
      /^[\s("'@[{,&$:]{0,8}(?:\(?(?:text|string|String|code)\s?[=(]\s?)?(?:["']?(?:sh|bash|cmd|-c|\/c|-Command|-File|-f)["']?[,\s]{1,4}["']{0,1}){0,3}/i.exec(
        behind,
      )?.[0] ?? ''
    const rest = behind.slice(head.length)
    const word = /^[#{$@(\s]{0,4}(?:string\(|String\()?([A-Za-z_]\w{0,40})(?!\w{0,40}\s?(?:\(|::))/.exec(rest)
    if (word !== null) {
      const held = names.get(word[1] ?? '') ?? CLEAN
      if (held.code !== null) return { ...held, isBent: true }
    }
    for (const [path, held] of files) if (rest.slice(0, 200).includes(path)) return { ...held, isBent: false }
    if (
      /^\s{0,2}\(?\s{0,2}["']https?:/.test(behind) &&
      /^(?:source|include|include_once|require|dofile|load|import)$/i.test(call)
    )
      return { ...CLEAN, code: hostsOf(behind), isBent: true }
    return isCode ? taintOf(behind, false) : CLEAN
  }

  function taintOf(value: string, isGiven: boolean): Taint {
    let found = CLEAN
    if (DECODES.test(value)) found = both(found, { ...CLEAN, code: 'decoded', isBent: true })
    else if (FETCHES.test(value)) {
      const code = originOf(value) ?? hostsOf(value)
      found = both(found, { ...CLEAN, code: code === 'answer' ? 'named' : code, isBent: isGiven })
    }
    if (LIVE.test(value)) found = both(found, { ...CLEAN, code: 'bare', isLive: true })
    if (SECRETS.test(value)) found = both(found, { ...CLEAN, secret: 2 })
    for (const [word] of value.matchAll(/[A-Za-z_]\w{0,40}/g)) {
      const held = names.get(word)
      if (held) found = both(found, held)
    }
    return found
  }
}
