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
    'Data is to be sent without telling the user',
    0,
    ['webAddress', 'sentToAddress', 'concealedFromUser'],
  ],
  [
    'declaration-hidden-orders',
    'Instructions from a page are to take precedence over the user',
    1,
    ['webAddress', 'fetchesAddress', 'obeysEverything', 'claimsPrecedence'],
  ],
  [
    'declaration-hidden-orders',
    'Instructions are to be added to memory without telling the user',
    6,
    ['memoryFile', 'writeRequest', 'concealedFromUser'],
  ],
  [
    'declaration-hidden-orders',
    'All tools are to be approved without telling the user',
    10,
    ['permissionsBypass', 'writeRequest', 'withoutAsking'],
  ],
  [
    'declaration-hidden-orders',
    'The address of an image contains the conversation',
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
  [LOCKED_PREREQUISITE, 'A command is to be copied from a paste site', 0, ['pasteSite', 'copyToTerminal']],
  [
    LOCKED_PREREQUISITE,
    'A command is to be copied from a paste site',
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
    'A protection of the system is to be bypassed',
    1,
    ['guardMention', 'guardBypass', 'downloadRequest', 'startRequest'],
  ],
  [
    DOWNLOAD_PREREQUISITE,
    'A protection of the system is to be bypassed',
    3,
    ['guardMention', 'guardBypass', 'runsProgram'],
  ],
  [
    DOWNLOAD_PREREQUISITE,
    'A command is to be copied from a page',
    1,
    ['webAddress', 'copyToTerminal', 'commandMention'],
  ],
  [
    DOWNLOAD_PREREQUISITE,
    'A command is to be pasted without reading it',
    3,
    ['shortcutOrCaptcha', 'opensTerminal', 'pasteRequest', 'enterKey'],
  ],
  [
    DOWNLOAD_PREREQUISITE,
    'A program is to be downloaded and run manually first',
    3,
    ['programFile', 'programFileStart', 'downloadRequest', 'requirement'],
  ],
  [
    DOWNLOAD_PREREQUISITE,
    'A program from a page is to be run first',
    2,
    ['webAddress', 'runsProgram', 'downloadRequest', 'requirement'],
  ],
  [
    'declaration-secrecy',
    'Data is to be sent without telling the user',
    1,
    ['webAddress', 'secrecy', 'sentToAddress'],
  ],
  [
    'declaration-secrecy',
    'Keys are to be read without telling the user',
    1,
    ['keyMention', 'secrecy', 'sendRequest'],
  ],
  ['declaration-secrecy', 'Consent to the use of keys is claimed', 4, ['keyMention', 'claimedConsent']],
  [
    'declaration-secrecy',
    'Instructions are to be added to memory without telling the user',
    2,
    ['memoryFile', 'secrecy', 'writeRequest'],
  ],
  [
    'declaration-secrecy',
    'The address of an image contains the conversation',
    4,
    ['imageWithData', 'conversationMention'],
  ],
  [
    'declaration-secrecy',
    'A payee is to be replaced without telling the user',
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
    'The model is to follow instructions from a page',
    2,
    ['webAddress', 'fetchesAddress', 'followsInstructions', 'unconditionalObedience'],
  ],
  [
    'declaration-remote-orders',
    'The model is to follow instructions from a page',
    0,
    ['webAddress', 'followsPage'],
  ],
  [
    'declaration-standing-orders',
    'Instructions are to be stored permanently',
    4,
    ['memoryFile', 'writeRequest', 'permanentInstruction'],
  ],
  [
    'declaration-sensitive-path',
    'Keys are to be sent over the network',
    1,
    ['keyMention', 'keyFiles', 'sendRequest', 'webAddress'],
  ],
]
