// The combinations of signs by which instructions and commands are judged, each with its rule and its
// message.

import type { RuleId } from '../rules/rules.ts'
import type { HINTS, Sign } from './instruction-signs.ts'

export const LOCKED = 'declaration-locked-prerequisite'
const GUESS = 'declaration-download-prerequisite'

export type Hint = keyof typeof HINTS

/**
 * `lines` is the maximum distance of the other signs from the first. The first sign should be rare and cheap
 * to search for; the finding is reported on its line.
 */
export type SignVerdict = readonly [
  rule: RuleId,
  seen: string,
  lines: number,
  signs: readonly [Hint, ...Sign[]],
]

/** Requests to a person or an agent, which are searched for only in prose. */
export const PROSE_VERDICTS: readonly SignVerdict[] = [
  [
    'declaration-hidden-orders',
    'Data is to be sent without telling the user',
    0,
    ['page', 'sentAway', 'hushed'],
  ],
  [
    'declaration-hidden-orders',
    'Instructions from a page are to take precedence over the user',
    1,
    ['page', 'remote', 'whatever', 'above'],
  ],
  [
    'declaration-hidden-orders',
    'Instructions are to be added to memory without telling the user',
    6,
    ['memory', 'written', 'hushed'],
  ],
  [
    'declaration-hidden-orders',
    'All tools are to be approved without telling the user',
    10,
    ['bypassed', 'written', 'silently'],
  ],
  [
    'declaration-hidden-orders',
    'The address of an image contains the conversation',
    4,
    ['beacon', 'aboutTalk'],
  ],
  [
    LOCKED,
    'A program is in an archive with a password',
    4,
    ['passwordGiven', 'archive', 'fetched', 'started'],
  ],
  [LOCKED, 'A program is in an archive with a code', 3, ['packed', 'coded', 'fetched', 'programRun']],
  [LOCKED, 'A command is to be copied from a paste site', 0, ['pasteSite', 'byHand']],
  [LOCKED, 'A command is to be copied from a paste site', 0, ['pasteSite', 'opened', 'started']],
  [
    GUESS,
    'The instructions give the password of an archive',
    0,
    ['passwordGiven', 'extracts', 'archiveNamed'],
  ],
  [GUESS, 'The instructions give the code of an archive', 3, ['packed', 'coded', 'fetched', 'started']],
  [GUESS, 'A script comes from a paste site', 0, ['pasteSite', 'installs']],
  [GUESS, 'A protection of the system is to be bypassed', 1, ['guarded', 'unguarded', 'fetched', 'started']],
  [GUESS, 'A protection of the system is to be bypassed', 3, ['guarded', 'unguarded', 'runs']],
  [GUESS, 'A command is to be copied from a page', 1, ['page', 'byHand', 'command']],
  [GUESS, 'A command is to be pasted without reading it', 3, ['keyed', 'opened', 'pasted', 'entered']],
  [
    GUESS,
    'A program is to be downloaded and run manually first',
    3,
    ['program', 'programRun', 'fetched', 'demanded'],
  ],
  [GUESS, 'A program from a page is to be run first', 2, ['page', 'runs', 'fetched', 'demanded']],
  ['declaration-secrecy', 'Data is to be sent without telling the user', 1, ['page', 'secrecy', 'sentAway']],
  [
    'declaration-secrecy',
    'Keys are to be read without telling the user',
    1,
    ['keysNamed', 'secrecy', 'sent'],
  ],
  ['declaration-secrecy', 'Consent to the use of keys is claimed', 4, ['keysNamed', 'claimed']],
  [
    'declaration-secrecy',
    'Instructions are to be added to memory without telling the user',
    2,
    ['memory', 'secrecy', 'written'],
  ],
  ['declaration-secrecy', 'The address of an image contains the conversation', 4, ['beacon', 'talk']],
  [
    'declaration-secrecy',
    'A payee is to be replaced without telling the user',
    6,
    ['payee', 'swapped', 'unnoticed'],
  ],
  ['declaration-secret-request', 'The user is asked for a secret key', 4, ['seed', 'asks', 'sent']],
  [
    'declaration-remote-orders',
    'The model is to follow instructions from a page',
    2,
    ['page', 'remote', 'followed', 'obeyed'],
  ],
  [
    'declaration-remote-orders',
    'The model is to follow instructions from a page',
    0,
    ['page', 'followsPage'],
  ],
  [
    'declaration-standing-orders',
    'Instructions are to be stored permanently',
    4,
    ['memory', 'written', 'planted'],
  ],
  [
    'declaration-sensitive-path',
    'Keys are to be sent over the network',
    1,
    ['keysNamed', 'keyFiles', 'sent', 'page'],
  ],
]

