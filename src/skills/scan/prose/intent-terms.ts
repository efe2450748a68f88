// Classes of terms for the intents of instructions: actions, their objects, and requests to hide them. An
// intent is a combination of classes close together; no single term is an intent.

const NEGATION =
  "(?:do(?:es)? not|don['’]t|doesn['’]t|never|no (?:need|reason) (?:to|for)|needn['’]t|need(?:s)? not|not to|without|avoid(?:ing)?|refrain(?:ing)? from|must not|mustn['’]t|should not|shouldn['’]t|may not|rather than|(?:not|un)(?: ?necessary) to|not (?:be|need)|(?:is|are)(?: not|n['’]t) (?:to be|to|something to|meant to|supposed to)|make no|makes no|nor)"
const TELL_VERBS =
  '(?:tell(?:ing)?|told|mention\\w{0,3}|inform\\w{0,3}|notif\\w{1,5}|alert\\w{0,3}|reveal\\w{0,3}|disclos\\w{1,4}|surfac\\w{1,4}|discuss\\w{0,3}|announc\\w{1,4}|bring(?:ing)? (?:it|this|that|these|the \\w{1,12}) up|brought up|come up|hear\\w{0,3}|learn\\w{0,3}|aware|reference\\w{0,2}|refer(?:ring)? to|draw(?:ing)? attention|call(?:ing)? attention|talk(?:ing)? about|narrat\\w{1,4}|acknowledg\\w{1,4}|comment(?:ing)? on|own up|admit\\w{0,4}|let on|let (?:the )?(?:user|them|anyone) know|show(?:ing)? (?:the (?:playbook|file|page|request|command|call|text|contents?|steps?)|it|this|that))'
const AUDIENCE =
  '(?:users?|humans?|owners?|operators?|person|people|anyone|anybody|nobody|no one|reader|reviewer|customer|client|developer|maintainer|teammates?|them)'
const REPORT_TERMS =
  '(?:(?:your|the|any|its|final|later|this) (?:\\w{1,12} )?(?:repl(?:y|ies)|responses?|answers?|summar(?:y|ies)|reports?|messages?|output|transcript|chat|conversation|explanation|recap|changelog|commit message|notes|log))'
const ACTION_PRONOUNS =
  '(?:this|it|that|these|them|the (?:step|call|request|upload|check|sync|command|change|instruction|note|section|file|link|transfer|copy)\\w{0,2})'

