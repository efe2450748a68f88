// The signs by which instructions are judged. Each is a pattern for a segment of a line; a rule needs a
// combination of signs.

import { ASKING_FORM, CHECKS_OFF, GUARDS_OFF, PASSWORD_FIELD, UNATTENDED_AGENT } from './guards.ts'
import { ADDS_SOURCE, OTHER_INDEX } from './package-sources.ts'
import { CERTAIN_KEYWORDS, CERTAIN_SIGNS } from './certain-signs.ts'
import { SECRECY, WITHOUT_ASKING, termPattern } from './terms.ts'

const unicodePattern = (pattern: string): RegExp => new RegExp(pattern, 'iu')
const FILE_NAME = '[\\p{L}\\p{N}_.-]{1,80}'
const HTTP = 'https?:\\/\\/(?!(?:localhost|127\\.|0\\.0\\.0\\.0|\\[::1))[\\p{L}\\p{N}][^\\s)"\'`<>]{3}'
const LITERAL = '[\\w@#!.+-]{2,24}'
/** Programs that are usually installed already, so instructions may start them without a download. */
const SYSTEM_PROGRAMS =
  'outlook|winword|excel|powerpnt|msaccess|visio|explorer|chrome|msedge|firefox|cmd|powershell|pwsh|taskkill|svchost|rundll32|msbuild|devenv|dotnet|java|python\\d?|node|git|bash'
const PASTE_SITES =
  '\\b(?:glot\\.io|rentry\\.(?:co|org)|pastebin\\.com|paste\\.(?:ee|rs)|hastebin|ghostbin|dpaste\\.(?:com|org)|justpaste\\.it|controlc\\.com|telegra\\.ph)\\b'
/** Files and commands that yield personal keys from browsers, wallets and key stores. */
const CREDENTIAL_STORES =
  'Login Data|logins\\.json|key4\\.db|cookies\\.sqlite|Local Extension Settings|\\/Cookies\\b|wallet\\.dat|\\.electrum|exodus\\.wallet|\\.ethereum\\b|ethereum\\/keystore|\\.config\\/solana|solana\\/id\\.json|\\.bitcoin\\b|login\\.keychain|find-(?:generic|internet)-password|dump-keychain'
const KEY_FILES =
  '(?<![\\w.])\\.(?:ssh|aws|kube|gnupg|netrc|npmrc|pypirc|git-credentials|docker\\/config\\.json|(?:openclaw|clawdbot|moltbot)\\/(?:\\.env|credentials|[\\w-]{1,20}\\.json)|config\\/gcloud|env(?![\\w.(\\[]))|\\bid_(?:rsa|ed25519|ecdsa)\\b(?!\\.pub)|\\/etc\\/shadow|\\b(?:bash|zsh)_history'
/** Commands that upload something. */
const UPLOAD_COMMANDS =
  '\\bcurl(?:\\.exe)?\\s[^\\n]{0,200}(?:\\s-[a-zA-Z]{0,4}[FT]\\s?\\S|\\s--(?:upload-file|form)\\b|(?:-d|--data(?:-binary|-raw|-urlencode)?)[ =]["\']?[\\w]{0,20}=?[@$])|\\bwget\\s[^\\n]{0,200}--(?:post|body)-(?:file|data)|\\b(?:Invoke-RestMethod|Invoke-WebRequest|irm|iwr)\\s[^\\n]{0,200}(?:-InFile|-Method\\s{1,4}["\']?(?:Post|Put))|\\.Upload(?:File|String|Data)\\(|\\|\\s{0,4}(?:nc|ncat|netcat)\\s'
const DROP_ADDRESSES =
  '(?:discord(?:app)?\\.com\\/api\\/webhooks|api\\.telegram\\.org\\/bot|webhook\\.site|requestbin|pipedream\\.net|ngrok(?:-free)?\\.(?:io|app|dev)|transfer\\.sh|file\\.io|0x0\\.st|burpcollaborator|interact\\.sh|\\boast\\.)'
const DOWNLOADERS =
  '(?:\\b|\\\\n)(?:curl|wget|iwr|irm|Invoke-WebRequest|DownloadFile|DownloadString|bitsadmin|certutil)\\b'
/** Hidden and temporary folders, where nobody looks for a program. */
const HIDDEN_FOLDERS =
  '(?:\\/tmp|\\/var\\/tmp|\\/dev\\/shm|\\.cache|Library\\/Caches|\\.local\\/share)\\/(?:[\\w.-]{1,60}\\/){0,4}\\.[\\w-]|(?:\\$HOME|\\$\\{HOME\\}|~)\\/\\.[\\w-]{1,40}(?=[\\s"\'<;|&]|$)|(?:\\/tmp|\\/var\\/tmp|\\/dev\\/shm)\\/[\\w.-]|(?:%TEMP%|%APPDATA%|\\$env:(?:TEMP|APPDATA|LOCALAPPDATA|PUBLIC))[\\\\/]'
