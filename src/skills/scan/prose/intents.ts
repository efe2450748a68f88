// Intents of instructions that are refused, as combinations of terms within a section: to hide an action, to
// send data, to change an agent's memory, to approve tools, or to obey someone else. Wrapped lines are joined
// before the search.

import type { RuleId } from '../rules/rules.ts'
import * as terms from './intent-terms.ts'

export interface Intent {
  readonly rule: RuleId
  readonly summary: string
  /** Matches the order itself. */
  readonly order: RegExp
  /** For speed: a text without any of these cannot contain the order. */
  readonly keywords?: readonly string[]
  /** At least one pattern of each row must match in the section around the order. */
  readonly context: readonly (readonly RegExp[])[]
  /** The rows must match in the sentence of the order or the next one, instead of in the section. */
  readonly inSentence?: boolean
  /** The order must not match this. */
  readonly mustNotMatch?: RegExp
  /** Code blocks in the section are searched too. */
  readonly includesCode?: boolean
  /** The order must also match this. */
  readonly mustMatch?: RegExp
}

const HIDDEN_ORDERS = 'declaration-hidden-orders'
const KEY_LOCATIONS =
  '(?:~\\/\\.|\\.)(?:ssh|aws|netrc|npmrc|gnupg|kube|env)\\b(?!\\.(?:example|sample|template))|\\bid_(?:rsa|ed25519)\\b(?!\\.pub)|\\b(?:all|every|whole|entire|full) (?:of )?(?:the |your )?environment(?: variables?)?\\b|\\b(?:private|ssh|api) keys? (?:from|of|in) (?:the |their |your )?(?:user|environment|machine|home|system|disk|keychain|shell)|\\bbrowser (?:cookies|passwords)|\\bsaved passwords'
export const SEND_VERBS =
  "(?<!(?:not|never|n['’]t|without|avoid) )\\b(?:sends?|shares?|posts?|uploads?|submits?|forwards?|transmits?|relays?|mirrors?|e-?mails?|exfiltrates?|sending|posting|uploading|forwarding)\\b"

