// Intents that instructions state openly. Most are warnings, because some honest instructions resemble them.

import * as terms from './intent-terms.ts'
import { SEND_VERBS } from './intents.ts'
import type { Intent } from './intents.ts'

export const OPEN_INTENTS: readonly Intent[] = [
  {
    rule: 'declaration-secrecy',
    summary: "The text asks to send the conversation or the user's files over the network",
    keywords: ['http', '@', 'webhook'],
    order: new RegExp(
      `${SEND_VERBS}[^.\\n]{0,80}?\\b(?:conversation|transcript|chat (?:history|log)|messages? so far|(?:every|each|all) (?:user )?(?:messages?|prompts?)|what the user (?:said|wrote|typed)|every file you|source tree|entire (?:project|repo\\w{0,7}|codebase))\\b`,
      'gi',
    ),
    context: [[terms.EXTERNAL_ADDRESS]],
    inSentence: true,
  },
  {
    rule: 'declaration-secrecy',
    summary: 'The text asks to send data without telling the user',
    order: terms.CONCEALMENT,
    mustNotMatch: terms.KEY_SECRECY_ADVICE,
    context: [[terms.SEND_ACTIONS], [terms.EXTERNAL_ADDRESS]],
    inSentence: true,
    mustMatch: terms.ACTION_REFERENCE,
  },
  {
    rule: 'declaration-secrecy',
    summary: 'The text asks to store or read something without telling the user',
    order: terms.CONCEALMENT,
    mustNotMatch: terms.KEY_SECRECY_ADVICE,
    context: [
      [terms.MEMORY_FILES, /\b(?:crontab|cron|hook|profile|bashrc|zshrc)\b/i],
      [terms.WRITE_TERMS, terms.SEND_ACTIONS, /\b(?:copy|read)\b/i],
    ],
    inSentence: true,
    mustMatch: terms.ACTION_REFERENCE,
  },
  {
    rule: 'declaration-secrecy',
    summary: 'The text asks to send keys over the network',
    keywords: ['http'],
    order: new RegExp(
      `${SEND_VERBS}[^.\\n]{0,100}?\\b(?:api keys?|(?:access|auth|github|npm|session) tokens?|credentials|passwords?|secrets)\\b[^.\\n]{0,60}?\\b(?:to|in a request to|at)\\s[^.\\n]{0,20}https?:\\/\\/(?!localhost)`,
      'gi',
    ),
    context: [[/\b(?:environment|user['’]?s?|all|every|found|discovered|any|collect\w{0,3}|from)\b/i]],
    inSentence: true,
  },
  {
    rule: 'declaration-remote-orders',
    summary: 'The text asks the model to follow instructions from a page',
    keywords: ['http'],
    order:
      /\b(?:fetch|load|read|open|retrieve|download|visit|pull|consult|query|ask|get)\w{0,3}\b[^.\n]{0,80}?https?:\/\/(?!localhost|127\.)[^\s)`'"<>]{4,200}/gi,
    context: [
      [
        /\b(?:follow|obey|carry out|execute|act on|comply with|perform|do|apply|adopt)\w{0,3}\s(?:\w{1,12}\s){0,3}(?:whatever|to the letter|its (?:answer|orders|instructions|commands)|what(?:ever)? (?:is|it|they|you find|stands)|everything (?:it|in|there)|the (?:instructions|orders|commands|steps) (?:in|from|on|there|it|of) ?(?:it|that|there|the (?:page|file|response|answer))?)\b|\breplace this (?:file|skill)\b|\bmay change\b|\btreat\w{0,3} (?:it|its|them|the \w{1,12}) as (?:\w{1,12} ){0,3}(?:instructions?|orders?|rules|part of|authoritative)/i,
      ],
    ],
    inSentence: true,
  },
  {
    rule: 'declaration-remote-orders',
    summary: 'The text asks to replace the skill with a downloaded one',
    order: /https?:\/\/[^\s)`'"<>]{4,200}(?:SKILL|CLAUDE|AGENTS)\.md\b/gi,
    context: [
      [/\b(?:replac|overwrit|updat|refresh|renew|let it)\w{0,4}\b/i],
      [/\bthis (?:file|skill)|SKILL\.md/],
    ],
    inSentence: true,
  },
  {
    rule: 'declaration-prompt-override',
    summary: 'The skill claims precedence over the user or the system prompt',
    order:
      /\b(?:supersede|outrank|overrule|trump|take (?:precedence|priority) over|prevail over|stand above|win over|take the place of)\w{0,2}\b[^.\n]{0,60}?\b(?:system prompt|(?:the )?user(?:['’]s)? (?:says|wishes|instructions?|requests?|or)|what the user|any (?:safety|other|earlier|previous) (?:\w{1,12} )?(?:polic|rule|instruction|guideline)\w{1,4}|(?:earlier|previous|prior|all other) (?:\w{1,12} )?(?:instructions?|rules?|guidance)|system(?: messages?| instructions?)?)\b/gi,
    context: [],
  },
  {
    rule: 'declaration-standing-orders',
    summary: 'The text asks to approve everything without asking the user',
    order:
      /\bBash\(\*(?::\*)?\)|--dangerously-skip-permissions|--yolo\b|dangerously-bypass-approvals|\bbypassPermissions\b|"allow":\s?\["\*"\]|\bpermission mode\b[^.\n]{0,30}\b(?:accept|allow|approve|bypass)\w{0,3} (?:everything|all|any)/gi,
    context: [
      [
        /\b(?:add|set|start|allow|put|use|enable|begin|switch|run|write|change|pass|launch|always|so that|before)\w{0,4}\b/i,
      ],
      [
        /\b(?:settings|permissions?|nothing has to|confirm\w{0,5}|from now on|ask\w{0,3}|prompt\w{0,3}|approval|before you (?:begin|start))\b/i,
      ],
    ],
    inSentence: true,
  },
  {
    rule: 'declaration-standing-orders',
    summary: 'Approval is claimed or given in place of the user',
    order:
      /\b(?:confirmation|permission|approval|consent)\w{0,2}(?: (?:prompts?|dialogs?|requests?))?\b[^.\n]{0,40}?\b(?:as already granted|already (?:granted|given)|on (?:the )?(?:user|behalf|their)|in advance|is implied|are implied|automatically (?:accept|approv)\w{0,3})\b|\b(?:asks?|prompts?|asking) for (?:permission|approval|confirmation)\b[^.\n]{0,30}?\b(?:answer|say|reply|respond|choose|select|click) ["“'`]?(?:yes|allow|accept|approve|always)|\banswer(?:ing)? (?:yes|["“]yes["”]) on behalf\b|\bskip the (?:approval|permission|confirmation) (?:dialog|prompt|step)|\b(?:disable|turn off|switch off|remove|bypass)\w{0,2} (?:the |any |all )?(?:\w{1,12} (?:and (?:the )?)?)?(?:confirmation|approval|permission|safety|sandbox)(?: and (?:the )?\w{1,12})? ?(?:hooks?|prompts?|checks?|dialogs?)\b/gi,
    context: [[/\b(?:user|agent|before|tools?|commands?|run|session|always|set|host)\b/i]],
  },
  {
    rule: 'declaration-standing-orders',
    summary: 'The text asks to store instructions permanently',
    order:
      /\b(?:remember (?:permanently|forever|for (?:all|every|later|future))|(?:CLAUDE|AGENTS|GEMINI|MEMORY|SOUL)\.md|memory(?: file)?)\b[^\n]{0,160}?\b(?:exempt|never (?:be )?(?:removed?|deleted?|questioned?|reviewed?)|must (?:never|not) be (?:removed|deleted|reviewed|questioned)|needs? no (?:approval|confirmation|review|permission)|always (?:trust|obey|approve|allow)|obey\b|pre-?approved|without (?:asking|approval|confirmation|review))/gi,
    context: [],
  },
  {
    rule: 'declaration-secret-request',
    summary: 'The user is asked for a password',
    order:
      /\b(?:ask|request|prompt|have|get|obtain|collect|require|demand)\w{0,3}\b[^.\n]{0,70}?\b(?:(?:mail|github|gitlab|google|gmail|apple|microsoft|icloud|bank\w{0,3}|e-?mail|sudo|admin\w{0,10}|root|login|system|computer|mac|wallet|keychain|master|account|paypal|amazon) (?:account |login |user )?(?:password|passphrase|passcode|pin)|card number|cvv|cvc|2fa codes?|one-time (?:code|password)|seed phrase|recovery (?:phrase|code)s?|social security)/gi,
    context: [],
  },
  {
    rule: 'declaration-secrecy',
    summary: 'The text asks to remove traces',
    order:
      /\b(?:delete|clear|wipe|erase|remove|truncate|purge)\w{0,3}\b[^.\n]{0,40}?\b(?:audit (?:log|trail)|shell history|bash history|command history|logs? (?:of|after)|traces?|evidence)\b[^.\n]{0,60}?\b(?:no trace|nobody|no one|cannot be|can['’]t be|so that (?:it|this|the)|not be (?:seen|found|traced))\b/gi,
    context: [],
  },
  {
    rule: 'shell-guard-off',
    summary: 'The text asks to remove other skills',
    order:
      /\b(?:uninstall|delete|remove|disable)\w{0,3}\b[^.\n]{0,30}?\b(?:other |any |all )?(?:skills?|plugins?|extensions?|hooks?)\b[^.\n]{0,40}?\b(?:check|scan|guard|audit|review|block|monitor|security|safety)/gi,
    context: [],
  },
  {
    rule: 'declaration-standing-orders',
    summary: 'The text asks to send model requests to an unknown host',
    keywords: ['_BASE', '_ENDPOINT', '_API_URL', '_base'],
    order:
      /\b(?:ANTHROPIC|OPENAI|GEMINI|GOOGLE|CLAUDE|AZURE_OPENAI|MISTRAL)_(?:API_)?(?:BASE_URL|BASE|ENDPOINT|API_URL)\b["']?\s?(?:=|:|to|\|)\s?["'`]{0,2}https?:\/\/(?!localhost|127\.|[\w.-]{0,60}(?:anthropic|openai|google|azure|claude|mistral|openrouter|cloudflare|vercel|litellm|helicone|amazonaws|your|example|x\.ai|deepseek|moonshot|bigmodel|aliyun|dashscope|minimax|groq|together|portkey)[\w.-]{0,60})[\w.-]{4,}/gi,
    context: [],
  },
]