/** Ways to start a program automatically, and files that every shell reads when it starts. */
const AUTOSTART =
  '\\bcrontab\\s{1,4}-|\\|\\s{0,4}crontab\\b|\\/etc\\/cron|@reboot\\b|^\\s{0,4}(?:[*\\d][*/\\d,-]{0,7}\\s{1,4}){4}[*/\\d,-]{1,8}\\s|LaunchAgents|LaunchDaemons|\\blaunchctl\\s|\\bExecStart(?:Pre)?\\s?=|\\.config\\/systemd|CurrentVersion\\\\{1,2}Run|\\bschtasks\\b|\\bRegister-ScheduledTask\\b|Start Menu\\\\|\\/autostart\\/|\\.git\\/hooks|core\\.hooksPath|"(?:PreToolUse|PostToolUse|SessionStart|UserPromptSubmit)"'
const SHELL_START =
  '(?:>>|\\btee\\s{1,4}-a)\\s{0,4}\\S{0,60}(?:\\.(?:bashrc|zshrc|profile|bash_profile|zprofile|zshenv)|\\/rc\\.local|authorized_keys|\\$PROFILE)\\b'
/** IP addresses, unencrypted addresses and paste sites. There is no honest reason to download from them. */
const UNTRUSTED_ADDRESSES = `http:\\/\\/(?=[\\w[])(?!(?:localhost|127\\.|0\\.0\\.0\\.0|10\\.|192\\.168\\.|172\\.(?:1[6-9]|2\\d|3[01])\\.|\\[::1|[\\w-]{1,40}[:/]))|https:\\/\\/\\d{1,3}(?:\\.\\d{1,3}){3}|${PASTE_SITES}`
/** A password that the text gives and calls a code, a PIN or a key. */
const GIVEN_CODE = `(?<!(?:error|exit|status|return|source|zip|country) )(?<![\\p{L}\\p{N}_])(?:code|pin|key|código|codigo|clé|chiave|codice|schlüssel|llave|chave|код|ключ|コード|提取码|코드)(?![\\p{L}\\p{N}_])[^\\n.;|]{0,24}?(?:[\`"'“„«「『*]{1,3}${LITERAL}[\`"'”“»」』*]|[:=：]\\s?${LITERAL}|[ \\t][A-Za-z-]{0,20}\\d)`
/** An address, a repository or an archive in place of the name of a package. */
const PACKAGE_ADDRESS =
  '(?:git\\+(?:https?|ssh|git|file):\\/\\/(?![^\\s"\'`]{1,300}@[0-9a-f]{40}\\b)|git:\\/\\/|https?:\\/\\/(?!localhost|127\\.)[^\\s"\'`<>]{1,300}\\.(?:tgz|tar\\.gz|tar\\.bz2|zip|whl|gem|git)\\b)'
const PACKAGE_BY_ADDRESS = `"args"\\s?:\\s?\\[[^\\]\\n]{0,120}"(?:git\\+)?https?:\\/\\/(?!localhost|127\\.)[^"\\n]{1,200}\\.(?:tgz|tar\\.gz|whl|zip|git)"|\\b(?:npm|pnpm|yarn|bun)\\s(?:[^\\n|;&]{0,80}\\s)?(?:i|install|add|x|exec|dlx|create)\\s(?:[^\\n|;&]{0,200}\\s)?["'\`]?(?:[\\w@/.-]{1,80}@)?${PACKAGE_ADDRESS}|\\b(?:npx|bunx)(?:["'\\s,:[]{1,8}(?:args\\b|-[\\w-]{1,12}=?)){0,6}["'\\s,=:[\`]{1,8}(?:https?:\\/\\/(?!localhost|127\\.)[^\\s"'\`]|${PACKAGE_ADDRESS})|\\b(?:pip3?|pipx|uv|uvx|poetry|gem|cargo)["'\\s,:[](?:[^\\n|;&]{0,200}[\\s"'])?(?<!(?:index-url|find-links|registry|index|-i|-f)[ =]["']?)(?:[\\w.[\\],-]{1,80}\\s?@\\s?)?${PACKAGE_ADDRESS}|"(?!(?:url|homepage|repository|bugs|href|source|resolved|location|tarball|dist)")[@\\w/.-]{1,80}"\\s?:\\s?"(?:git\\+(?![^\\s"]{1,300}#[0-9a-f]{40}\\b)|https?:\\/\\/(?!localhost|127\\.)[^\\s"]{1,300}\\.tgz\\b)|^\\s{0,8}-?\\s?["']?[\\w.-]{1,60}(?:\\[[\\w,-]{1,60}\\])?\\s{0,2}@\\s{0,2}https?:\\/\\/(?!localhost|127\\.)[^\\s"'\`]{1,300}\\.(?:whl|zip|tar\\.gz)\\b|^\\s{0,8}-?\\s?["']?(?:[\\w.[\\],-]{1,80}\\s?@\\s?)?git\\+https?:\\/\\/(?![^\\s"'\`]{1,300}@[0-9a-f]{40}\\b)`
const HIDDEN_START =
  '\\b(?:base64\\s{1,4}-|nohup\\b|mshta\\b|powershell[^\\n]{0,40}\\s-e)|ssh-(?:rsa|ed25519) AAAA'