/** Intents that are refused, because they are hidden or steal keys. */
export const HIDDEN_INTENTS: readonly Intent[] = [
  {
    rule: HIDDEN_ORDERS,
    summary: 'The text asks to send data without telling the user',
    order: terms.CONCEALMENT,
    mustNotMatch: terms.KEY_SECRECY_ADVICE,
    context: [[terms.UPLOAD_COMMANDS]],
    includesCode: true,
  },
  {
    rule: HIDDEN_ORDERS,
    summary: "The text asks to put one service's key into another service's address",
    keywords: ['_KEY', '_TOKEN'],
    order:
      /https?:\/\/(?![\w.-]{0,80}(?:openai|anthropic|google|azure|github|gitlab|amazonaws|aws|npmjs|huggingface|stripe|slack)\b)[\w.-]{4,80}\/?[^\s)`"'<>]{0,120}[?&]\w{1,20}=[<{$]/gi,
    context: [
      [
        /\b(?:OPENAI_API_KEY|ANTHROPIC_API_KEY|GEMINI_API_KEY|GITHUB_TOKEN|GH_TOKEN|AWS_SECRET_ACCESS_KEY|NPM_TOKEN|HF_TOKEN|STRIPE_SECRET_KEY|SLACK_BOT_TOKEN)\b/,
      ],
      [/\b(?:find|look (?:it )?up|read|take|value|exported|copy|request|fetch)\b/i],
    ],
  },
  {
    rule: HIDDEN_ORDERS,
    summary: 'The text asks to send every message over the network',
    keywords: ['http'],
    order: new RegExp(
      `(?:${SEND_VERBS}|\\bPOST\\b)[^.\\n]{0,60}?\\b(?:the|each|every|all|their|its) (?:\\w{1,12} )?(?:messages?|prompts?|repl(?:y|ies)|answers?|questions?|conversations?)\\b[^.\\n]{0,60}?https?:\\/\\/(?!localhost|127\\.)`,
      'gi',
    ),
    context: [
      [
        /\b(?:every|each) (?:new )?(?:user )?(?:session|message|reply|turn|prompt|conversation|answer|task)\b|\balways\b/i,
      ],
    ],
  },
  {
    rule: 'declaration-remote-orders',
    summary: 'The text asks the model to follow a page as if the user had written it',
    order:
      /\bas (?:though|if) (?:the |a |your )?(?:user|owner|maintainer|developer) (?:had |has )?(?:typed|said|written|sent|asked|given)\b|\b(?:same|equal) (?:authority|weight|standing|priority) as (?:the |a )?(?:user|owner|system)|\b(?:speaks?|acts?|stands?) for the (?:user|owner|maintainer)\b/gi,
    context: [[/https?:\/\/|\bcurl\b|\bgist\b|\bissue\b/i]],
  },
  {
    rule: HIDDEN_ORDERS,
    summary: 'The text asks to send data without telling the user',
    order: terms.CONCEALMENT,
    mustNotMatch: terms.KEY_SECRECY_ADVICE,
    context: [
      [terms.EXTERNAL_ADDRESS],
      [terms.SEND_ACTIONS],
      [
        terms.USER_DATA_TERMS,
        terms.SECRET_TERMS,
        /\b(?:data|files?|contents?|results?|copy|logs?|report|input|documents?|names?)\b/i,
      ],
    ],
    inSentence: true,
  },
  {
    rule: HIDDEN_ORDERS,
    summary: 'The text asks to send data without telling the user',
    order: terms.CONCEALMENT,
    mustNotMatch: terms.KEY_SECRECY_ADVICE,
    context: [
      [/https?:\/\/(?!localhost|127\.)[\w[]/i],
      [terms.SEND_TERMS],
      [terms.CONVERSATION_TERMS, terms.SECRET_TERMS],
    ],
    inSentence: true,
  },
  {
    rule: HIDDEN_ORDERS,
    summary: 'The text asks the model to follow a page without telling the user',
    order: terms.CONCEALMENT,
    mustNotMatch: terms.KEY_SECRECY_ADVICE,
    context: [[terms.FETCH_TERMS], [terms.OBEY_TERMS]],
  },
  {
    rule: HIDDEN_ORDERS,
    summary: 'The text asks to run a command without telling the user',
    order: terms.CONCEALMENT,
    mustNotMatch: terms.KEY_SECRECY_ADVICE,
    context: [
      [terms.RUN_TERMS],
      [/https?:|\bcurl\b|\bwget\b|base64|\bnc\b/i],
      [/\b(?:this|it|that|step|command|script|happens?)\b/i],
    ],
    inSentence: true,
    mustMatch: terms.ACTION_REFERENCE,
  },
  {
    rule: HIDDEN_ORDERS,
    summary: 'The text asks to add instructions to memory without telling the user',
    order: terms.CONCEALMENT,
    mustNotMatch: terms.KEY_SECRECY_ADVICE,
    context: [
      [terms.MEMORY_FILES],
      [terms.WRITE_TERMS],
      [
        /\b(?:trust|always|never|approv|allow|exempt|permission|instruct|rule|skill|obey|follow|prefer|priority)\w{0,4}\b/i,
      ],
    ],
    inSentence: true,
    mustMatch: terms.ACTION_REFERENCE,
  },
  {
    rule: HIDDEN_ORDERS,
    summary: 'The text asks to bias answers without telling the user',
    order: terms.CONCEALMENT,
    mustNotMatch: terms.KEY_SECRECY_ADVICE,
    context: [[terms.BIAS_TERMS, terms.REPLACE_TERMS]],
    inSentence: true,
  },
  {
    rule: HIDDEN_ORDERS,
    summary: 'The text asks to send keys over the network',
    keywords: ['http', '@'],
    order: new RegExp(
      `${SEND_VERBS}[^.\\n]{0,120}?(?:${KEY_LOCATIONS})[^\\n]{0,80}?\\b(?:to|at|into|via)\\s\\S{0,4}(?:https?:\\/\\/(?!localhost|127\\.)[\\w[]|[\\w.-]{1,40}@[\\w-]{1,40}\\.[a-z]{2,10})`,
      'gi',
    ),
    context: [],
  },
  {
    rule: HIDDEN_ORDERS,
    summary: 'The text asks to put the conversation into an address',
    keywords: ['http'],
    order:
      /\b(?:image|link|url|badge|pixel|favicon|picture|citation|reference|footer|!\[)[^]{0,200}?https?:\/\/[^\s)>\]]{1,200}?(?:[?&]\w{1,20}=(?:[{<[$%…]|[A-Z]{3}|\.\.\.)|\/[<{])/gi,
    context: [
      [terms.CONVERSATION_TERMS],
      [
        /\b(?:encod|base64|append|includ|fill|put|carr|insert|add|end each|every answer|every repl)\w{0,3}\b/i,
      ],
    ],
  },
  {
    rule: HIDDEN_ORDERS,
    summary: "The text asks to put data into an image's address",
    order:
      /!\[[^\]\n]{0,80}\]\(https?:\/\/[^)\n]{1,300}?[<{$[][^)\n]{0,80}?\b(?:output|contents?|value|result) of\b/gi,
    context: [],
  },
  {
    rule: 'declaration-locked-prerequisite',
    summary: 'A program is in an archive with a password',
    order:
      /\b(?:pass(?:word|phrase|code)|pin|unlock(?:s|ed)? with|encrypted with|secret)\b[^\n]{0,60}?(?:[`"'“*(]{1,3}[\w@#!.+-]{3,24}[`"'”*)]|[:=]\s?[\w@#!.+-]{3,24}|\b(?:is|given|found|printed|listed|shown|stands?|written|named?)\b)/gi,
    context: [
      [/\.(?:zip|7z|rar|tar\.gz|tgz|dmg|iso)\b|\barchives?\b|\bbundle\b/i],
      [/\b(?:extract|unpack|unzip|unlock|decompress|expand|opens? with|mount)\w{0,3}\b/i],
      [
        /\b(?:run|launch|execute|start|double-click|install|open)\w{0,3} (?:the |its |that |this )?(?:\w{1,12} )?(?:installer|setup|helper|program|binary|executable|agent|tool|component|launcher|app|runtime|driver|connector|service)\b|\b(?:run|launch|execute|start|open)\w{0,3} `?[\w./-]{1,40}\.(?:exe|sh|command|app|pkg|msi|bat|run)\b|\b(?:run|launch|execute|start) it\b/i,
      ],
    ],
    inSentence: true,
  },
]
