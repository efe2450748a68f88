// Follows values through code in languages that are not parsed (PowerShell, Ruby, Perl, PHP, Lua, R, Go,
// AppleScript …), by the terms of these languages. The statements are read twice: first to learn what each
// variable holds, then to report variables that are run or sent.

import type { Steps } from '../../../lib/steps.ts'
import { KEY_FILES } from './secrets.ts'
import { originOfHosts, isUntrusted, originOfCommand } from '../shell/shell-origin.ts'
import { mergeTaints, CLEAN } from './taint.ts'
import type { Taint } from './taint.ts'
import type { ReportFinding } from './shell-flow.ts'

const FETCH_TERMS =
  /\b(?:Net::HTTP|URI\.(?:open|parse)|OpenURI|LWP::|HTTP::Tiny|HTTPotato|file_get_contents\s?\(\s?["'$]|curl_exec|http\.(?:request|Get)|socket\.http|Download(?:String|Data|File)|Invoke-(?:WebRequest|RestMethod)|irm|iwr|HttpClient|Downloads\.download|HTTP\.get|Faraday|HTTParty|RestClient|Mechanize|requests?\.get|httr::GET|RCurl|getURL|OkHttp|MSXML2|WinHttp|XMLHTTP)\b|\bio\.popen\s?\((?!["'])|\b(?:read(?:Lines|_lines|\.\w{3,6})?|source|url|open|get|fetch|do shell script|popen|qx|`)\s?[("'{\s]{0,4}(?:curl|wget|https?:\/\/)|`(?:curl|wget)\s|\bfetch\s?\(|(?<![\w-])get\s?\(?["']https?:/
const DECODE_TERMS =
  /\b(?:FromBase64String|decode64|base64_decode|decode_base64|unpack\s?\(?\s?["'](?:H|u|m)|gzinflate|gzuncompress|str_rot13|hex2bin|strrev|convert_uudecode|b64decode|base64decode|StdEncoding\.DecodeString|fromCharCode|mime\.unb64|Base64\.decode|GzipStream|DeflateStream)\b|-join\s?\([^\n]{0,80}\[char\]|\[char\[?\]?\][^\n]{0,60}-join|\.reverse\b[^\n]{0,20}$/i
const CONNECTION_TERMS =
  /\b(?:TCPSocket|IO::Socket|fsockopen|stream_socket_client|socket\.(?:tcp|connect)|socket"?\)?\.tcp|TCPClient|net\.Dial|Sockets\.TcpClient|ClientWebSocket|UNIXSocket|require\s?\(?["']socket["'])|\/inet\/tcp\//i
const SECRET_TERMS = new RegExp(
  `${KEY_FILES.source}|\\b(?:Get-ChildItem|gci|dir|ls)\\s{1,4}["']?env:|\\bENV\\.(?:to_h|to_a|map|inspect|to_json)|\\$_ENV\\b|\\bgetenv\\(\\s?\\)|%ENV\\b|\\bos\\.Environ\\(|Sys\\.getenv\\(\\s?\\)|System\\.getenv\\(\\s?\\)|GetEnvironmentVariables|Get-Clipboard|ConvertFrom-SecureString|CredRead|Get-StoredCredential|\\\\.ssh\\\\\\\\?id_`,
)
const SEND_TERMS =
  /\b(?:Invoke-(?:WebRequest|RestMethod)|irm|iwr)\b[^\n]{0,300}-(?:Body|InFile|Form|Headers)\b|\.Upload(?:String|Data|File|Values)\w{0,6}\s?\(|\b(?:Net::HTTP\.(?:post|put)\w{0,8}|HTTParty\.(?:post|put)|Faraday\.(?:post|put)|RestClient\.(?:post|put)|http\.Post\w{0,4}|curl_setopt[^\n]{0,80}POSTFIELDS|HTTP\.post|httr::POST|PostAsync|Send-MailMessage|fwrite|\.send|:send|\.puts|\.write|\.print|socket\.send|stream_context_create|Resolve-DnsName|gethostbyname|nslookup)\b|->(?:post|put)\s?\(/
/** Functions that run text of their own language, and functions that start a program. */
const RUN_CALL =
  /(?:\b(?:eval|instance_eval|class_eval|module_eval|Invoke-Expression|iex|InvokeScript|include_string|loadstring|load|dofile|loadfile|assert|create_function|system|shell_exec|passthru|proc_open|popen|os\.execute|io\.popen|IO\.popen|Open3\.\w{2,10}|spawn|exec|exec\.Command|ProcessBuilder|Process\.Start|Runtime\.getRuntime\(\)\.exec|do shell script|run script|require|include|include_once|source|sys\.source|Start-Process|pwsh|powershell|bash|sh|cmd|Invoke-Item|Import-Module|Add-Type|import)\b|\[?ScriptBlock\]?::Create|Assembly\]?::Load\w{0,6}|(?:^|[;|&{=(]\s{0,4})[&.](?=\s{0,2}[$("'])|`|%x\(|\bqx\b)/gi
const EVAL_CALL =
  /^(?:eval|instance_eval|class_eval|module_eval|iex|Invoke-Expression|loadstring|load|include_string|create_function|InvokeScript|\[?ScriptBlock)/i
const ASSIGNMENT =
  /(?:^|[;{(]|\b(?:then|do)\b)\s{0,20}(?:my|local|var|let|const|set|auto|final|string|\[\w{1,20}\])?\s{0,4}[$@%]?([A-Za-z_]\w{0,40})(?:\s?,\s?[\w$]{1,20}){0,2}\s{0,4}(?:\+|\.)?(?:=(?![=~>])|:=|<-|\bto\b)\s{0,4}([^\n]{1,600})/gi
const FILE_WRITE =
  /\b(?:File\.(?:write|binwrite)|file_put_contents|WriteAll(?:Text|Bytes)|Out-File|Set-Content|writeLines|os\.WriteFile|ioutil\.WriteFile|Add-Content|spew|write_text)\b[^\n]{0,40}?["'(\s]([\w$:~/\\.%{}-]{3,120})|-OutFile\s{1,4}["']?([^\s"';)]{2,120})|DownloadFile\([^,\n]{1,300},\s?["']?([^\s"')]{2,120})/gi
const LINES_MAX = 4_000
const NAMES_MAX = 256
const TEXT_MAX_CHARS = 262_144
// Costs in microseconds: per character that is searched, and per line that is checked.
const SEARCHED_CHAR_US = 0.02
const LINE_US = 40
const LINES_PER_YIELD = 128

/** An encoded PowerShell command, as one string or in a list of arguments. */
const ENCODED = /-(?:e|ec|enc\w{0,16})["'\s,]{1,20}["'][A-Za-z0-9+/]{60}/i

/**
 * `isInstaller` is true for languages whose installers are usually downloaded and run in one command, such as
 * PowerShell.
 */
export function* followText(
  fullText: string,
  isInstaller: boolean,
  reportFinding: ReportFinding,
): Steps<void> {
  const text = fullText.slice(0, TEXT_MAX_CHARS)
  yield text.length * SEARCHED_CHAR_US
  const isFromConnection = CONNECTION_TERMS.test(text)
  const encodedCommand = ENCODED.exec(text)
  if (encodedCommand) reportFinding('shell-decoded-command', 'An encoded command', encodedCommand.index)
  if (!FETCH_TERMS.test(text) && !DECODE_TERMS.test(text) && !SECRET_TERMS.test(text) && !isFromConnection)
    return
  const taintsByName = new Map<string, Taint>()
  const taintsByFile = new Map<string, Taint>()
  /** Variables that hold a function that was looked up by name. */
  const evaluators = new Set<string>()
  let currentFunction = ''
  const lines = text.split('\n', LINES_MAX)
  for (const report of [null, reportFinding]) {
    let offset = 0
    for (const [index, line] of lines.entries()) {
      if (index % LINES_PER_YIELD === 0) yield LINES_PER_YIELD * LINE_US
      const piece = line.slice(0, 2_000)
      if (!/^\s{0,40}(?:#|\/\/|--\s|REM\b|::)/i.test(piece)) readStatement(piece, offset, report)
      offset += line.length + 1
    }
  }
  // In a short text, opening a connection and running something is enough.
  if (
    isFromConnection &&
    text.length < 2_000 &&
    /`[^`\n]{0,80}[$#_]|\b(?:shell_exec|popen|iex|Invoke-Expression|system|exec|os\.execute|getline)\b/i.test(
      text,
    )
  )
    reportFinding('shell-reverse-shell', 'Text received over a connection is run', 0)

  function readStatement(line: string, offset: number, report: ReportFinding | null): void {
    const definedName = /\b(?:function|def|sub|func|fn)\s{1,4}(?:[\w.]{1,40}[.:])?(\w{1,40})/.exec(line)?.[1]
    if (definedName !== undefined) currentFunction = definedName
    const returned = /^\s{0,40}return\s([^\n]{1,300})/.exec(line)?.[1]
    const value = returned === undefined ? CLEAN : taintOf(returned, true)
    if (value !== CLEAN && taintsByName.size < NAMES_MAX)
      taintsByName.set(currentFunction, mergeTaints(taintsByName.get(currentFunction) ?? CLEAN, value))
    const lookedUpName = /(\w{1,40})\s?=\s?(?:rawget\(_G|_G\[|_ENV\[|method\(|\$GLOBALS\[|Get-Command)/.exec(
      line,
    )?.[1]
    if (lookedUpName !== undefined && evaluators.size < NAMES_MAX) evaluators.add(lookedUpName)
    for (const { 1: name = '', 2: value = '' } of line.matchAll(ASSIGNMENT)) {
      const taint = taintOf(value, true)
      if (taint !== CLEAN && taintsByName.size < NAMES_MAX)
        taintsByName.set(name, mergeTaints(taintsByName.get(name) ?? CLEAN, taint))
    }
    for (const [, writePath, outFilePath, downloadPath] of line.matchAll(FILE_WRITE)) {
      const path = writePath ?? outFilePath ?? downloadPath
      const knownTaint = taintOf(line, false)
      if (path !== undefined && knownTaint.origin !== null && taintsByFile.size < NAMES_MAX)
        taintsByFile.set(path, knownTaint)
    }
    if (report) checkStatement(line, offset, report)
  }

  function checkStatement(line: string, offset: number, report: ReportFinding): void {
    for (const { 0: call, index } of line.matchAll(RUN_CALL)) {
      const args = line.slice(index + call.length, index + call.length + 300)
      const runTaint = taintOfRun(call, args)
      if (runTaint.isFromConnection)
        report('shell-reverse-shell', 'Text received over a connection is run', offset)
      else if (runTaint.origin === 'decoded') report('shell-decoded-command', 'Decoded text is run', offset)
      else if (runTaint.origin !== null && isUntrusted(runTaint.origin))
        report('shell-untrusted-pipe-shell', 'Text from another machine is run', offset)
      else if (runTaint.origin === 'named' && (runTaint.isIndirect || !isInstaller))
        report('shell-fetched-command', 'Fetched text is run', offset)
    }
    for (const { 1: calledName = '', 2: args = '' } of evaluators.size > 0
      ? line.matchAll(/\b(\w{1,40})\s?\(([^\n]{1,200})/g)
      : [])
      if (evaluators.has(calledName) && taintOf(args, true).origin !== null)
        report('shell-decoded-command', 'Text is run by a function that is looked up by name', offset)
    if (SEND_TERMS.test(line) && originOfHosts(line) !== 'local') {
      const sentTaint = taintOf(line.replace(/-(?:Headers|Authorization)\s[^\n]{0,120}/, ''), false)
      if (sentTaint.secretLevel > 1) report('shell-keys-sent', 'Keys are sent over the network', offset)
    }
  }

  /** The taint of what a call runs. A variable inside a longer command does not count. */
  function taintOfRun(call: string, args: string): Taint {
    const isCode = EVAL_CALL.test(call)
    const head =
      /^[\s("'@[{,&$:]{0,8}(?:\(?(?:text|string|String|code)\s?[=(]\s?)?(?:["']?(?:sh|bash|cmd|-c|\/c|-Command|-File|-f)["']?[,\s]{1,4}["']{0,1}){0,3}/i.exec(
        args,
      )?.[0] ?? ''
    const argumentText = args.slice(head.length)
    const word = /^[#{$@(\s]{0,4}(?:string\(|String\()?([A-Za-z_]\w{0,40})(?!\w{0,40}\s?(?:\(|::))/.exec(
      argumentText,
    )
    if (word !== null) {
      const knownTaint = taintsByName.get(word[1] ?? '') ?? CLEAN
      if (knownTaint.origin !== null) return { ...knownTaint, isIndirect: true }
    }
    for (const [path, knownTaint] of taintsByFile)
      if (argumentText.slice(0, 200).includes(path)) return { ...knownTaint, isIndirect: false }
    if (
      /^\s{0,2}\(?\s{0,2}["']https?:/.test(args) &&
      /^(?:source|include|include_once|require|dofile|load|import)$/i.test(call)
    )
      return { ...CLEAN, origin: originOfHosts(args), isIndirect: true }
    return isCode ? taintOf(args, false) : CLEAN
  }

  function taintOf(value: string, isAssigned: boolean): Taint {
    let mergedTaint = CLEAN
    if (DECODE_TERMS.test(value))
      mergedTaint = mergeTaints(mergedTaint, { ...CLEAN, origin: 'decoded', isIndirect: true })
    else if (FETCH_TERMS.test(value)) {
      const origin = originOfCommand(value) ?? originOfHosts(value)
      mergedTaint = mergeTaints(mergedTaint, {
        ...CLEAN,
        origin: origin === 'answer' ? 'named' : origin,
        isIndirect: isAssigned,
      })
    }
    if (CONNECTION_TERMS.test(value))
      mergedTaint = mergeTaints(mergedTaint, { ...CLEAN, origin: 'bare', isFromConnection: true })
    if (SECRET_TERMS.test(value)) mergedTaint = mergeTaints(mergedTaint, { ...CLEAN, secretLevel: 2 })
    for (const [word] of value.matchAll(/[A-Za-z_]\w{0,40}/g)) {
      const knownTaint = taintsByName.get(word)
      if (knownTaint) mergedTaint = mergeTaints(mergedTaint, knownTaint)
    }
    return mergedTaint
  }
}