const MEMORY_FILES =
  '\\b(?:SOUL|AGENTS?|CLAUDE|GEMINI|MEMORY|IDENTITY|HEARTBEAT|USER|TOOLS|BOOTSTRAP)\\.md\\b|\\.(?:cursor|windsurf|cline)rules\\b|copilot-instructions\\.md|\\.claude\\/settings(?:\\.local)?\\.json'
const SECRET_KEYS =
  'seed[ -]?phrase|recovery (?:phrase|words|key)|mnemonic (?:phrase|words)|secret (?:recovery )?phrase|(?:12|24|twelve|twenty-four)[ -](?:or (?:24|twenty-four)[ -])?words?|wallet[^\\n]{0,40}private keys?\\b|exported private key|private keys? (?:of|for) (?:\\w{1,8} )?wallet|master password|one-time (?:code|password) (?:and|together)|2FA codes?|\\bCVV\\b|wiederherstellungs(?:phrase|wörter)|seed-?phrase|privat\\w{0,3} schlüssel|frase (?:semilla|de recuperaci|de recupera|semente|secreta)|clave privada|chave privada|phrase (?:de récupération|secrète|mnémonique)|clé privée|助记词|助記詞|私钥|恢复短语|シードフレーズ|リカバリーフレーズ|ニーモニック|秘密鍵|復元フレーズ|сид-?фраз|мнемонич|приватн\\S{0,4} ключ|секретн\\S{0,4} фраз'

