// Describes JavaScript and TypeScript to the rules: which functions have which effect, and what calls return.

import type { CodeLanguage } from '../common/language.ts'
import type { SyntaxNode, Syntax } from '../common/syntax.ts'
import { argumentsOf, stringOf } from '../common/values.ts'
import { collectJavascript, JAVASCRIPT_SCOPES, moduleName } from './names.ts'
import { SUSPICIOUS_JAVASCRIPT_NAMES, parseJavascript } from './parse-javascript.ts'

const IMPORT_CALLS =
  /^(?:import|globals\.(?:require|module\.require|process\.mainModule\.require|process\.getBuiltinModule)|module\.createRequire\(\)|process\.getBuiltinModule)$/
const IDENTITY_CALLS = /^(?:(?:globals\.)?util\.promisify|globals\.(?:Object|Reflect)\.getPrototypeOf)$/
const PATH_ALIASES: readonly (readonly [RegExp, string])[] = [
  [/^globals\.(?:globalThis|window|self|global|top|frames)\b/, 'globals'],
  [/^process\.(?=\w)/, 'globals.process.'],
  [/(?<=\w)\.default\b/g, ''],
  [/\.(?:call|apply|bind\(\))$/, ''],
]
/** Starts a shell that depends on the operating system. */
const STARTS_SYSTEM_SHELL =
  /\b(?:spawn|exec\w{0,8}|fork)\s?\(\s?[\w.]{1,40}[^\n()]{0,60}\?\s?["'`](?:cmd|powershell|\/bin\/(?:ba|z)?sh|(?:ba|z)?sh)(?:\.exe)?["'`]/
const STARTS_USER_SHELL = /\b(?:spawn|exec\w{0,8}|fork)\s?\(\s?process\.env\.(?:SHELL|ComSpec|COMSPEC)\b/
const SHELL_PROGRAM =
  /^(?:(?:\/[\w.]{1,20}){0,4}\/)?(?:(?:ba|z|da|k)?sh|cmd(?:\.exe)?|powershell(?:\.exe)?|pwsh)$/i

export const JAVASCRIPT: CodeLanguage = {
  prefix: 'javascript',
  globalPrefix: 'globals',
  scopes: JAVASCRIPT_SCOPES,
  effects: {
    code: /^(?:globals\.(?:eval|Function|execScript)|vm\.(?:runIn\w*Context|Script|compileFunction|SourceTextModule))$|\?\.function\.constructor$|\.constructor\.constructor$/,
    shell: /^(?:child_process\.exec(?:Sync)?|shelljs\.exec)$/,
    process:
      /^(?:child_process\.(?:spawn|execFile|fork)(?:Sync)?|cross-spawn(?:\.\w+)?|execa(?:\.\w+)?|globals\.Bun\.spawn(?:Sync)?|globals\.Deno\.(?:Command|run)|node-pty\.spawn)$/,
    network:
      /^(?:globals\.(?:fetch|XMLHttpRequest|WebSocket|EventSource|navigator\.sendBeacon)|https?\.(?:request|get)|http2\.connect|net\.(?:connect|createConnection|Socket)|tls\.connect|dgram\.createSocket|(?:axios|got|node-fetch|undici|cross-fetch|superagent|request|ws|ky|needle|phin)(?:\.(?!isAxiosError)\w+)?)$/,
    socket: /^(?:net\.(?:connect|createConnection|Socket)|tls\.connect)$/,
    environment: /^globals\.process\.env$/,
    // `serializes` covers `Object.entries(process.env)`.
    environmentListing: /(?!)/,
    serializes:
      /^globals\.(?:JSON\.stringify|Object\.(?:entries|values|fromEntries)|String|console\.\w+|structuredClone)$/,
  },
  suspiciousNames: SUSPICIOUS_JAVASCRIPT_NAMES,
  relevantNames:
    /eval|Function|constructor|child_process|exec|spawn|fork|\bvm\b|runIn|(?:Timeout|Interval|Immediate)\s{0,20}\(\s{0,20}["'`]|import\s{0,20}\(|require\s{0,20}\((?!\s{0,20}["'`][\w@./:-]{1,200}["'`]\s{0,20}\))|process(?!\.env\.\w)|Deno|Bun|\\[ux]/,
  parse: parseJavascript,
  recordNames: collectJavascript,
  normalizeName: (text) => text,
  canonicalPath: (path) => PATH_ALIASES.reduce((name, [pattern, to]) => name.replace(pattern, to), path),

  resultOfCall(path, syntax, call, resolve) {
    const first = argumentOf(syntax, call)
    if (IDENTITY_CALLS.test(path) && first !== undefined) return resolve(first)
    if (!IMPORT_CALLS.test(path)) return null
    const module = first === undefined ? null : stringOf(syntax, first)
    return [module === null ? '?' : moduleName(module)]
  },

  asksForShell: (syntax, { positional }) =>
    positional.slice(1).some((option) => asksForShell(syntax, option)),

  checkCall(path, syntax, call, _, add) {
    const first = argumentOf(syntax, call)
    if (first === undefined) return
    if (/^globals\.set(?:Timeout|Interval|Immediate)$/.test(path) && syntax.name(first).endsWith('String'))
      add('javascript-dynamic-code', 'A timer runs text as code')
    if (!IMPORT_CALLS.test(path)) return
    const module = stringOf(syntax, first)
    if (module === null) add('javascript-dynamic-import', 'A module is imported by a computed name')
    else if (/^data:/i.test(module)) add('javascript-dynamic-code', 'A module is imported from a data: URL')
    else if (/^https?:/i.test(module))
      add('javascript-remote-import', 'A module is imported from the network')
  },

  connectsSocketToProcess: ({ text, paths, programs }) =>
    paths.size > 0 &&
    (programs.some((program) => SHELL_PROGRAM.test(program)) ||
      STARTS_SYSTEM_SHELL.test(text) ||
      STARTS_USER_SHELL.test(text)) &&
    /\.pipe\s{0,4}\(|\bstdio\b|\.std(?:in|out)\b/.test(text),
}

function argumentOf(syntax: Syntax, call: SyntaxNode): SyntaxNode | undefined {
  return syntax.name(call) === 'DynamicImport'
    ? syntax.children(call)[2]
    : argumentsOf(syntax, call).positional[0]
}

/**
 * Whether options ask for a shell. `shell: false` and `shell: process.platform === 'win32'` (needed to start
 * npm on Windows) do not count.
 */
function asksForShell(syntax: Syntax, option: SyntaxNode): boolean {
  if (syntax.name(option) !== 'ObjectExpression') return false
  return syntax.children(option).some((property) => {
    const [key, colon, value] = syntax.children(property)
    if (key === undefined || !/^["']?shell["']?$/.test(syntax.textOf(key))) return false
    return colon === undefined || value === undefined || !/^false$|win/i.test(syntax.textOf(value))
  })
}
