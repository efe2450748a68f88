// What a resolved Python path does: runs code, starts programs, reaches the network. Pure look-ups.

/** Runs text as code, whatever it is given. */
export const CODE = /^builtins\.(?:eval|exec|execfile)$/
/** Always goes through a shell. */
export const SHELL =
  /^(?:os\.(?:system|popen[234]?)|subprocess\.get(?:status)?output|commands\.get(?:status)?output|popen2\.\w+|platform\.popen|asyncio\.(?:subprocess\.)?create_subprocess_shell|subprocess\.create_subprocess_shell)$|\.(?:create_subprocess_shell|subprocess_shell)$/
/** Starts a program; with `shell` or arguments that do not stand there it is the rule above. */
export const PROCESS =
  /^(?:subprocess\.(?!.*(?:Error|Expired|CompletedProcess|list2cmdline|PIPE|DEVNULL|STDOUT|create_subprocess_shell|Process|\(\).*)$)\w+|os\.(?:exec[lv]p?e?|spawn[lv]p?e?|posix_spawnp?|startfile)|pty\.spawn|asyncio\.(?:subprocess\.)?create_subprocess_exec)$/
/** Takes an environment for a new program. */
export const TAKES_ENVIRONMENT = (path: string): boolean => PROCESS.test(path) || SHELL.test(path)

const NETWORK =
  /^(?:requests|httpx|aiohttp|urllib3|urllib\.request|http\.client|socket|ftplib|smtplib|telnetlib|websockets?|paramiko|pycurl|grequests|niquests|treq)\./
const QUIET =
  /\.exceptions\.|(?:Error|Exception|Timeout|Warning)$|\.(?:gethostname|setdefaulttimeout|inet_[ap]ton|inet_ntop|inet_ntoa|htons|ntohs|quote|unquote|disable_warnings|HTTPBasicAuth|HTTPAdapter|Retry|Limits|BasicAuth|TCPConnector|ClientTimeout)$/
const HANDLE =
  /^(?:http\.client\.HTTPS?Connection|requests\.(?:sessions\.)?[sS]ession|urllib3\.(?:PoolManager|ProxyManager|HTTPS?ConnectionPool)|aiohttp\.ClientSession)$/

/** True when calling `path` can send something: `requests.post`, a method of a handle such as `requests.Session()`. */
export function isNetworkCall(path: string): boolean {
  return NETWORK.test(path) && !QUIET.test(path) && !HANDLE.test(path)
}

/** True for the class of a handle: what its methods do goes to the network. */
export function isHandleClass(path: string): boolean {
  return HANDLE.test(path)
}

/** Reads data in a way that can run code. */
export const UNSAFE_LOAD =
  /^(?:(?:cPickle|_?pickle|dill|cloudpickle|marshal)\.(?:loads?|Unpickler)|shelve\.open|yaml\.unsafe_load(?:_all)?|jsonpickle\.decode)$/
export const YAML_LOAD = /^yaml\.load(?:_all)?$/
export const SAFE_LOADER = /\.(?:C?SafeLoader|C?BaseLoader)$/
