// Describes Python to the rules: which functions have which effect, and what calls return.

import type { CodeLanguage } from '../common/language.ts'
import { argumentsOf, stringOf } from '../common/values.ts'
import { collectPython, PYTHON_SCOPES } from './names.ts'
import { SUSPICIOUS_PYTHON_NAMES, parsePython } from './parse-python.ts'

const IMPORT_CALLS = /^(?:builtins\.__import__|importlib\.(?:import_module|__import__))$/
const PATH_ALIASES: readonly (readonly [RegExp, string])[] = [
  [/\.__dict__(?=\.)/g, ''],
  [/^sys\.modules\.(?=\w)/, ''],
  [/^builtins\.(?:(?:globals|locals)\(\)|__builtins__)\.(?=\w)/, 'builtins.'],
  [/^(?:builtins\.__builtins__|__builtin__)\b/, 'builtins'],
  [/^(?:posix|nt)\./, 'os.'],
  [/^(?:six\.moves|future\.moves)\./, ''],
  [/^urllib2\./, 'urllib.request.'],
  [/^httplib\./, 'http.client.'],
  [/^os\.environb?(?:\.copy\(\))?/, 'os.environ'],
  // Modules that are reached through another module or an object: shutil.os.system, self.os.system.
  [/^.+\.(os|subprocess|builtins)\.(?=\w+$)/, '$1.'],
]
const COPY_CALLS = /^(?:builtins\.dict|copy\.(?:deep)?copy)$/
const UNSAFE_LOAD =
  /^(?:(?:cPickle|_?pickle|dill|cloudpickle|marshal)\.(?:loads?|Unpickler)|shelve\.open|yaml\.unsafe_load(?:_all)?|jsonpickle\.decode)$/
const YAML_LOAD = /^yaml\.load(?:_all)?$/
const SAFE_LOADER = /\.(?:C?SafeLoader|C?BaseLoader)$/

export const PYTHON: CodeLanguage = {
  prefix: 'python',
  globalPrefix: 'builtins',
  scopes: PYTHON_SCOPES,
  effects: {
    code: /^builtins\.(?:eval|exec|execfile)$/,
    shell:
      /^(?:os\.(?:system|popen[234]?)|(?:subprocess|commands)\.get(?:status)?output|popen2\.\w+|platform\.popen)$|(?:^|\.)(?:create_subprocess_shell|subprocess_shell)$/,
    process:
      /^(?:subprocess\.(?:run|Popen|call|check_call|check_output)|os\.(?:exec[lv]p?e?|spawn[lv]p?e?|posix_spawnp?|startfile)|pty\.spawn|asyncio\.(?:subprocess\.)?create_subprocess_exec)$/,
    network:
      /^(?:requests|httpx|aiohttp|urllib3|urllib\.request|http\.client|socket|ftplib|smtplib|telnetlib|websockets?|paramiko|pycurl|grequests|niquests|treq)\.(?!exceptions\.)(?!(?:.*\.)?(?:\w*(?:Error|Exception|Timeout|Warning)|gethostname|setdefaulttimeout|inet_\w+|htons|ntohs|quote|unquote|disable_warnings|HTTPBasicAuth|HTTPAdapter|Retry|Limits|BasicAuth|TCPConnector)$)/,
    socket: /^socket\.(?!gethostname)/,
    environment: /^os\.environ$/,
    environmentListing: /^os\.environ\.(?:items|values)$/,
    serializes: /^(?:builtins\.(?:str|repr|print|list)|\w+\.dumps|pprint\.\w+|urllib\.parse\.urlencode)$/,
  },
  suspiciousNames: SUSPICIOUS_PYTHON_NAMES,
  relevantNames:
    /eval|exec|compile|\bsystem\b(?!\s{0,20}=)|popen|Popen|subprocess|commands|getoutput|environ(?!\.get\b|\[)|dup2|getattr|vars|globals|locals|import_module|__(?!(?:name|init|main|file|future)__)|pickle|marshal|shelve|yaml|dill|spawn|startfile/,
  parse: (_, text) => parsePython(text),
  recordNames: collectPython,
  normalizeName: (text) => text.normalize('NFKC'),
  canonicalPath: (path) => PATH_ALIASES.reduce((name, [pattern, to]) => name.replace(pattern, to), path),

  resultOfCall(path, syntax, call, resolve) {
    const { positional, named } = argumentsOf(syntax, call)
    const [first, second] = positional
    if (COPY_CALLS.test(path) || path === 'builtins.vars') return first === undefined ? null : resolve(first)
    if (path === 'builtins.getattr' && first !== undefined && second !== undefined) {
      const name = stringOf(syntax, second) ?? '?'
      return resolve(first).map((root) => `${root}.${name}`)
    }
    if (!IMPORT_CALLS.test(path)) return null
    const module = first ?? named.get('name')
    const name = module === undefined ? null : stringOf(syntax, module)
    if (name === null) return ['?']
    return path === 'importlib.import_module' ? [name] : [name, name.split('.')[0] ?? name]
  },

  // The ninth positional argument of Popen is `shell`. Spread arguments are ignored, because they are mostly
  // options that a wrapper passes on.
  asksForShell: (_, { positional, named }, isFalse) =>
    [named.get('shell'), positional[8]].some((value) => value !== undefined && !isFalse(value)),

  checkCall(path, syntax, call, resolve, add) {
    const { positional, named } = argumentsOf(syntax, call)
    const [first, second] = positional
    const module = first ?? named.get('name')
    const shell = named.get('shell')
    if (IMPORT_CALLS.test(path)) {
      if (module !== undefined && stringOf(syntax, module) === null) add('python-dynamic-import', `'${path}'`)
    } else if (path === 'builtins.getattr' && first !== undefined && second !== undefined) {
      if (
        stringOf(syntax, second) === null &&
        resolve(first).some((root) => /^(?:os|subprocess|builtins)$/.test(root))
      )
        add(
          /\bchr\b|:\s?:\s?-1|b64|fromhex|rot13/.test(syntax.textOf(second))
            ? 'python-untrusted-code'
            : 'python-dynamic-lookup',
          'getattr is called with a computed name',
        )
    } else if (UNSAFE_LOAD.test(path)) add('python-unsafe-deserialization', `'${path}'`)
    else if (YAML_LOAD.test(path)) {
      const loader = named.get('Loader') ?? second
      if (loader === undefined || !resolve(loader).some((root) => SAFE_LOADER.test(root)))
        add('python-unsafe-deserialization', `'${path}'`)
    } else if (shell !== undefined && syntax.textOf(shell) === 'True' && /\bsubprocess\b/.test(syntax.text))
      // functools.partial(subprocess.run, shell=True), self.runner(command, shell=True)
      add('python-shell-exec', 'shell=True')
  },

  connectsSocketToProcess: ({ paths }) => paths.has('os.dup2') && paths.size > 1,
}
