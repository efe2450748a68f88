// Which names a star import brings from the modules that the rules are about. Other modules may bring anything.

// Of each only what a rule could mean: the rest of its names is of no account here.
const HTTP_VERBS = 'get post put patch delete head options request'
const EXPORTS: Readonly<Record<string, string>> = {
  os: 'system popen environ environb getenv dup2 execl execle execlp execlpe execv execve execvp execvpe spawnl spawnle spawnlp spawnlpe spawnv spawnve spawnvp spawnvpe posix_spawn posix_spawnp startfile',
  subprocess: 'Popen run call check_call check_output getoutput getstatusoutput',
  builtins: 'eval exec compile getattr vars globals locals dict',
  sys: 'modules',
  pty: 'spawn',
  commands: 'getoutput getstatusoutput',
  popen2: 'popen2 popen3 popen4 Popen3 Popen4',
  platform: 'popen',
  asyncio: 'create_subprocess_exec create_subprocess_shell subprocess',
  'asyncio.subprocess': 'create_subprocess_exec create_subprocess_shell',
  importlib: 'import_module __import__',
  pickle: 'load loads Unpickler',
  _pickle: 'load loads Unpickler',
  cPickle: 'load loads Unpickler',
  dill: 'load loads Unpickler',
  cloudpickle: 'load loads',
  marshal: 'load loads',
  shelve: 'open',
  jsonpickle: 'decode',
  yaml: 'load load_all unsafe_load unsafe_load_all SafeLoader CSafeLoader BaseLoader CBaseLoader',
  requests: `${HTTP_VERBS} Session session sessions api`,
  'requests.api': HTTP_VERBS,
  'requests.sessions': 'Session session',
  niquests: `${HTTP_VERBS} Session`,
  grequests: `${HTTP_VERBS} map imap`,
  treq: HTTP_VERBS,
  httpx: `${HTTP_VERBS} stream Client AsyncClient`,
  aiohttp: 'ClientSession request',
  'aiohttp.client': 'ClientSession request',
  urllib3: 'PoolManager ProxyManager HTTPConnectionPool HTTPSConnectionPool request',
  'urllib.request': 'urlopen urlretrieve build_opener install_opener Request URLopener FancyURLopener',
  'http.client': 'HTTPConnection HTTPSConnection',
  socket: 'socket create_connection create_server socketpair fromfd SocketType',
  ftplib: 'FTP FTP_TLS',
  smtplib: 'SMTP SMTP_SSL',
  telnetlib: 'Telnet',
  websocket: 'create_connection WebSocket WebSocketApp',
  websockets: 'connect serve',
  paramiko: 'SSHClient Transport SFTPClient',
  pycurl: 'Curl',
}
const TABLE = new Map(Object.entries(EXPORTS).map(([module, names]) => [module, new Set(names.split(' '))]))

/** False for a path such as `subprocess.print`, a name that a star import of `subprocess` does not bring. */
export function isStarred(path: string): boolean {
  const dot = path.lastIndexOf('.')
  const known = TABLE.get(path.slice(0, dot))
  return known === undefined || known.has(path.slice(dot + 1))
}