export const SIGNS = {
  ...CERTAIN_SIGNS,
  guardsOff: GUARDS_OFF,
  unattendedAgent: UNATTENDED_AGENT,
  checksOff: CHECKS_OFF,
  externalForm: ASKING_FORM,
  passwordField: PASSWORD_FIELD,
  otherRegistry: OTHER_INDEX,
  addsRegistry: ADDS_SOURCE,
  passwordGiven: unicodePattern(
    `${termPattern('password')}(?!\`, \`[a-z]{1,20}\`)(?:[^\\n.;|"'”→]{0,24}?(?:[\`"'“„«「『*]{1,3}${LITERAL}[\`"'”“»」』*]|[:=：]\\s?${LITERAL})|[ \\t]{1,4}(?:is |to \\w{1,10} (?:it )?is |ist |lautet |es |é |est )?[A-Za-z-]{0,20}\\d)`,
  ),
  archive: unicodePattern(`\\.(?:zip|rar|7z|tar\\.gz|tgz|iso)\\b|${termPattern('unpack')}`),
  extractsArchive: unicodePattern(
    '(?<![\\p{L}\\p{N}_])(?:extract|unzip|unpack|decompress|unlock|unrar|entpack|auspack|descompr|descompact|extra[eiyí]|décompress|dézip|estra[ei])(?![A-Z])|解压|解壓|解凍|展開|распак|извле|압축',
  ),
  archiveMention: unicodePattern(
    '\\.(?:zip|rar|7z|tar\\.gz|tgz|iso)\\b|(?<![\\p{L}\\p{N}_])archiv|\\barquivo|压缩包|アーカイブ|архив',
  ),
  archiveOrUnpacking: unicodePattern(`${termPattern('unpack')}|\\b7z[az]?\\b|\\.(?:zip|rar|7z)\\b`),
  archiveCode: unicodePattern(
    `\\b(?:7z[az]?|7zz)\\s{1,4}x\\b[^\\n]{0,80}\\s-p\\w|\\b(?:unzip|unrar)\\s[^\\n]{0,80}\\s-[pP]\\s?\\w|${termPattern('unpack')}[^\\n]{0,60}(?:${GIVEN_CODE})|(?:${GIVEN_CODE})[^\\n]{0,60}${termPattern('unpack')}`,
  ),
  downloadRequest: unicodePattern(
    `${termPattern('fetch')}|\\bopen ?https?:|\\bfrom the \\[|https?:\\/\\/\\S{1,200}\\.(?:zip|rar|7z|exe|dmg|pkg|msi)\\b`,
  ),
  startRequest: unicodePattern(termPattern('start')),
  requirement: unicodePattern(termPattern('need')),
  runsProgram: unicodePattern(
    `${termPattern('start')}[^\\n.|;]{0,40}(?:${FILE_NAME}\\.(?:app|bat|exe|dmg|pkg|msi|scr|appimage)\\b|\\b(?:the|this|downloaded) (?:file|program|app|setup|download)\\b|${termPattern('program')})|(?:\\brun|\\blaunch|\\bexecute|\\bstart|\\binstall|exécutez|lancez|ejec[uú]ta|ábre|execute|abra)[- ]?(?:it\\b|le\\b|la\\b|lo\\b|-o\\b)|\\bejec[uú]t[ae]l[oa]\\b|(?:インストーラー?|プログラム|ツール|ファイル|安装程序|安装包|客户端|程序|프로그램|파일)[^\\n。]{0,8}(?:実行|起動|開い|运行|安装|실행)`,
  ),
  programFileStart: unicodePattern(
    `${termPattern('start')}[^\\n]{0,40}${FILE_NAME}\\.(?:exe|dmg|pkg|msi|scr|appimage)\\b|(?<![\\p{L}\\p{N}_.-])(?!powershell|pwsh|cmd\\.|wsl|msiexec|python|node|(?:${SYSTEM_PROGRAMS})\\.)${FILE_NAME}\\.(?:exe|dmg|pkg|msi|scr|appimage)\\b[^\\n.;]{0,40}${termPattern('start')}`,
  ),
  pasteSite: unicodePattern(PASTE_SITES),
  webAddress: unicodePattern(HTTP),
  copyToTerminal: unicodePattern(
    `${termPattern('copy')}[^\\n]{0,120}(?:${termPattern('terminal')}|\\bcommand\\b)|${termPattern('terminal')}[^\\n]{0,120}${termPattern('copy')}`,
  ),
  commandMention:
    /\b(?:command|script|snippet|one-?liner|installer|setup code|copied|powershell line|befehl|comando|commande)s?\b|命令|コマンド|команд|명령/iu,
  shortcutOrCaptcha:
    /\bwin(?:dows)?(?:[ -]?(?:key|taste))?[^\p{L}\n]{1,6}R\b|⌘[^\p{L}\n]{1,6}(?:space|leertaste|espac)|\bcmd[^\p{L}\n]{1,4}space|\b(?:robot|captcha)|\b(?:are|re|being) (?:an? )?(?:real )?(?:human|person)\b|机器人|ロボット|робот|로봇/iu,
  pasteRequest: unicodePattern(
    `${termPattern('copy')}|\\b(?:ctrl|strg|cmd)[^\\p{L}\\n]{1,6}V\\b|⌘[^\\p{L}\\n]{1,6}V\\b`,
  ),
  enterKey:
    /\b(?:Enter|ENTER|Return|Intro|Entrée|Eingabe\p{L}{0,6}|Invio|(?:press|hit) (?:enter|return))\b|回车|エンター|엔터/u,
  opensTerminal: unicodePattern(
    `${termPattern('terminal')}|\\bwin(?:dows)?(?:[ -]?key)?[^\\p{L}\\n]{1,6}R\\b`,
  ),
  imageWithData:
    /!\[[^\]\n]{0,40}\]\(https?:\/\/[^\s)]{1,200}[?&]\w{1,20}=(?:[A-Z_]{3,30}|[{<$[][^)\s]{1,60})/u,
  conversationMention:
    /\b(?:conversation|summary|transcript|credentials|chat history|gespräch|conversaci|conversa|(?:each|every) (?:\w{1,12} )?(?:reply|response|answer|message))|对话|会話|диалог|разговор/iu,
  payee: /\b(?:iban|wallet|payee|recipient|bank details|account number|bank account)\b|钱包|收款|кошел/iu,
  replacement:
    /\b(?:replac|swap|substitut|in its place|in their place|instead|ersetz|reempla|remplac)|替换|置き換え|замен/iu,
  hiddenFromUser: unicodePattern(
    `${SECRECY}|\\b(?:user|owner|customer|client)s? (?:notice|complain|wonder)s?\\b`,
  ),
  installRequest: /\b(?:copy|paste|run|execute|terminal|install|script)\b/i,
  guardBypass: unicodePattern(
    `\\bxattr\\s{1,4}-(?:c|r|d){1,2}\\b(?![^\\n]{0,80}\\$\\(brew)|\\bspctl\\s{1,4}--(?:master|global)-disable|\\bcsrutil\\s{1,4}disable|\\b(?:Set|Add)-MpPreference\\s[^\\n]{0,80}-(?:Disable|Exclusion)|${termPattern('off')}[^\\n]{0,40}${termPattern('guard')}|${termPattern('guard')}[^\\n]{0,60}${termPattern('off')}|\\bunknown developer\\b|\\brun anyway\\b`,
  ),
  programFile: new RegExp(`(?<!\\b(?:${SYSTEM_PROGRAMS}))\\.(?:exe|dmg|pkg|msi|scr|appimage|apk)\\b`, 'iu'),
  guardMention: unicodePattern(
    `\\bxattr\\b|\\bspctl\\b|\\bcsrutil\\b|MpPreference|unknown developer|run anyway|${termPattern('guard')}`,
  ),
  networkCommand:
    /\b(?:curl|wget|irm|iwr|scp|dig|nslookup|Invoke-RestMethod|Invoke-WebRequest)\b|\.Upload|\|\s{0,4}(?:nc|ncat|netcat)\b/iu,
  autostart:
    /cron|Launch(?:Agents|Daemons)|launchctl|ExecStart|config\/systemd|CurrentVersion|schtasks|ScheduledTask|Start Menu|autostart|git\/hooks|hooksPath|ToolUse|SessionStart|UserPromptSubmit|@reboot|(?:rc|profile|zshenv|authorized_keys)\b|^\s{0,4}[*\d][*/\d,-]{0,7}\s{1,4}[*\d]/iu,
  secrecy: unicodePattern(SECRECY),
  secretKey: unicodePattern(SECRET_KEYS),
  askRequest: unicodePattern(termPattern('ask')),
  sendRequest: unicodePattern(
    `${termPattern('send')}|\\bPOST\\b|\\bconversation\\b|\\b(?:deriv|verif|validat|regist)`,
  ),
  sentToAddress: unicodePattern(
    `${termPattern('send')}[^\\n]{0,200}${HTTP}|${HTTP}[^\\n]{0,200}${termPattern('send')}`,
  ),
  followsPage: unicodePattern(
    `(?:${termPattern('fetch')}|\\b(?:read|load|open)\\b|读取|読み|прочита|открой)[^\\n]{0,60}${HTTP}[^\\n]{0,80}(?:\\b(?:follow|obey|carry out|execute|act on|do (?:what|everything)|comply with|adopt)\\b|befolg|s[ií]gu?[ae]|suiv|esegu|遵循|遵守|执行|按照|従|実行|следуй|выполн)\\s{0,2}(?:(?:the|its|all|any|every|each|those|these|whatever|of|exactly)\\s){0,4}(?:${termPattern('orders')}|it\\b|them\\b)`,
  ),
  packageByAddress: unicodePattern(PACKAGE_BY_ADDRESS),
  credentialHelperSends: /\bcredential\.helper\b[^\n]{0,200}(?:\b(?:curl|wget)\b|https?:)/i,
  skillReplacement:
    /\b(?:curl|wget)\s[^\n]{0,200}(?:-[a-zA-Z]{0,4}[oO]\s?|--output[ =]|>\s?)["']?[^\s"']{0,80}SKILL\.md\b/,
  permissionsBypass: /["']defaultMode["']\s?:\s?["']bypassPermissions/,
  quarantineRemoval: /\bxattr\s{1,4}-[crd]{1,3}\s{1,4}com\.apple\.quarantine\b(?![^\n]{0,80}\$\(brew)/,
  shellStartupFile: unicodePattern(SHELL_START),
  claimedConsent: /\b(?:user|owner|human) has already (?:agreed|approved|consented|confirmed)\b/i,
  credentialStore: unicodePattern(CREDENTIAL_STORES),
  keyFiles: unicodePattern(
    '(?<![\\w.])\\.(?:ssh|aws|kube|gnupg|netrc|pypirc|git-credentials|(?:openclaw|clawdbot|moltbot)\\/(?:\\.env|credentials|[\\w-]{1,20}\\.json))\\b(?!\\.)|\\bid_(?:rsa|ed25519)\\b(?!\\.pub)',
  ),
  uploads: unicodePattern(`${UPLOAD_COMMANDS}|${DROP_ADDRESSES}`),
  keysUploaded: unicodePattern(
    `(?:${KEY_FILES}|\\b(?:printenv|env)\\b\\s{0,4}\\||Get-Clipboard|\\bpbpaste\\b|\\bscreencapture\\b)[^\\n]{0,200}(?:${UPLOAD_COMMANDS}|${DROP_ADDRESSES})|(?:${UPLOAD_COMMANDS})[^\\n]{0,120}[@<(/~][^\\s;|]{0,60}(?:${KEY_FILES})|(?:${DROP_ADDRESSES})[^\\n]{0,200}\\s(?:-d|-F|--data[\\w-]{0,12}|--form)[ =][^\\n]{0,120}(?:\\$\\{?\\w{0,40}|secrets\\.\\w{0,40})(?:KEY|TOKEN|SECRET|PASSWORD)|\\s(?:-d|-F|--data[\\w-]{0,12})[ =][^\\n]{0,120}(?:\\$\\{?\\w{0,40}|secrets\\.\\w{0,40})(?:KEY|TOKEN|SECRET|PASSWORD)[^\\n]{0,120}(?:${DROP_ADDRESSES})|\\b(?:dig|nslookup)\\s[^\\n]{0,60}\\$\\([^\\n]{0,160}\\.[a-z]{2,12}\\b|\\bscp\\s(?!-i)[^\\n]{0,80}(?:${KEY_FILES})[^\\n]{0,80}\\s[\\w.-]{1,40}@?\\d{1,3}(?:\\.\\d{1,3}){3}:`,
  ),
  keyMention: unicodePattern(
    `${KEY_FILES}|${CREDENTIAL_STORES}|\\b(?:browser (?:profiles?|cookies|passwords?)|saved passwords|keychain|wallet files?|session cookies)\\b|浏览器密码|私钥`,
  ),
  downloader: unicodePattern(DOWNLOADERS),
  hiddenFolder: unicodePattern(HIDDEN_FOLDERS),
  autostartedProgram: unicodePattern(
    `(?:${AUTOSTART})[^\\n]{0,300}(?:${DOWNLOADERS}|${HIDDEN_FOLDERS}|${HIDDEN_START})|(?:${DOWNLOADERS}|${HIDDEN_FOLDERS}|${HIDDEN_START})[^\\n]{0,200}(?:${AUTOSTART})|(?:${DOWNLOADERS}|${HIDDEN_START})[^\\n]{0,200}(?:${SHELL_START})`,
  ),
  autostartHook:
    /"(?:PreToolUse|PostToolUse|SessionStart|UserPromptSubmit|Stop)"|\.git\/hooks|LaunchAgents|LaunchDaemons|RunAtLoad|ExecStart|CurrentVersion\\{1,2}Run|schtasks|Register-ScheduledTask|autostart/i,
  memoryFile: unicodePattern(MEMORY_FILES),
  writeRequest: unicodePattern(termPattern('write')),
  permanentInstruction: unicodePattern(
    `\\bpre-?approved\\b|\\b(?:do not|don't|never|not) (?:remove|delete)(?:\\)| (?:it|this|the (?:block|section|lines?)))|\\bsurviv(?:e|es)\\b|\\bsame priority\\b|\\b(?:higher|highest) priority\\b|\\bbypassPermissions\\b|Bash\\(\\*\\)|dangerously|even if asked|\\bpermanent(?:ly)?\\b[^\\n]{0,40}\\binstruct|nicht (?:entfern|lösch)|no (?:borr|elimin)|não (?:apag|remov)|ne pas (?:supprim|retir)|不要(?:删除|移除)|削除しない|не (?:удал|стир)`,
  ),
  followsInstructions: unicodePattern(`${termPattern('follow')}[^\\n]{0,60}${termPattern('orders')}`),
  fetchesAddress: unicodePattern(
    `(?:${termPattern('fetch')}|\\b(?:read|load|open|lies|lee|leia|lis)\\b|lade|读取|読み|прочита|открой)[^\\n]{0,80}${HTTP}`,
  ),
  unconditionalObedience: unicodePattern(
    `\\bas if (?:it|they) (?:was|were|stood)|\\bsame (?:priority|authority|weight)|\\bwhatever\\b|\\b(?:each|every|any) (?:session|task|conversation|start|request|run|call)|\\breplac(?:e|es)\\b|\\btakes? precedence\\b|\\bincluding (?:shell|any|all)|\\bword for word\\b|\\bexactly\\b|bei jede|zu beginn|cada (?:sesi|tarea|vez|sess)|siempre que|sempre que|à chaque|每次|所有|毎回|каждый|каждую|${WITHOUT_ASKING}|${SECRECY}`,
  ),
  untrustedIndex: unicodePattern(
    `\\b(?:npx|uvx|bunx|pipx run)\\b(?:["'\\s,:[]{1,8}(?:args\\b|-y\\b|--yes\\b|-p\\b|--package\\b|--from\\b)){0,4}["'\\s,=:[]{1,8}(?:git\\+)?https?:\\/\\/(?!(?:www\\.)?(?:github|gitlab)\\.com\\/|localhost)|(?:--(?:extra-)?index-url|--find-links|--trusted-host|--registry|(?:extra-)?index[-_]url|_index|(?:\\b|_)registry)[ \\t=:"']{1,5}(?:http:\\/\\/(?!(?:localhost|127\\.|10\\.|192\\.168\\.))|https?:\\/\\/\\d{1,3}(?:\\.\\d{1,3}){3}|(?!127\\.|10\\.|192\\.168\\.)\\d{1,3}(?:\\.\\d{1,3}){3})|\\b(?:pip3?|uv pip|npm|pnpm|yarn|uvx|npx|gem|cargo)\\s[^\\n]{0,60}\\s["']?(?:git\\+)?(?:http:\\/\\/(?!(?:localhost|127\\.|10\\.|192\\.168\\.))|https?:\\/\\/\\d{1,3}(?:\\.\\d{1,3}){3})`,
  ),
  verificationOff:
    /\b(?:GO(?:NOSUMDB|NOSUMCHECK|INSECURE)=["']?[*1]|GOSUMDB=["']?off\b|GOFLAGS=["']?-insecure)|\bstrict-ssl[ =]{1,3}false\b|\bNODE_TLS_REJECT_UNAUTHORIZED=["']?0|\[trusted=yes\]|--(?:allow-unauthenticated|no-gpg-checks?|nogpgcheck)\b|\bgem sources (?:-a|--add) http:|\bbrew tap \S{1,80} ["']?(?:https?|git):\/\/(?!github\.com\/)/i,
  otherPackageSource: unicodePattern(
    `(?:\\b|_)registry[ =]{1,3}["']?https:|\\b(?:GOPROXY|registry(?:\\.\\w{1,20})?|npm_config_registry|(?:UV|PIP)_(?:DEFAULT_)?INDEX(?:_URL)?)\\s?=\\s?["']?https:|\\bdeb \\[|\\b(?:apt(?:-get)?|dnf|yum|zypper|rpm) |\\bbrew (?:install|services)\\b|\\bgo install\\b|\\bgem install\\b`,
  ),
  appleScriptShell: /\bdo\s?[Ss]hell\s?[Ss]cript\b/,
  spelledCommand:
    /\b(?:string|character) id\b|\bASCII character \d|\bfromCharCode\b|\bcharacters? of\b[^\n]{0,40}\breverse\b/,
  numericCode:
    /\[char\]\s?\[int\]|FromBase64String|\[char\][^\n]{0,60}(?:ToInt32|ToByte|ToInt16|-bxor)|\[Convert\]::(?:ToInt32|ToByte|ToInt16)\([^\n]{1,60},\s?(?:16|2|8)\)|-bxor\b/i,
  runsCreatedCode: /\[scriptblock\]::Create\s?\(|(?<![\w-])(?:iex|Invoke-Expression)\b|\.InvokeScript\s?\(/i,
  allToolsAllowed:
    /\bdefaultMode["']?\s{0,3}[:=]{1,2}\s{0,3}["']?bypassPermissions|\bskipDangerousModePermissionPrompt["']?\s{0,3}[:=]\s{0,3}true/,
  settingsFile: /\.(?:claude|codex|cursor|gemini|openclaw)\/(?:settings|config)[\w.]{0,20}/,
  otherSkillChange:
    /(?:>>|\btee\s{1,4}-a)[^\n]{0,60}(?:SKILL\.md\b|skills\/|\$\{?f\b|\$\{?\w{0,12}(?:file|skill|md)\b)/i,
  skillFolders: /\.(?:claude|codex|agents|cursor|gemini|openclaw)\/skills\/\*/,
  installHook: unicodePattern(
    `"(?:pre|post)?(?:install|prepare)"\\s{0,4}:\\s{0,4}"[^\\n]{0,200}(?:${DOWNLOADERS}|\\bnode -e\\b|node --eval|base64|https?:\\/\\/|powershell|\\beval\\b)`,
  ),
  screenOrClipboard:
    /\bscreencapture\b|\bscrot\b|\bGet-Clipboard\b|\bpbpaste\b|\bxclip\b[^\n]{0,40}-o\b|CopyFromScreen/i,
  autoApproval:
    /["']?(?:alwaysAllow|autoApprove)["']?\s?[:=]\s?(?:true|\[\s?["']\*)|enableAllProjectMcpServers["']?\s?:\s?true/u,
  runOnFolderOpen: /["']runOn["']\s?:\s?["']folderOpen/u,
  networkAccess: unicodePattern(`${DOWNLOADERS}|${HTTP}`),
  allSecrets: /toJSON\(\s?secrets\s?\)/i,
  globalHooks: /--(?:global|system)\s[^\n]{0,20}core\.hooksPath/i,
  variableLookup: /\b(?:dig|nslookup|host)\s[^\n]{0,60}["' ]\$\{?\w{1,20}\}?\.[\w-]/,
  encodedData: unicodePattern(`${KEY_FILES}|${CREDENTIAL_STORES}|\\|\\s{0,4}(?:xxd|od|base(?:32|64))\\b`),
  hostMount:
    /\bdocker\s+run\b[^\n]{0,200}\s(?:-v|--volume)[ =]["']?\/:\/|\bdocker\s+run\b[^\n]{0,200}source=\/,/i,
  savedDownload: unicodePattern(
    `${DOWNLOADERS}[^\\n]{0,200}(?:-o\\b|-O\\b|-OutFile\\b|--output\\b|\\.(?:exe|msi|bat|ps1|scr)\\b|-urlcache\\b|\\/transfer\\b)`,
  ),
  untrustedDownload: unicodePattern(`${DOWNLOADERS}[^\\n]{0,200}(?:${UNTRUSTED_ADDRESSES})`),
  fileStart:
    /\b(?:Start-Process|rundll32|msiexec|Invoke-Item|chmod\s{1,4}(?:[ugoa]{0,3}\+r?w?x|7\d\d))\b|(?:^|[;&|`]\s{0,4})start\s{1,4}\S|(?:^|[;&|(]|\b(?:sudo|bash|sh)\s)\s{0,8}["']?(?:\.\/|\.\\|%\w{1,20}%|\$env:\w{1,20}|\w:\\)[\\/\w.-]|(?:^|[;&|])\s{0,8}["']?[\w.-]{1,60}\.(?:exe|bat|ps1|msi)\b/i,
  launchedFile:
    /\bStart-Process\b|\brundll32\b|\bmsiexec\b|\bregsvr32\b|\bInvoke-Item\b|(?:^|[;&|]\s{0,4})start\s{1,4}\S|&\s{1,2}["'$]|&&?\s{0,4}["']?(?:%\w{1,20}%|\$env:\w{1,20})?[\\\w.:-]{1,80}\.(?:exe|bat|ps1)\b/i,
} as const satisfies Readonly<Record<string, RegExp>>

export type Sign = keyof typeof SIGNS

/**
 * Keywords for signs: a line without the keyword does not have the sign. They are fast to search for in the
 * whole text, and the first sign of each verdict must have one.
 */
export const KEYWORDS = {
  ...CERTAIN_KEYWORDS,
  guardsOff:
    /setenforce|SELINUX=|\bufw |setglobalstate|advfirewall|iptables -F|spctl|csrutil|MpPreference|systemctl (?:stop|disable)/gi,
  unattendedAgent: /alias |danger-full-access/gi,
  checksOff: /DELETE|git rm|sed -i/g,
  externalForm: /<form/gi,
  passwordGiven:
    /passw|passc|passp|passwd|pass[:=]| pass\b|pwd|kennw|contrase|\bpw\b|clave|senha|mot de passe|mdp|密码|密碼|口令|解压码|パスワード|парол|wachtw|비밀번호|암호/gi,
  pasteSite:
    /glot\.io|rentry|pastebin|paste\.(?:ee|rs)|hastebin|ghostbin|dpaste|justpaste|controlc|telegra\.ph/gi,
  archiveOrUnpacking: /archiv|zip|rar\b|7z|extra[ceíiy]|unpack|entpack|d[eé]comp|解压|解凍|распак|압축/gi,
  guardMention:
    /xattr|spctl|csrutil|MpPreference|unknown devel|run anyway|anti-?virus|defender|smartscreen|gatekeeper|virens|virus scan|security soft|quarant|unidentified|unsigned|杀毒|殺毒|防护|安全软件|防火墙|ウイルス対策|セキュリティソフト|антивирус|защитник/gi,
  webAddress: /https?:\/\//gi,
  programFile: /\.(?:exe|dmg|pkg|msi|scr|appimage|apk)\b/gi,
  keyMention:
    /\.(?:ssh|aws|kube|gnupg|netrc|npmrc|pypirc|git-cred|openclaw|clawdbot|moltbot|docker\/|config\/|env\b|electrum|bitcoin|ethereum)|id_(?:rsa|ed|ecd)|etc\/shadow|_history|Login Data|logins\.json|key4|cookies|Extension Settings|wallet|ethereum|solana\/id|keychain|internet-password|browser p|saved pass|浏览器密码|私钥/gi,
  secretKey:
    /phrase|mnemonic|recovery|four[ -]word|(?:12|24|twelve)[ -](?:word|or )|master pass|one-time|2fa|card num|cvv|privat|wiederherst|frase|clave priv|chave|clé priv|助记|助記|私钥|恢复短语|シード|リカバリ|ニーモ|秘密鍵|復元|сид|мнемон|приватн|секретн/gi,
  memoryFile:
    /(?:SOUL|AGENTS?|CLAUDE|GEMINI|MEMORY|IDENTITY|HEARTBEAT|USER|TOOLS|BOOTSTRAP)\.md|(?:cursor|windsurf|cline)rules|copilot-instructions|\.claude\/settings/gi,
  networkCommand:
    /curl|wget|\birm\b|\biwr\b|\bscp\b|\bdig\b|nslookup|Invoke-|\.Upload|\|\s{0,4}n(?:c|cat|etcat)\b/gi,
  credentialStore:
    /Login Data|logins\.json|key4\.db|cookies|Extension Settings|wallet\.dat|electrum|exodus|ethereum|solana|bitcoin|keychain|internet-password|generic-password/gi,
  autostart:
    /cron|Launch(?:Agents|Daemons)|launchctl|ExecStart|config\/systemd|CurrentVersion|schtasks|ScheduledTask|Start Menu|autostart|git\/hooks|hooksPath|ToolUse|SessionStart|UserPromptSubmit|@reboot|\.(?:bash|zsh)rc|profile|zshenv|authorized_keys|rc\.local|[*\d] \* /gi,
  autostartHook:
    /ToolUse"|SessionStart"|UserPromptSubmit"|"Stop"|git\/hooks|Launch(?:Agents|Daemons)|RunAtLoad|ExecStart|CurrentVersion|schtasks|ScheduledTask|autostart/gi,
  untrustedIndex: /index[-_]url|_index\b|find-links|trusted-host|registry|install |uvx|npx|bunx|pipx/gi,
  addsRegistry:
    /registry|GOPROXY|brew tap|channels?\b|-c https|nuget|repositories|npmRegistryServer|gem |--source|install-extension/gi,
  verificationOff:
    /GONOSUM|GOINSECURE|GOSUMDB|GOFLAGS|strict-ssl|TLS_REJECT|trusted=yes|unauthenticated|no-?gpg-?check|gem sources|brew tap/gi,
  appleScriptShell: /do\s?shell\s?script/gi,
  runsCreatedCode: /scriptblock\]|\biex\b|Invoke-Expression|InvokeScript/gi,
  allToolsAllowed: /bypassPermissions|skipDangerousMode/g,
  skillFolders: /\/skills\/\*/g,
  packageByAddress: /git\+|git:\/\/|\.(?:tgz|tar\.gz|tar\.bz2|zip|whl|gem|git)\b|(?:npx|bunx)\b/gi,
  shortcutOrCaptcha:
    /win\S{0,12}\s?\+|windows[- ]key|⌘|cmd\s?\+|robot|captcha|human\b|person\b|机器人|ロボット|робот|로봇/gi,
  imageWithData: /\]\(https?:[^\s)]{1,200}=[A-Z_{<$[]/g,
  payee: /iban|wallet|payee|recipient|bank |account num|钱包|收款|кошел/gi,
  autoApproval: /alwaysAllow|autoApprove|enableAllProject/g,
  runOnFolderOpen: /folderOpen/g,
  permissionsBypass: /bypassPermissions/g,
  allSecrets: /toJSON\(/gi,
  installHook: /install"|prepare"/gi,
  hostMount: /docker\s{1,4}run/gi,
  savedDownload:
    /curl|wget|\biwr\b|\birm\b|Invoke-WebRequest|DownloadFile|DownloadString|bitsadmin|certutil/gi,
} as const satisfies Partial<Record<Sign, RegExp>>
