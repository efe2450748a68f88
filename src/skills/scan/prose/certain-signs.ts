// Signs of actions that are never benign. Each is searched for in every segment, even in segments that are
// reported as a download.

import { SECRECY, WITHOUT_ASKING } from './terms.ts'

const unicodePattern = (pattern: string): RegExp => new RegExp(pattern, 'iu')
const SHELL = '(?:sudo\\s{1,4})?(?:\\/[\\w/]{1,20}\\/)?(?:ba|z|da)?sh\\b'
const DOWNLOADERS = '\\b(?:curl|wget)\\b'
const WINDOWS_DOWNLOADERS = '(?:DownloadString|DownloadFile|\\birm\\b|\\biwr\\b|\\bInvoke-(?:Web|Rest))'
const SEND_COMMAND = '\\b(?:curl|wget|nc|ncat|netcat)(?:\\.exe)?\\s'
const DATA_OPTION =
  '\\s(?:-d|--data(?:-binary|-raw|-urlencode|-ascii)?|-F|--form|-T|--upload-file|-H|--header|--post-(?:data|file)|--body-(?:data|file))[ =]?["\']?'
const PATH = '["\'~/$\\w{}.%\\\\-]{0,80}'
/** Files that hold keys. `.ssh/config` and public keys do not match. */
const KEY_FILES =
  '(?:(?<![\\w.])\\.(?:ssh\\b(?!\\/(?:config|known_hosts|authorized_keys|[\\w.-]{1,60}\\.pub))|aws\\b|kube\\/config|gnupg|netrc|npmrc|pypirc|git-credentials|docker\\/config\\.json|config\\/gcloud|env(?![\\w.(\\[]))|\\bid_(?:rsa|ed25519|ecdsa)\\b(?!\\.pub)|\\/etc\\/shadow|\\b(?:bash|zsh)_history|Login Data|logins\\.json|key4\\.db|wallet\\.dat|login\\.keychain)'
const ENCODERS = '(?:base64|base32|gzip|xxd|od|hexdump|tr|sort|openssl|bzip2|xz|zstd)'
const FILE_READERS = `\\b(?:cat|tar|zip|7z|base64|gzip|xxd|openssl|head|tail|strings|Get-Content|gc|type)\\b`
const ENVIRONMENT_DUMP = '(?<![\\w./-])(?:printenv|env|export -p)\\s{0,4}'
const PUBLIC_IP_ADDRESS =
  '(?!127\\.|10\\.|192\\.168\\.|172\\.(?:1[6-9]|2\\d|3[01])\\.|0\\.0\\.0\\.0)\\d{1,3}(?:\\.\\d{1,3}){3}\\b'
const REPLACED_COMMANDS = '(?:sudo|su|ssh|passwd|gpg|git|npm|docker|kubectl|aws|gh)'

