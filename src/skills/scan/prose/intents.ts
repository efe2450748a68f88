// Intents of instructions that are refused, as combinations of terms within a section: to hide an action, to
// send data, to change an agent's memory, to approve tools, or to obey someone else. Wrapped lines are joined
// before the search.

import type { RuleId } from '../rules/rules.ts'
import * as W from './intent-terms.ts'

export interface Intent {
  readonly rule: RuleId
  readonly seen: string
  /** Matches the order itself. */
  readonly order: RegExp
  /** For speed: a text without any of these cannot contain the order. */
  readonly needs?: readonly string[]
  /** At least one pattern of each row must match in the section around the order. */
  readonly beside: readonly (readonly RegExp[])[]
  /** The rows must match in the sentence of the order or the next one, instead of in the section. */
  readonly near?: boolean
  /** The order must not match this. */
  readonly unless?: RegExp
  /** Code blocks in the section are searched too. */
  readonly code?: boolean
  /** The order must also match this. */
  readonly within?: RegExp
}

const HIDDEN = 'declaration-hidden-orders'
const KEY_LOCATIONS =
  '(?:~\\/\\.|\\.)(?:ssh|aws|netrc|npmrc|gnupg|kube|env)\\b(?!\\.(?:example|sample|template))|\\bid_(?:rsa|ed25519)\\b(?!\\.pub)|\\b(?:all|every|whole|entire|full) (?:of )?(?:the |your )?environment(?: variables?)?\\b|\\b(?:private|ssh|api) keys? (?:from|of|in) (?:the |their |your )?(?:user|environment|machine|home|system|disk|keychain|shell)|\\bbrowser (?:cookies|passwords)|\\bsaved passwords'
export const ORDERS =
  "(?<!(?:not|never|n['’]t|without|avoid) )\\b(?:sends?|shares?|posts?|uploads?|submits?|forwards?|transmits?|relays?|mirrors?|e-?mails?|exfiltrates?|sending|posting|uploading|forwarding)\\b"

