// Terms with which instructions ask for something, in the languages in which skills are written. Stems cover
// all forms of a word. To add a language, extend each row.

/** Two patterns per concept: stems for languages that separate words, and terms that may appear anywhere. */
const TERMS = {
  fetch: [
    'download|fetch|grab|obtain|retriev|curl\\b|wget\\b|g[eo]t (?:it|the|this|\\[|\\S{1,40}\\.\\w)|visit\\b|receive|herunter|lad(?:e|en)\\b|bezieh|abruf|ruf(?:e|en)? |desc[aá]rg|baj[ae]|obt[eé]n|baix|busque|obtenha|télécharg|récup[éè]r|scaric',
    '下载|下載|获取|打开 ?http|ダウンロード|取得|入手|скача|загруз|получи|다운로드|내려받',
  ],
  start: [
    'run|execut|launch|start|double-?click|open\\b|install|ausführ|führen?\\b|start|doppelklick|öffne|installier|ejec[uú]t|abr[aei]|inici|doble clic|instal|clique|rode\\b|exécut|lance|ouvr|esegu|avvia|apri',
    '运行|運行|执行|執行|双击|雙擊|启动|啟動|安装|安裝|実行|起動|ダブルクリック|インストール|開い|запус|откр|установ|щ[её]лк|실행|설치',
  ],
  unpack: [
    'extract|unzip|unpack|decompress|unlock|unrar|entpack|auspack|descompr|descompact|extra[eiyí]|décompress|dézip|estra[ei]|zip\\b|rar\\b|7z\\b|7-zip|archiv|arquivo|archivo comprim',
    '解压|解壓|压缩|壓縮|解凍|展開|圧縮|アーカイブ|распак|извле|архив|압축',
  ],
  program: [
    'executable|installer|setup\\b|agent\\b|tools?\\b|utility|driver|helper|client\\b|core\\b|binary|programm?|hilfsprogramm|treiber|herramienta|ferramenta|componente|aplicativo|instalador|controlador|installateur|pilote|outil|logiciel|program',
    '程序|工具|客户端|驱动|插件|プログラム|ツール|ソフト|программ|установщик|утилит|драйвер|프로그램|도구',
  ],
  need: [
    "prerequisite|require|must\\b|mandatory|needs?\\b|needed|before (?:you|first|us|start|run|install|proceed|continu)|without it|critical|important|cannot (?:work|start|run)|otherwise|(?:will|does|do) not (?:work|function|run|start)|(?:won|doesn)'?t (?:work|function)|nothing works|until (?:it|the)\\b|voraussetz|benötig|erforderlich|zwingend|muss\\b|müssen|necesit|requier|requisit|obligator|obligat|imprescindible|depende|antes de|precisa|necess[aá]ri|debe\\b|deve\\b|nécess|requis|prérequis|doit\\b|avant d",
    '需要|必须|必須|前提|准备|準備|否则|必要|事前|あらかじめ|необходим|требу|обязат|нужн|нужен|требов|должен|перед|필요|반드시|전에',
  ],
  password: [
    'pass(?:word|code|phrase|wd)\\b|(?:using|with|the|enter) pass\\b|pass(?=[:=])|pwd?\\b|kennwort|passwort|contrase[nñ]a|clave\\b|senha|mot de passe|mdp\\b|wachtwoord',
    '密码|密碼|口令|解压码|パスワード|парол|비밀번호|암호',
  ],
  copy: [
    'cop(?:y|ies)|paste(?!d)|kopier|einfüg|füge\\b|copi[ae]|p[eé]ga|cola\\b|cole\\b|colle',
    '复制|粘贴|複製|貼|コピー|ペースト|скопир|встав|복사|붙여',
  ],
  terminal: [
    'terminal|shell\\b|console|powershell|command (?:line|prompt)|konsole|eingabeaufforderung|consola|l[ií]nea de comandos',
    '终端|命令行|終端|ターミナル|コマンドライン|терминал|консол|командн|터미널',
  ],
  off: [
    'bypass|disabl|(?:turn|switch)(?:ing)? (?:it )?off|paus(?:e|ing)\\b|deactivat|deaktivier|ausschalt|abschalt|schalten|desactiv|desativ|désactiv|disattiv|exclusion|exception|whitelist|ausnahme|exclusi[oó]n|excepci[oó]n|exceção|false (?:positive|alarm)|fehlalarm|fals[oa] (?:positiv|alarm)|faux positif|anyway|trotzdem',
    '关闭|關閉|禁用|退出|误报|信任|無効|オフに|停止|誤検|отключ|выключ|исключени|ложн',
  ],
  guard: [
    'anti-?virus|defender\\b|smartscreen|gatekeeper|virenscan|virenschutz|virus scan|security software|quarantine|unknown developer|unidentified developer|unsigned',
    '杀毒|殺毒|防护|安全软件|防火墙|ウイルス対策|セキュリティソフト|антивирус|защитник',
  ],
  send: [
    'send|post\\b|upload|submit|forward|transmit|attach|report (?:it|them) to|schick|send|übermittel|hochlad|lade\\b|env[ií][ae]|sub[aei]\\b|mand[ae]|envoy|envoi|transmet|téléverse|invia',
    '发送|上传|提交|傳送|送信|アップロード|отправ|загруз|передай',
  ],
  write: [
    'add(?!ress)|append|insert|writ|merge\\b|put\\b|copy\\b|prepend|save\\b|füge|schreib|ergänz|eintrag|añad|agreg|escrib|adicion|acrescent|escrev|ajout|écri|inscri|aggiung|scriv',
    '添加|追加|写入|寫入|加入|書き込|追記|добав|запиш|допиш',
  ],
  follow: [
    'follow|obey|carry out|execut|appl(?:y|ies)|act on|do what|comply|adopt\\b|run (?:what|every|them)|befolg|führe|anwend|wende|s[ií]gu?[ae]|obede|ejecut|aplic|cumpl|suiv|exécut|appliqu|esegu',
    '遵循|遵守|执行|按照|照做|従|実行|следуй|выполн|исполн',
  ],
  orders: [
    'instruction|rules?\\b|whatever|everything (?:it|in)|it says|steps\\b|orders?\\b|commands?\\b|directives?|anweisung|regeln|befehl|instrucci|reglas|órdenes|instruç|regras|consigne|règles|istruzion',
    '指令|指示|规则|命令|内容|ルール|手順|инструкц|правил|команд|указан',
  ],
  ask: [
    'ask|request|prompt\\b|collect|enter|paste|provide|tell (?:me|us)|type\\b|import|connect|frag(?:e|en)|bitte|eingeb|gib\\b|pid[ea]|p[ií]de|solicit|introdu|peça|peç|digit|inform[ea]|demand|saisi|chied',
    '询问|索取|请用户|輸入|输入|提供|尋ね|入力|聞|запрос|попрос|введ|спрос',
  ],
} as const satisfies Readonly<Record<string, readonly [string, string]>>