export const CERTAIN_SIGNS = {
  keysSent: unicodePattern(
    [
      // A file that the sending command names or reads in its arguments.
      `${SEND_COMMAND}[^\\n]{0,300}${DATA_OPTION}(?:[\\w-]{1,20}=)?[@<]?${PATH}${KEY_FILES}`,
      `${SEND_COMMAND}[^\\n]{0,300}\\$\\(\\s{0,4}(?:cat|base64[^)\\n]{0,12}|<)\\s{0,4}[^)|\\n]{0,60}${KEY_FILES}[^)|\\n]{0,20}(?:\\)|\\|\\s{0,4}${ENCODERS}\\b)`,
      `${SEND_COMMAND}[^\\n]{0,300}(?:\\$\\(|@<\\(|\`)\\s{0,4}${ENVIRONMENT_DUMP}(?:\\)|\`|\\|\\s{0,4}${ENCODERS}\\b)`,
      // A file that is piped to the sending command, or packed into an archive that the same line sends.
      `${FILE_READERS}[^\\n;&|]{0,120}${KEY_FILES}[^\\n;&|]{0,60}(?:\\|\\s{0,4}${ENCODERS}\\b[^\\n;&|]{0,60}){0,3}\\|\\s{0,4}${SEND_COMMAND}`,
      `${ENVIRONMENT_DUMP}(?:\\|\\s{0,4}${ENCODERS}\\b[^\\n;&|]{0,60}){0,3}\\|\\s{0,4}${SEND_COMMAND}`,
      `\\b(?:tar|zip|7z)\\b[^\\n;&|]{0,160}${KEY_FILES}[^\\n]{0,80}(?:&&|;)\\s{0,4}${SEND_COMMAND}[^\\n]{0,200}@`,
    ].join('|'),
  ),
  replacedCommand: unicodePattern(
    `(?:^|[\\s;"'])${REPLACED_COMMANDS}\\s{0,2}\\(\\)\\s{0,2}\\{[^\\n]{0,300}${SEND_COMMAND}[^\\n]{0,200}(?:${DATA_OPTION})|\\balias\\s{1,4}${REPLACED_COMMANDS}=["'][^\\n]{0,200}${SEND_COMMAND}`,
  ),
  loop: /\bwhile\b|\bfor\s{0,2}\(;;|\bStart-Sleep\b|\bsleep\s{1,4}[\d.]/i,
  clipboard: /\bGet-Clipboard\b|\bpbpaste\b|\bxclip\b[^\n]{0,40}-o\b|\bwl-paste\b/i,
  browserOrWalletFile:
    /Login Data|logins\.json|key4\.db|wallet\.dat|exodus\.wallet|Local Extension Settings|dump-keychain/i,
  encodedOrKeyFile: unicodePattern(`\\|\\s{0,4}(?:xxd|od|base(?:32|64)|hexdump)\\b|${KEY_FILES}`),
  downloadRun: unicodePattern(
    `${DOWNLOADERS}[^\\n|]{0,300}\\|\\s{0,4}${SHELL}|\\b${SHELL}\\s{1,4}-c\\s{1,4}\\\\?["']?\\\\?\\$\\(\\s{0,4}(?:curl|wget)\\b|\\b(?:iex|Invoke-Expression)\\b[^\\n]{0,120}${WINDOWS_DOWNLOADERS}|${WINDOWS_DOWNLOADERS}[^\\n|]{0,200}\\|\\s{0,4}iex\\b`,
  ),
  /** The line that makes something start automatically. */
  autostartLine:
    /\bcrontab\b|\/etc\/cron|@(?:reboot|hourly|daily)\b|(?:^|["'=(])\s{0,4}(?:[*\d][*/\d,-]{0,7}\s{1,4}){4}[*/\d,-]{1,8}\s|\bExecStart(?:Pre)?\s?=|CurrentVersion\\{1,2}Run|\bschtasks\b|\bRegister-ScheduledTask\b|\.git\/hooks|"(?:PreToolUse|PostToolUse|SessionStart|UserPromptSubmit)"/iu,
  launchAgent: /\bRunAtLoad\b|\bStartInterval\b|\bProgramArguments\b/,
  launchAgentRunsDownload: unicodePattern(
    `<string>[^<\\n]{0,200}(?:${DOWNLOADERS}[^<\\n]{0,200}\\|\\s{0,4}${SHELL}|\\$\\((?:curl|wget)\\b)`,
  ),
  profileRunsDownload: unicodePattern(
    `\\b(?:echo|printf)\\s{1,4}(?:-e\\s)?(?:"[^"\\n]{0,200}|'[^'\\n]{0,200})${DOWNLOADERS}[^\\n]{0,200}\\|\\s{0,4}${SHELL}[^\\n]{0,60}(?:>>|\\|\\s{0,4}tee\\s{1,4}-a)\\s{0,4}\\S{0,60}(?:rc|profile|zshenv)\\b`,
  ),
  authorizedKeyAdded: /(?:>>|\btee\s{1,4}-a)[^\n]{0,80}authorized_keys\b/,
  publicKey: /\b(?:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-\w{1,20})\s{1,4}AAAA[A-Za-z0-9+/=]{30}/,
  hiddenWindowDownload: unicodePattern(
    `\\b(?:powershell|pwsh)(?:\\.exe)?\\b[^\\n]{0,120}\\s-w(?:in\\w{0,12})?\\s{1,4}["']?(?:hidden|1)\\b[^\\n]{0,300}${WINDOWS_DOWNLOADERS}|\\bdo shell script\\s{1,4}"[^"\\n]{0,200}${DOWNLOADERS}[^"\\n]{0,200}\\|\\s{0,4}${SHELL}`,
  ),
  hiddenFileDownload: unicodePattern(
    `${DOWNLOADERS}[^\\n]{0,300}(?:\\s-[a-zA-Z]{0,6}[oO]|--output(?:-document)?|>)[ =]?\\s{0,4}["']?(?:\\/tmp|\\/var\\/tmp|\\/dev\\/shm|\\$\\{?TMPDIR\\}?|[~$\\w{}/]{0,30}Library\\/Caches)\\/(?:[\\w-]{1,40}\\/)?\\.\\w`,
  ),
  madeExecutable: /\bchmod\s{1,4}(?:[ugoa]{0,3}\+r?w?x|[75]\d\d)\b|\b(?:nohup|setsid|open)\s/,
  defenderOff:
    /\bSet-MpPreference\s[^\n]{0,80}-DisableRealtimeMonitoring\s{1,4}(?:\$?true|1)\b|\bAdd-MpPreference\s[^\n]{0,80}-ExclusionPath\s{1,4}["']?[A-Za-z]:\\{0,2}(?:["'\s]|$)/i,
  ipAddressPackage: unicodePattern(
    `(?:--(?:extra-)?index-url|--find-links|--registry|(?:extra-)?index-url|\\bregistry)[ \\t=:"']{1,5}https?:\\/\\/${PUBLIC_IP_ADDRESS}|\\b(?:npx|uvx|bunx|pipx|pip3?|npm|pnpm|yarn|gem|cargo|uv)\\s[^\\n]{0,60}\\s["']?(?:git\\+)?https?:\\/\\/${PUBLIC_IP_ADDRESS}`,
  ),
  concealedFromUser: unicodePattern(
    [
      "\\b(?:do not|don['’]?t|never|no need to|without|must not|should not)\\b[^.\\n]{0,24}\\b(?:tell|telling|mention\\w{0,3}|inform\\w{0,3}|notify\\w{0,3}|alert\\w{0,3})\\b[^.\\n]{0,40}\\b(?:users?|human|owner|them)\\b",
      '\\b(?:not|never) (?:be )?(?:discussed|shared|mentioned|talked about) (?:with|to) (?:the )?(?:users?|human|owner|anyone)\\b',
      '\\b(?:secretly|covertly|unnoticed|silently and without)\\b',
      '\\b(?:no|nunca)\\b[^.\\n]{0,20}\\b(?:menciones|digas|cuentes|informes|avises|comuniques)\\b[^.\\n]{0,20}\\busuario',
      '\\b(?:não|nunca)\\b[^.\\n]{0,20}\\b(?:mencione|diga|conte|informe|avise)\\b[^.\\n]{0,20}\\busuário',
      '\\b(?:erwähne|sag|verrate|informiere)\\p{L}{0,3}\\b[^.\\n]{0,40}\\b(?:nutzer|benutzer|anwender)\\p{L}{0,3}\\b[^.\\n]{0,20}\\b(?:nicht|nichts)\\b|\\b(?:nutzer|benutzer|anwender)\\p{L}{0,3}\\b[^.\\n]{0,20}\\b(?:nicht|nichts)\\b[^.\\n]{0,20}(?:erwähn|sag|verrat|informier|mitteil)',
      "\\b(?:n['’]en|ne)\\b[^.\\n]{0,20}\\b(?:mentionn|parl|dit|dis|inform|préven)\\p{L}{0,4}\\b[^.\\n]{0,30}\\butilisateur",
      '(?:不要|无需|無需|切勿|别|請勿|请勿|勿)[^。\\n]{0,8}(?:告诉|告知|提及|提到|透露|通知|告訴)[^。\\n]{0,8}(?:用户|用戶)|(?:ユーザー?)[^。\\n]{0,12}(?:言わ|伝え|知らせ|報告し|通知し)(?:な|ず)',
      'не (?:сообща|говор|упомина|рассказыва|уведомля)\\S{0,6}[^.\\n]{0,30}пользовател',
    ].join('|'),
  ),
  withoutAsking: unicodePattern(
    `${SECRECY}|${WITHOUT_ASKING}|\\b(?:so as )?not to (?:bother|interrupt|disturb)\\b|\\bwithout (?:a |any )?(?:prompts?|summary|notice)\\b`,
  ),
  obeysEverything:
    /\b(?:carry out|follow|obey|do|execute|act on|comply with)\s(?:\w{1,10}\s)?(?:whatever|everything|anything)\b/iu,
  claimsPrecedence:
    /\b(?:precedence|priority|authority|overrid\w{1,4})\b[^\n]{0,80}\b(?:user|instructions?|conversation|system)\b/iu,
  conversationContents:
    /\b(?:summary|transcript|contents?|text|messages) of (?:the|this|our) (?:conversation|chat|session)|\bchat history\b|\b(?:conversation|chat)\b[^\n]{0,60}\b(?:keys|credentials|file contents)\b/iu,
} as const satisfies Readonly<Record<string, RegExp>>

/** Keywords that must be present before the more expensive verdict patterns are tried. */
export const CERTAIN_KEYWORDS = {
  keysSent: /\b(?:curl|wget|nc|ncat|netcat)(?:\.exe)?\s/gi,
  replacedCommand:
    /(?:sudo|su|ssh|passwd|gpg|git|npm|docker|kubectl|aws|gh)\s{0,2}\(\)|alias (?:sudo|su|ssh|git|gpg)=/gi,
  autostartLine:
    /cron|@reboot|[*\d] \* |ExecStart|CurrentVersion|schtasks|ScheduledTask|git\/hooks|ToolUse"|SessionStart"|PromptSubmit"/gi,
  launchAgent: /RunAtLoad|StartInterval|ProgramArguments/g,
  profileRunsDownload: />>|tee\s{1,4}-a/g,
  authorizedKeyAdded: /authorized_keys/g,
  hiddenWindowDownload: /-w(?:in\w{0,12})?\s{1,4}["']?(?:hidden|1)\b|do shell script/gi,
  hiddenFileDownload: /(?:tmp|shm|TMPDIR\}?|Caches)\/(?:[\w-]{1,40}\/)?\.\w/gi,
  ipAddressPackage: /https?:\/\/\d{1,3}\./gi,
  defenderOff: /MpPreference/gi,
} as const