/** Intents that are refused, because they are hidden or steal keys. */
export const HIDDEN_INTENTS: readonly Intent[] = [
  {
    rule: HIDDEN,
    seen: 'Data is to be sent without telling the user',
    order: W.CONCEALS,
    unless: W.KEEPS_KEYS,
    beside: [[W.UPLOADS]],
    code: true,
  },
  {
    rule: HIDDEN,
    seen: 'A key of one service is to be put into an address of another',
    needs: ['_KEY', '_TOKEN'],
    order:
      /https?:\/\/(?![\w.-]{0,80}(?:openai|anthropic|google|azure|github|gitlab|amazonaws|aws|npmjs|huggingface|stripe|slack)\b)[\w.-]{4,80}\/?[^\s)`"'<>]{0,120}[?&]\w{1,20}=[<{$]/gi,
    beside: [
      [
        /\b(?:OPENAI_API_KEY|ANTHROPIC_API_KEY|GEMINI_API_KEY|GITHUB_TOKEN|GH_TOKEN|AWS_SECRET_ACCESS_KEY|NPM_TOKEN|HF_TOKEN|STRIPE_SECRET_KEY|SLACK_BOT_TOKEN)\b/,
      ],
      [/\b(?:find|look (?:it )?up|read|take|value|exported|copy|request|fetch)\b/i],
    ],
  },
  {
    rule: HIDDEN,
    seen: 'Every message is to be sent over the network',
    needs: ['http'],
    order: new RegExp(
      `(?:${ORDERS}|\\bPOST\\b)[^.\\n]{0,60}?\\b(?:the|each|every|all|their|its) (?:\\w{1,12} )?(?:messages?|prompts?|repl(?:y|ies)|answers?|questions?|conversations?)\\b[^.\\n]{0,60}?https?:\\/\\/(?!localhost|127\\.)`,
      'gi',
    ),
    beside: [
      [
        /\b(?:every|each) (?:new )?(?:user )?(?:session|message|reply|turn|prompt|conversation|answer|task)\b|\balways\b/i,
      ],
    ],
  },
  {
    rule: 'declaration-remote-orders',
    seen: 'The model is to follow a page as if the user had written it',
    order:
      /\bas (?:though|if) (?:the |a |your )?(?:user|owner|maintainer|developer) (?:had |has )?(?:typed|said|written|sent|asked|given)\b|\b(?:same|equal) (?:authority|weight|standing|priority) as (?:the |a )?(?:user|owner|system)|\b(?:speaks?|acts?|stands?) for the (?:user|owner|maintainer)\b/gi,
    beside: [[/https?:\/\/|\bcurl\b|\bgist\b|\bissue\b/i]],
  },
  {
    rule: HIDDEN,
    seen: 'Data is to be sent without telling the user',
    order: W.CONCEALS,
    unless: W.KEEPS_KEYS,
    beside: [
      [W.ADDRESS],
      [W.CARRIES],
      [
        W.TALK,
        W.SECRETS,
        /\b(?:data|files?|contents?|results?|copy|logs?|report|input|documents?|names?)\b/i,
      ],
    ],
    near: true,
  },
  {
    rule: HIDDEN,
    seen: 'Data is to be sent without telling the user',
    order: W.CONCEALS,
    unless: W.KEEPS_KEYS,
    beside: [[/https?:\/\/(?!localhost|127\.)[\w[]/i], [W.SENDS], [W.CONVERSATION, W.SECRETS]],
    near: true,
  },
  {
    rule: HIDDEN,
    seen: 'The model is to follow a page without telling the user',
    order: W.CONCEALS,
    unless: W.KEEPS_KEYS,
    beside: [[W.FETCHED], [W.OBEYS]],
  },
  {
    rule: HIDDEN,
    seen: 'A command is to be run without telling the user',
    order: W.CONCEALS,
    unless: W.KEEPS_KEYS,
    beside: [
      [W.RUN_TERMS],
      [/https?:|\bcurl\b|\bwget\b|base64|\bnc\b/i],
      [/\b(?:this|it|that|step|command|script|happens?)\b/i],
    ],
    near: true,
    within: W.ABOUT_DEED,
  },
  {
    rule: HIDDEN,
    seen: 'Instructions are to be added to memory without telling the user',
    order: W.CONCEALS,
    unless: W.KEEPS_KEYS,
    beside: [
      [W.MEMORY_FILES],
      [W.WRITES],
      [
        /\b(?:trust|always|never|approv|allow|exempt|permission|instruct|rule|skill|obey|follow|prefer|priority)\w{0,4}\b/i,
      ],
    ],
    near: true,
    within: W.ABOUT_DEED,
  },
  {
    rule: HIDDEN,
    seen: 'Answers are to be biased without telling the user',
    order: W.CONCEALS,
    unless: W.KEEPS_KEYS,
    beside: [[W.STEERS, W.SWAPS]],
    near: true,
  },
  {
    rule: HIDDEN,
    seen: 'Keys are to be sent over the network',
    needs: ['http', '@'],
    order: new RegExp(
      `${ORDERS}[^.\\n]{0,120}?(?:${KEY_LOCATIONS})[^\\n]{0,80}?\\b(?:to|at|into|via)\\s\\S{0,4}(?:https?:\\/\\/(?!localhost|127\\.)[\\w[]|[\\w.-]{1,40}@[\\w-]{1,40}\\.[a-z]{2,10})`,
      'gi',
    ),
    beside: [],
  },
  {
    rule: HIDDEN,
    seen: 'The conversation is to be put into an address',
    needs: ['http'],
    order:
      /\b(?:image|link|url|badge|pixel|favicon|picture|citation|reference|footer|!\[)[^]{0,200}?https?:\/\/[^\s)>\]]{1,200}?(?:[?&]\w{1,20}=(?:[{<[$%…]|[A-Z]{3}|\.\.\.)|\/[<{])/gi,
    beside: [
      [W.CONVERSATION],
      [
        /\b(?:encod|base64|append|includ|fill|put|carr|insert|add|end each|every answer|every repl)\w{0,3}\b/i,
      ],
    ],
  },
  {
    rule: HIDDEN,
    seen: 'Data is to be put into the address of an image',
    order:
      /!\[[^\]\n]{0,80}\]\(https?:\/\/[^)\n]{1,300}?[<{$[][^)\n]{0,80}?\b(?:output|contents?|value|result) of\b/gi,
    beside: [],
  },
  {
    rule: 'declaration-locked-prerequisite',
    seen: 'A program is in an archive with a password',
    order:
      /\b(?:pass(?:word|phrase|code)|pin|unlock(?:s|ed)? with|encrypted with|secret)\b[^\n]{0,60}?(?:[`"'“*(]{1,3}[\w@#!.+-]{3,24}[`"'”*)]|[:=]\s?[\w@#!.+-]{3,24}|\b(?:is|given|found|printed|listed|shown|stands?|written|named?)\b)/gi,
    beside: [
      [/\.(?:zip|7z|rar|tar\.gz|tgz|dmg|iso)\b|\barchives?\b|\bbundle\b/i],
      [/\b(?:extract|unpack|unzip|unlock|decompress|expand|opens? with|mount)\w{0,3}\b/i],
      [
        /\b(?:run|launch|execute|start|double-click|install|open)\w{0,3} (?:the |its |that |this )?(?:\w{1,12} )?(?:installer|setup|helper|program|binary|executable|agent|tool|component|launcher|app|runtime|driver|connector|service)\b|\b(?:run|launch|execute|start|open)\w{0,3} `?[\w./-]{1,40}\.(?:exe|sh|command|app|pkg|msi|bat|run)\b|\b(?:run|launch|execute|start) it\b/i,
      ],
    ],
    near: true,
  },
]
