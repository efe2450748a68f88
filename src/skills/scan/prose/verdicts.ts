// The combinations of signs by which instructions are judged, each with its rule and its message.

import type { RuleId } from '../rules/rules.ts'
import type { KEYWORDS, Sign } from './instruction-signs.ts'

export const LOCKED_PREREQUISITE = 'declaration-locked-prerequisite'
const DOWNLOAD_PREREQUISITE = 'declaration-download-prerequisite'

export type KeywordSign = keyof typeof KEYWORDS

/**
 * The first sign should be rare and cheap to search for. The finding is reported on its line, and
 * `distanceLines` is the maximum distance of the other signs from that line.
 */
export type SignVerdict = readonly [
  rule: RuleId,
  summary: string,
  distanceLines: number,
  signs: readonly [KeywordSign, ...Sign[]],
]

/** Requests to a person or an agent, which are searched for only in prose. */
export const PROSE_VERDICTS: readonly SignVerdict[] = [
  [
    'declaration-hidden-orders',
    'The text asks to send data without telling the user',
    0,
    ['webAddress', 'sentToAddress', 'concealedFromUser'],
  ],
  [
    'declaration-hidden-orders',
    'The text asks to put instructions from a page above those of the user',
    1,
    ['webAddress', 'fetchesAddress', 'obeysEverything', 'claimsPrecedence'],
  ],
  [
    'declaration-hidden-orders',
    'The text asks to add instructions to memory without telling the user',
    6,
    ['memoryFile', 'writeRequest', 'concealedFromUser'],
  ],
  [
    'declaration-hidden-orders',
    'The text asks to approve all tools without telling the user',
    10,
    ['permissionsBypass', 'writeRequest', 'withoutAsking'],
  ],
  [
    'declaration-hidden-orders',
    "An image's address contains the conversation",
    4,
    ['imageWithData', 'conversationContents'],
  ],
  [
    LOCKED_PREREQUISITE,
    'A program is in an archive with a password',
    4,
    ['passwordGiven', 'archive', 'downloadRequest', 'startRequest'],
  ],
  [
    LOCKED_PREREQUISITE,
    'A program is in an archive with a code',
    3,
    ['archiveOrUnpacking', 'archiveCode', 'downloadRequest', 'programFileStart'],
  ],
  [
    LOCKED_PREREQUISITE,
    'The text asks to copy a command from a paste site',
    0,
    ['pasteSite', 'copyToTerminal'],
  ],
  [
    LOCKED_PREREQUISITE,
    'The text asks to copy a command from a paste site',
    0,
    ['pasteSite', 'opensTerminal', 'startRequest'],
  ],
  [
    DOWNLOAD_PREREQUISITE,
    'The instructions give the password of an archive',
    0,
    ['passwordGiven', 'extractsArchive', 'archiveMention'],
  ],
  [
    DOWNLOAD_PREREQUISITE,
    'The instructions give the code of an archive',
    3,
    ['archiveOrUnpacking', 'archiveCode', 'downloadRequest', 'startRequest'],
  ],
  [DOWNLOAD_PREREQUISITE, 'A script comes from a paste site', 0, ['pasteSite', 'installRequest']],
  [
    DOWNLOAD_PREREQUISITE,
    'The text asks to bypass a system protection',
    1,
    ['guardMention', 'guardBypass', 'downloadRequest', 'startRequest'],
  ],
  [
    DOWNLOAD_PREREQUISITE,
    'The text asks to bypass a system protection',
    3,
    ['guardMention', 'guardBypass', 'runsProgram'],
  ],
  [
    DOWNLOAD_PREREQUISITE,
    'The text asks to copy a command from a page',
    1,
    ['webAddress', 'copyToTerminal', 'commandMention'],
  ],
  [
    DOWNLOAD_PREREQUISITE,
    'The text asks to paste a command without reading it',
    3,
    ['shortcutOrCaptcha', 'opensTerminal', 'pasteRequest', 'enterKey'],
  ],
  [
    DOWNLOAD_PREREQUISITE,
    'The text asks to download a program and run it manually first',
    3,
    ['programFile', 'programFileStart', 'downloadRequest', 'requirement'],
  ],
  [
    DOWNLOAD_PREREQUISITE,
    'The text asks to run a program from a page first',
    2,
    ['webAddress', 'runsProgram', 'downloadRequest', 'requirement'],
  ],
  [
    'declaration-secrecy',
    'The text asks to send data without telling the user',
    1,
    ['webAddress', 'secrecy', 'sentToAddress'],
  ],
  [
    'declaration-secrecy',
    'The text asks to read keys without telling the user',
    1,
    ['keyMention', 'secrecy', 'sendRequest'],
  ],
  ['declaration-secrecy', 'Consent to the use of keys is claimed', 4, ['keyMention', 'claimedConsent']],
  [
    'declaration-secrecy',
    'The text asks to add instructions to memory without telling the user',
    2,
    ['memoryFile', 'secrecy', 'writeRequest'],
  ],
  [
    'declaration-secrecy',
    "An image's address contains the conversation",
    4,
    ['imageWithData', 'conversationMention'],
  ],
  [
    'declaration-secrecy',
    'The text asks to replace a payee without telling the user',
    6,
    ['payee', 'replacement', 'hiddenFromUser'],
  ],
  [
    'declaration-secret-request',
    'The user is asked for a secret key',
    4,
    ['secretKey', 'askRequest', 'sendRequest'],
  ],
  [
    'declaration-remote-orders',
    'The text asks the model to follow instructions from a page',
    2,
    ['webAddress', 'fetchesAddress', 'followsInstructions', 'unconditionalObedience'],
  ],
  [
    'declaration-remote-orders',
    'The text asks the model to follow instructions from a page',
    0,
    ['webAddress', 'followsPage'],
  ],
  [
    'declaration-standing-orders',
    'The text asks to store instructions permanently',
    4,
    ['memoryFile', 'writeRequest', 'permanentInstruction'],
  ],
  [
    'declaration-sensitive-path',
    'The text asks to send keys over the network',
    1,
    ['keyMention', 'keyFiles', 'sendRequest', 'webAddress'],
  ],
]