/** The pattern of a row, as a part of other patterns. */
export function termPattern(row: keyof typeof TERMS): string {
  const [stems, others] = TERMS[row]
  return `(?:(?<![\\p{L}\\p{N}_])(?:${stems})|${others})`
}

// Requests to keep something from the user: a line contains a prohibition and a verb of telling, and often
// the user.
const SECRECY_TERMS = [
  "(?:do not|don['’]?t|never|no need to|not need to|needn['’]?t|without|refrain from|not be|avoid|must not|should not)\\b[^.\\n]{0,40}\\b(?:tell|telling|told|mention\\w{0,3}|inform\\w{0,3}|show\\w{0,3}|reveal\\w{0,3}|disclos\\w{0,3}|notif\\w{0,5}|alert\\w{0,3})\\b[^.\\n]{0,40}\\b(?:users?|human|owner|them)\\b",
  "\\b(?:users?|human|owner|them)\\b[^.\\n]{0,20}\\b(?:(?:must|should|shall|may|need|ought to|ha(?:s|ve) to|(?:are|is) to) ?(?:not|never|n['’]t)|(?:do(?:es)? ?(?:not|n['’]t)|never) (?:need|have) to)\\b[^.\\n]{0,30}\\b(?:told|know|see|notice|informed|aware|shown|notified|asked|mentioned)\\b",
  "\\b(?:leave|keep|omit)\\b[^.\\n]{0,40}\\b(?:out of|from) (?:your|the|any) (?:reply|replies|answer|response|output|summary|report)|\\b(?:do not|don['’]t|never) (?:mention|reveal|disclose) (?:this|it|that|the)\\b|\\b(?:secretly|covertly|unnoticed)\\b|\\bnot? (?:need|reason) to (?:show|mention)|\\bwithout (?:telling|showing|notice)",
  '(?:nicht|niemals|nie|kein\\w{0,3}|ohne)\\b[^.\\n]{0,50}(?:erwähn|verrat|mitteil|informier|nachfrag|zu fragen|sagen|zeigen)|(?:erwähn|verrat|sag|zeig|informier)\\w{0,4}\\b[^.\\n]{0,50}\\b(?:nicht|niemals|nie|nichts)\\b',
  '\\b(?:no|nunca|sin)\\b[^.\\n]{0,40}\\b(?:mencion|dig[ao]|cuent|inform|muestr|mostrar|avis|revel|pregunt|comuni)|\\b(?:não|nunca|sem|nem)\\b[^.\\n]{0,40}\\b(?:mencion|diga|cont[ea]|inform|mostr|avis|revel|pergunt|comuni)',
  "(?:\\bne\\b|\\bn['’]|\\bsans\\b|\\bjamais\\b)[^.\\n]{0,40}(?:mentionn|\\bdi[rst]|inform|montr|signal|révél|prév[ei]n|demand)|\\b(?:non|senza|mai)\\b[^.\\n]{0,40}\\b(?:menzion|dire\\b|inform|mostr|avvis|rivel|chied)",
  '(?:不要|不必|无需|無需|不用|切勿|别|請勿|请勿|勿)[^。\\n]{0,16}(?:告诉|告知|提及|提到|说明|透露|展示|显示|通知|询问|告訴)|(?:言わ|伝え|知らせ|見せ|報告し|通知し|触れ|尋ね|言及し|確認せ)(?:な|ず)',
  '(?:не|без|ничего)\\s[^.\\n]{0,30}(?:сообща|говор|упомина|показыва|рассказыва|спрашива|уведомля|ведома)',
].join('|')

export const SECRECY = SECRECY_TERMS
export const WITHOUT_ASKING =
  "\\b(?:without|not|never|n['’]t|no need to)\\b[^.\\n]{0,24}\\b(?:ask|asking|confirm\\w{0,6}|approval|further questions)\\b"