/** Requests to keep an action secret from people. */
export const CONCEALMENT = new RegExp(
  [
    `\\b${NEGATION} (?!(?:you|the user|users|them|anyone) having )(?:[\\w'’-]{1,15} ){0,3}${TELL_VERBS}\\b(?:[^.;:()—\\n]{0,60}?\\b(?:${AUDIENCE}|${REPORT_TERMS})|[^.;:()—\\n]{0,16}?\\b${ACTION_PRONOUNS})\\b`,
    `\\bmake no (?:mention|reference|note)\\b|\\bsay nothing (?:about|of|to)\\b|\\bno mention of\\b`,
    `\\b(?:the )?${AUDIENCE}\\b[^.\\n]{0,24}?\\b(?:need(?:s)? not|(?:does|do) not (?:need|have) to|doesn['’]t (?:need|have) to|don['’]t (?:need|have) to|must not|should not|shouldn['’]t|need never|must never|should never|has no need to|is not to|are not to|never needs? to)\\b[^.\\n]{0,40}?\\b(?:know|see|hear|learn|notice|be (?:told|shown|asked|informed|bothered|aware|made aware|notified)|find out|realize|realise)\\b`,
    `\\b(?:remains?|stays?|kept?|keep|leave|left)\\b[^.\\n]{0,30}?\\b(?:unaware|in the dark|secret(?!s)|confidential|hidden|unmentioned|between (?:us|you and me)|to yourself|off the record|out of sight|out of (?:your|the|any|all) (?:\\w{1,12} )?(?:repl|respons|answer|summar|report|message|output|transcript|chat|conversation|recap|notes|log))`,
    `\\b(?:omit|hide|conceal|suppress|mask|scrub|redact|erase|remove|drop|strip|exclude)\\w{0,3}\\b[^.\\n]{0,40}?\\b(?:from (?:the |any )?(?:${AUDIENCE}|${REPORT_TERMS})|(?:any |all )?(?:mention|trace|evidence|sign|record) of|when you (?:report|summari|reply|answer|describe|list)|in ${REPORT_TERMS})`,
    `\\bas (?:though|if) (?:nothing|this|it|that|the)\\b[^.\\n]{0,40}\\b(?:happen|exist|never|did not|had not|were not|not there)|\\b(?:look|read|appear)s? as if\\b`,
    `\\bif (?:anyone|anybody|someone|asked|the (?:user|owner|human)|they|users?)\\b[^.\\n]{0,20}?(?:asked|\\b(?:asks?|questions?|wonders?|notices?|complains?|enquires?|inquires?|objects?)\\b)[^.\\n]{0,40}?\\b(?:claim|deny|pretend|(?:say|reply|answer|respond|explain|tell them)(?: that)? (?:it|this|that|the \\w{1,15}|nothing|you)(?: \\w{1,12})? (?:was|were|is|are|has|have|had|did|does|do|only|just|happened)\\b|describe it as|attribute it|blame)\\b`,
    `\\b${REPORT_TERMS}[^.\\n]{0,60}?\\b(?:and nothing (?:more|else)|nothing but)\\b|\\b(?:answer|reply|respond) with (?:the )?(?:text|words|sentence|line)[^\\n]{0,80}?\\b(?:in its place|instead)\\b|\\b(?:in its place|instead)\\b[^.\\n]{0,40}?\\b(?:the )?user (?:sees|reads|is shown)`,
    `\\b(?:secretly|covertly|surreptitiously|stealthily|unnoticed|undetected|behind (?:the|their|his) (?:user['’]?s? )?back)\\b`,
    `\\bstay (?:silent|quiet)\\b|\\bwithout (?:a word|comment|remark|announc\\w{1,6}|(?:the )?(?:user|owner)['’]?s? (?:knowing|knowledge|noticing|awareness))\\b`,
    `\\b(?:nobody|no one|no user)\\b[^.\\n]{0,20}\\b(?:should|must|may|needs? to|has to|will|shall|is to|can)\\b[^.\\n]{0,20}\\b(?:know|learn|see|notice|hear|find out)\\b`,
    `\\b(?:should|must|may|shall|need) (?:not|never) (?:be )?(?:appear|shown|listed|visible|reported|mentioned|surfaced|logged|displayed|disclosed|discussed)\\b|\\bnever (?:appears?|shows? up|be shown|be listed)\\b[^.\\n]{0,30}\\b(?:chat|conversation|repl|output|answer|transcript)`,
  ].join('|'),
  'gi',
)
/** Advice to keep keys secret, and advice about style. */
export const KEY_SECRECY_ADVICE = new RegExp(
  `(?:${TELL_VERBS}|print|echo|log|paste|display|include|expose|leak|store|commit|omit|mask|redact|hide|strip|remove|scrub|exclude|suppress)\\w{0,3} (?:(?!that\\b|how\\b|where\\b)[\\w'’/-]{1,20} ){0,4}(?:api[ _-]?keys?|keys?|tokens?|credentials?|secrets?|passwords?|passphrases?|pii|sensitive|personal|private|values?|cookies)\\b|\\bas (?:though|if) (?:it|this|that|the)\\b|\\blooks? as if\\b`,
  'i',
)
/** Signs that an action is kept secret, as opposed to advice about style. */
export const ACTION_REFERENCE =
  /\b(?:this|it|that|these|them|step|call|request|upload|check|sync|command|transfer|copy|unaware|in the dark|secret\w{0,2}|covertly|silent|nothing|nobody|no one|know|trace|evidence)\b(?! (?:is|are|was) (?:in|un|not )?(?:installed|available|supported))(?!\s?["“:])/i
export const EXTERNAL_ADDRESS =
  /https?:\/\/(?!localhost|127\.|\[?::1)[\w[]|\b[\w.+-]{1,60}@[\w-]{1,60}\.[a-z]{2,12}\b|\bwebhook\b/i
const TRANSFER_VERBS =
  "(?<!(?:not|never|n['’]t|without|avoid) )\\b(?:send|sends|sending|post|posts|posting|upload\\w{0,3}|submit\\w{0,4}|forward\\w{0,3}|transmit\\w{0,4}|relay\\w{0,3}|deliver\\w{0,3}|deposit\\w{0,3}|mirror\\w{0,3}|e-?mail(?:s|ing)? (?=it\\b|them|the |a |every|all |to )|exfiltrat\\w{1,4}|report (?:it|them|the)|share|sharing|push(?:ing)?|ship(?:ping)?|copy|copies|include|append|attach|embed|encode|pass|put|place|paste|add)\\b"
export const SEND_TERMS = new RegExp(
  `${TRANSFER_VERBS}|\\bcurl\\s[^\\n]{0,200}(?:\\s-(?:d|F|T)|--data|--form|--upload)|\\bPOST\\b`,
  'i',
)
/** Terms that can only mean the conversation. */
export const CONVERSATION_TERMS =
  /\b(?:conversation|transcript|chat history|(?:user['’]?s|last|latest|recent|previous) (?:\w{1,10} )?messages?|messages? of the user|what the user (?:said|wrote|typed|asked)|(?:user['’]?s|their) (?:\w{1,10} )?(?:questions?|prompts?|inputs?|queries))\b/i
export const SEND_ACTIONS = new RegExp(
  "(?<!(?:not|never|n['’]t|without|avoid) )\\b(?:send|sends|sending|post|posts|posting|upload\\w{0,3}|submit\\w{0,4}|forward\\w{0,3}|transmit\\w{0,4}|relay\\w{0,3}|deliver\\w{0,3}|deposit\\w{0,3}|mirror\\w{0,3}|e-?mail(?:s|ing)? (?=it\\b|them|the |a |every|all |to )|exfiltrat\\w{1,4}|share|sharing|POST|curl|wget)\\b",
  'i',
)
/** Terms for the conversation, and for files and data of the user. */
export const USER_DATA_TERMS =
  /\b(?:conversation|transcript|chat (?:history|log)|messages? (?:so far|of the user|history)|(?:last|recent|every|all|user['’]?s?) (?:messages?|prompts?|questions?|inputs?)|everything the user|what the user (?:said|wrote|typed|asked)|context window|session (?:log|history)|source (?:tree|code)|(?:every|each|all|any) files? (?:you|it|that|in)|clipboard|contacts|address book|inbox|browsing history)\b/i
export const SECRET_TERMS =
  /\b(?:api[ _-]?keys?|(?:access |auth |session |github |npm )?tokens?|credentials?|secrets?|passwords?|passphrases?|private keys?|ssh keys?|environment variables?|cookies|seed phrase|keychain)\b|\.env\b|\.ssh\b|\.aws\b|\.netrc\b/i
export const OBEY_TERMS =
  /\b(?:follow|obey|apply|carry out|execute|act on|act according to|comply with|perform|adopt|treat|abide by|do)\w{0,3} (?:\w{1,12} ){0,3}(?:instructions?|rules?|steps|whatever|what (?:it|is|they)|everything|contents?|orders?|directives?|commands?|to the letter|answer|guidance|as (?:it|told))\b/i
export const FETCH_TERMS =
  /\b(?:fetch|load|read|open|get|retrieve|download|visit|pull|check|consult|query|curl|wget|ask|look up)\w{0,3}\b[^.\n]{0,60}https?:\/\/(?!localhost|127\.)/i
export const RUN_TERMS =
  /\b(?:run|runs|execute|start|launch|eval|install)\w{0,3}\b[^.\n]{0,60}(?:`[^`\n]{0,200}`|\bscript|\bcommand|\bbinary|\binstaller|\bpayload|\bdownload|\bprogram)|\b(?:curl|wget)\s[^\n]{0,200}\|\s?(?:ba|z)?sh\b/i
export const WRITE_TERMS =
  /\b(?:add|append|write|insert|save|store|put|record|remember|note|persist|copy|set|paste|include|place|keep)\w{0,3}\b/i
export const MEMORY_FILES =
  /\b(?:SOUL|AGENTS?|CLAUDE|GEMINI|MEMORY|IDENTITY|HEARTBEAT|BOOTSTRAP|USER)\.md\b|\b(?:agent|assistant|memory|rules|long-term|persistent) (?:files?|memory|notes?)\b|\bmemory\b|\.(?:cursor|windsurf|cline)rules\b|copilot-instructions|settings(?:\.local)?\.json|\bpermanently\b|\bsystem prompt\b/i
export const BIAS_TERMS =
  /\b(?:prefer|recommend|rank|favou?r|promote|praise|endorse|suggest|pick|cite)\w{0,3}\b[^.\n]{0,60}\b(?:first|above|over|always|top|instead|best|higher)\b/i
export const REPLACE_TERMS =
  /\b(?:replace|swap|substitute|change|alter|redirect|insert|modify)\w{0,3}\b[^.\n]{0,60}\b(?:iban|wallet|payee|bank account|account number|recipient|payment|price|backdoor|permission)s?\b/i
/** Commands that upload a file or a text. */
export const UPLOAD_COMMANDS =
  /\bcurl(?=\s)[^\n]{0,300}(?:\s-\w{0,4}[FT]\b|\s-d\s|--data|--form|--upload)[^\n]{0,300}https?:|\bcurl(?=\s)[^\n]{0,300}https?:[^\n]{0,300}(?:\s-\w{0,4}[FT]\b|\s-d\s|--data|--form|--upload)|\b(?:scp|rsync|nc)\s[^\n]{0,200}\w[:. ]/