/** Commands, which are searched for in any text. */
export const COMMAND_VERDICTS: readonly SignVerdict[] = [
  ['shell-keys-sent', 'Keys are sent over the network', 0, ['keysSent']],
  ['shell-keys-sent', 'A command is replaced by one that sends data', 0, ['replaced']],
  [
    'shell-keys-sent',
    'Files of a browser or a wallet near a command that sends data',
    15,
    ['loot', 'stolen', 'uploads'],
  ],
  [
    'shell-keys-sent',
    'The clipboard is monitored and sent over the network',
    12,
    ['carries', 'uploads', 'clipboard', 'loopsOver'],
  ],
  [
    'shell-keys-sent',
    'Keys are put into host names that are looked up',
    3,
    ['carries', 'looked', 'packed64'],
  ],
  [
    'shell-keys-sent',
    'All secrets of a pipeline near a command that sends data',
    4,
    ['everySecret', 'carries'],
  ],
  ['shell-keys-sent', 'A credential helper sends data', 0, ['carries', 'helperSends']],
  ['shell-persistent-access', 'An automatic start runs a download', 0, ['jobLine', 'fetchRun']],
  ['shell-persistent-access', 'An automatic start runs a download', 4, ['agent', 'agentRuns']],
  ['shell-persistent-access', 'A file that every shell reads runs a download', 0, ['profileRuns']],
  ['shell-persistent-access', 'A public key is added to the authorized keys', 2, ['keyAdded', 'publicKey']],
  ['shell-hidden-download', 'A download is run out of sight', 0, ['unseen']],
  ['shell-hidden-download', 'A download with a hidden name is started', 3, ['hiddenFile', 'madeProgram']],
  ['shell-hidden-download', 'A protection is switched off near a download', 12, ['defenderOff', 'loads']],
  ['shell-unnamed-package', 'A package from an IP address', 0, ['bareIndex']],
  ['shell-sensitive-exfil', 'Keys are sent over the network', 0, ['carries', 'keysUploaded']],
  [
    'shell-sensitive-exfil',
    'Files of a browser or a wallet near a command that sends data',
    15,
    ['loot', 'uploads'],
  ],
  [
    'shell-sensitive-exfil',
    'The screen or the clipboard near a command that sends data',
    12,
    ['carries', 'uploads', 'captured'],
  ],
  ['shell-persistence', 'Hooks are installed for every repository', 0, ['autostart', 'hooksMoved']],
  ['shell-persistence', 'A task starts with the editor', 12, ['folderOpen', 'reaches']],
  ['declaration-remote-orders', 'A SKILL.md is replaced by a download', 0, ['carries', 'renewsSkill']],
  ['shell-guard-off', 'All tools are approved without the user seeing them', 0, ['bypassed']],
  ['shell-guard-off', 'The quarantine mark of a download is removed', 0, ['guarded', 'unmarked']],
  [
    'shell-persistence',
    'A file that every shell reads is changed near a command that sends data',
    12,
    ['autostart', 'shellStart', 'uploads'],
  ],
  ['shell-persistence', 'A program is set to start automatically', 0, ['autostart', 'lasting']],
  ['shell-persistence', 'A program is set to start automatically', 12, ['hook', 'loads', 'lair']],
  ['shell-untrusted-index', 'Packages from an IP address or over plain http', 0, ['index']],
  [
    'shell-untrusted-index',
    'Packages from another source without verification',
    3,
    ['unchecked', 'otherSource'],
  ],
  ['shell-untrusted-index', 'Packages from another registry', 0, ['index', 'otherIndex']],
  ['shell-untrusted-index', 'Packages from another registry', 0, ['addsSource']],
  ['shell-guard-off', 'A protection of the system is switched off', 0, ['guardsOff']],
  ['shell-guard-off', 'An agent is started without approvals', 0, ['unattendedAgent']],
  ['shell-guard-off', 'Checks of a repository are removed', 0, ['checksOff']],
  ['declaration-secret-request', 'A page asks for a password', 8, ['askingForm', 'passwordField']],
  ['shell-decoded-command', 'A command is written as numbers', 6, ['scriptShell', 'spelledScript']],
  ['shell-decoded-command', 'A command is written as numbers', 20, ['createsCode', 'hexCode']],
  [
    'shell-guard-off',
    'All tools are approved without the user seeing them',
    8,
    ['everyAllowed', 'settingsFile'],
  ],
  ['declaration-hidden-orders', 'Instructions are added to other skills', 3, ['skillFolders', 'otherSkills']],
  ['shell-package-address', 'A package is installed from an address', 0, ['byAddress']],
  ['shell-install-hook', 'A command runs when a package is installed', 0, ['installHook']],
  ['shell-host-mount', 'A container can access the whole disk', 0, ['hostMount']],
  ['shell-guard-off', 'A protection of the system is switched off', 3, ['guarded', 'unguarded', 'loads']],
  ['shell-guard-off', 'Tools of a server are approved without the user seeing them', 8, ['approved', 'page']],
  ['shell-untrusted-pipe-shell', 'A download is started', 2, ['saved', 'nobody', 'startedFile']],
  ['shell-curl-pipe-shell', 'A download is started', 2, ['saved', 'launched']],
]
