// What instructions and commands request, recognized by signs close to each other: a program to start by hand first, keys
// that are to be sent away, orders to keep quiet, to obey a page, to stay on the machine. Looks at what is asked, not at names.

import type { Steps } from '../../../lib/steps.ts'
import { SKILL_MD_MAX_BYTES } from '../../../limits/skills.ts'
import { SCAN_MATCHES_MAX } from '../base/limits.ts'
import { CERTAIN_SIGNS } from './certain-signs.ts'
import { HINTS, SIGNS } from './instruction-signs.ts'
import type { Sign } from './instruction-signs.ts'
import { linesOf, stretchesOf } from '../base/pieces.ts'
import { isShownAt, isWarning } from '../base/prose.ts'
import type { ScanReport } from '../report.ts'
import { RULES } from '../rules/rules.ts'
import type { RuleId } from '../rules/rules.ts'
import { pipedIntoShell } from '../shell/shell-pipes.ts'
import type { Source } from '../base/source.ts'
import { startWork } from '../base/work.ts'
import type { Work } from '../base/work.ts'

const LOCKED = 'declaration-locked-prerequisite'
const GUESS = 'declaration-download-prerequisite'

/**
 * `[rule, seen, lines, signs]`: how far from the first sign the others may be. It is reported where that one does, which is cheap
 * to look for and rare.
 */
type Verdict = readonly [rule: RuleId, seen: string, lines: number, signs: readonly [Hint, ...Sign[]]]

/** Prose only: requests to a person or an agent. */
const PROSE_VERDICTS: readonly Verdict[] = [
  ['declaration-hidden-orders', 'Something to be sent unseen', 0, ['page', 'sentAway', 'hushed']],
  [
    'declaration-hidden-orders',
    'Orders from a page above those of a user',
    1,
    ['page', 'remote', 'whatever', 'above'],
  ],
  ['declaration-hidden-orders', 'Orders to be planted unseen', 6, ['memory', 'written', 'hushed']],
  ['declaration-hidden-orders', 'All tools to be approved unseen', 10, ['bypassed', 'written', 'silently']],
  ['declaration-hidden-orders', 'An image that carries away what was said', 4, ['beacon', 'aboutTalk']],
  [LOCKED, 'A program in an archive with a password', 4, ['passwordGiven', 'archive', 'fetched', 'started']],
  [LOCKED, 'A program in an archive with a code', 3, ['packed', 'coded', 'fetched', 'programRun']],
  [LOCKED, 'A command to copy from a paste site', 0, ['pasteSite', 'byHand']],
  [LOCKED, 'A command to copy from a paste site', 0, ['pasteSite', 'opened', 'started']],
  [GUESS, 'An archive with a password in the instructions', 0, ['passwordGiven', 'extracts', 'archiveNamed']],
  [GUESS, 'An archive with a code in the instructions', 3, ['packed', 'coded', 'fetched', 'started']],
  [GUESS, 'A script from a paste site', 0, ['pasteSite', 'installs']],
  [GUESS, 'A guard of the system that is to be passed', 1, ['guarded', 'unguarded', 'fetched', 'started']],
  [GUESS, 'A guard of the system that is to be passed', 3, ['guarded', 'unguarded', 'runs']],
  [GUESS, 'A command to copy from a page', 1, ['page', 'byHand', 'command']],
  [GUESS, 'A command to paste without a look at it', 3, ['keyed', 'opened', 'pasted', 'entered']],
  [GUESS, 'A program to download and run by hand first', 3, ['program', 'programRun', 'fetched', 'demanded']],
  [GUESS, 'A program to get from a page and run first', 2, ['page', 'runs', 'fetched', 'demanded']],
  ['declaration-secrecy', 'Something to be sent unseen', 1, ['page', 'secrecy', 'sentAway']],
  ['declaration-secrecy', 'Keys to be read unseen', 1, ['keysNamed', 'secrecy', 'sent']],
  ['declaration-secrecy', 'Keys for which a yes is claimed', 4, ['keysNamed', 'claimed']],
  ['declaration-secrecy', 'Orders to be planted unseen', 2, ['memory', 'secrecy', 'written']],
  ['declaration-secrecy', 'An image that carries away what was said', 4, ['beacon', 'talk']],
  ['declaration-secrecy', 'A payee to be exchanged unseen', 6, ['payee', 'swapped', 'unnoticed']],
  ['declaration-secret-request', 'A person is asked for a key', 4, ['seed', 'asks', 'sent']],
  ['declaration-remote-orders', 'Orders from a page', 2, ['page', 'remote', 'followed', 'obeyed']],
  ['declaration-remote-orders', 'Orders from a page', 0, ['page', 'followsPage']],
  ['declaration-standing-orders', 'Orders that are to stay', 4, ['memory', 'written', 'planted']],
  ['declaration-sensitive-path', 'Keys to be sent away', 1, ['keysNamed', 'keyFiles', 'sent', 'page']],
]

/** Of commands, anywhere. */
const COMMANDED: readonly Verdict[] = [
  ['shell-keys-sent', 'Keys go to the network', 0, ['keysSent']],
  ['shell-keys-sent', 'A command is replaced by one that sends', 0, ['replaced']],
  ['shell-keys-sent', 'Files of a browser or a wallet beside a sender', 15, ['loot', 'stolen', 'uploads']],
  [
    'shell-keys-sent',
    'A clipboard that is watched and sent',
    12,
    ['carries', 'uploads', 'clipboard', 'loopsOver'],
  ],
  ['shell-keys-sent', 'Keys in names that are looked up', 3, ['carries', 'looked', 'packed64']],
  ['shell-keys-sent', 'All secrets of a pipeline beside a sender', 4, ['everySecret', 'carries']],
  ['shell-keys-sent', 'A helper for credentials that sends', 0, ['carries', 'helperSends']],
  ['shell-persistent-access', 'What starts by itself runs a download', 0, ['jobLine', 'fetchRun']],
  ['shell-persistent-access', 'What starts by itself runs a download', 4, ['agent', 'agentRuns']],
  ['shell-persistent-access', 'A file that each shell reads runs a download', 0, ['profileRuns']],
  ['shell-persistent-access', 'A key of somebody else opens the machine', 2, ['keyAdded', 'publicKey']],
  ['shell-hidden-download', 'A download is run out of sight', 0, ['unseen']],
  ['shell-hidden-download', 'A download under a hidden name is started', 3, ['hiddenFile', 'madeProgram']],
  ['shell-hidden-download', 'A guard is switched off beside a download', 12, ['defenderOff', 'loads']],
  ['shell-unnamed-package', 'A package from an address without a name', 0, ['bareIndex']],
  ['shell-sensitive-exfil', 'Keys go to the network', 0, ['carries', 'keysUploaded']],
  ['shell-sensitive-exfil', 'Files of a browser or a wallet beside a sender', 15, ['loot', 'uploads']],
  [
    'shell-sensitive-exfil',
    'The screen or the clipboard beside a sender',
    12,
    ['carries', 'uploads', 'captured'],
  ],
  ['shell-persistence', 'Hooks for every repository', 0, ['autostart', 'hooksMoved']],
  ['shell-persistence', 'A task that starts with the editor', 12, ['folderOpen', 'reaches']],
  ['declaration-remote-orders', 'A skill that is fetched anew', 0, ['carries', 'renewsSkill']],
  ['shell-guard-off', 'All tools are approved unseen', 0, ['bypassed']],
  ['shell-guard-off', 'A mark of downloads is taken off', 0, ['guarded', 'unmarked']],
  [
    'shell-persistence',
    'A file that each shell reads, and a sender',
    12,
    ['autostart', 'shellStart', 'uploads'],
  ],
  ['shell-persistence', 'A program that is to start by itself', 0, ['autostart', 'lasting']],
  ['shell-persistence', 'A program that is to start by itself', 12, ['hook', 'loads', 'lair']],
  ['shell-untrusted-index', 'Packages from an address without a name or encryption', 0, ['index']],
  ['shell-untrusted-index', 'Packages from elsewhere without a check', 3, ['unchecked', 'otherSource']],
  ['shell-untrusted-index', 'Packages from elsewhere', 0, ['index', 'otherIndex']],
  ['shell-untrusted-index', 'Packages from elsewhere', 0, ['addsSource']],
  ['shell-guard-off', 'A guard of the system is switched off', 0, ['guardsOff']],
  ['shell-guard-off', 'An agent that asks nobody', 0, ['unattendedAgent']],
  ['shell-guard-off', 'Checks of a repository are taken away', 0, ['checksOff']],
  ['declaration-secret-request', 'A page that asks for a password', 8, ['askingForm', 'passwordField']],
  ['shell-decoded-command', 'A command that is spelled by numbers', 6, ['scriptShell', 'spelledScript']],
  ['shell-decoded-command', 'A command that is spelled by numbers', 20, ['createsCode', 'hexCode']],
  ['shell-guard-off', 'All tools are approved unseen', 8, ['everyAllowed', 'settingsFile']],
  ['declaration-hidden-orders', 'Orders are added to other skills', 3, ['skillFolders', 'otherSkills']],
  ['shell-package-address', 'A package by its address', 0, ['byAddress']],
  ['shell-install-hook', 'A command that runs when a package is installed', 0, ['installHook']],
  ['shell-host-mount', 'A container with the whole disk', 0, ['hostMount']],
  ['shell-guard-off', 'A guard of the system is switched off', 3, ['guarded', 'unguarded', 'loads']],
  ['shell-guard-off', 'Tools of a server are approved unseen', 8, ['approved', 'page']],
  ['shell-untrusted-pipe-shell', 'A download is started', 2, ['saved', 'nobody', 'startedFile']],
  ['shell-curl-pipe-shell', 'A download is started', 2, ['saved', 'launched']],
]

type Hint = keyof typeof HINTS
// Object.keys forgets the names of keys.
const HINT_LIST = Object.keys(HINTS) as readonly Hint[]

export function* instructionsIn(source: Source, report: ScanReport): Steps<void> {
  if (source.language === 'python' || source.language === 'javascript') return
  const isProse = source.language === 'markdown' || /\.(?:txt|rst|adoc)$/i.test(source.path)
  const verdicts = isProse ? [...PROSE_VERDICTS, ...COMMANDED] : COMMANDED
  const text = (source.text ?? '').slice(0, SKILL_MD_MAX_BYTES)
  let lines: readonly Line[] | null = null
  const work = startWork()
  const refused: number[] = []
  let has: Has | null = null
  for (const hint of HINT_LIST) {
    const begun = verdicts.filter(([, , , [first]]) => first === hint)
    if (begun.length === 0) continue
    yield text.length * SEARCHED
    let seenLine = -1
    const reported = new Map<Verdict, number>()
    for (const { index } of text.matchAll(HINTS[hint])) {
      const at = source.lineAt(index) - 1
      if (work.did(A_HIT)) yield work.report()
      if (at === seenLine) continue
      seenLine = at
      lines ??= Array.from(linesOf(text))
      has ??= signsOf(lines, work)
      if (!(yield* has(hint, at, 0))) continue
      for (const verdict of begun) {
        const [rule, seen, apart, [, ...others]] = verdict
        const count = reported.get(verdict) ?? 0
        // As many as are reported; a file may consist of nothing else.
        if (count > SCAN_MATCHES_MAX) continue
        let isWhole = true
        for (const sign of others) isWhole &&= yield* has(sign, at, apart)
        if (!isWhole) continue
        reported.set(verdict, count + 1)
        // A guess about what is refused next to it says nothing new.
        if (rule === LOCKED) refused.push(at)
        else if (
          RULES[rule].severity !== 'error' &&
          refused.some((line) => Math.abs(line - at) <= BESIDE_LINES)
        )
          continue
        const [words, offset] = lines[at] ?? ['', 0]
        // A comment of a script is not run.
        if (source.language === 'shell' && /^\s{0,80}#/.test(words)) continue
        const shown = isProse && (isWarning(words) || isShownAt(text, offset))
        report[shown ? 'addExample' : 'add'](rule, source.path, at + 1, seen)
      }
    }
  }
  yield work.report()
}

const BESIDE_LINES = 6
type Has = (sign: Sign, at: number, apart: number) => Steps<boolean>

type Line = readonly [words: string, offset: number]

/** Returns whether a sign is in a line, or within so many lines of it. Each line is searched once. */
function signsOf(lines: readonly Line[], work: Work): Has {
  interface Known {
    stretches: readonly string[] | null
    /** Without text reported as a download. */
    unpiped: readonly string[]
    readonly signs: Map<Sign, boolean>
  }
  const known = new Map<number, Known>()
  function* isIn(sign: Sign, at: number): Steps<boolean> {
    const words = lines[at]?.[0]
    if (words === undefined || words === '') return false
    const line = known.get(at) ?? { stretches: null, unpiped: [], signs: new Map<Sign, boolean>() }
    known.set(at, line)
    const before = line.signs.get(sign)
    if (before !== undefined) return before
    if (line.stretches === null) {
      const judged: string[] = []
      line.stretches = Array.from(stretchesOf(words))
      for (const stretch of line.stretches) {
        // Text that is run as it arrives is reported as that.
        if (pipedIntoShell(stretch) === null) judged.push(stretch)
        if (work.did(stretch.length * JUDGED)) yield work.report()
      }
      line.unpiped = judged
    }
    let found = false
    for (const stretch of sign in CERTAIN_SIGNS ? line.stretches : line.unpiped) {
      if (work.did(A_STRETCH + stretch.length * JUDGED)) yield work.report()
      found ||= SIGNS[sign].test(stretch)
    }
    line.signs.set(sign, found)
    return found
  }
  return function* (sign, at, apart) {
    for (let line = at - apart; line <= at + apart; line++) if (yield* isIn(sign, line)) return true
    return false
  }
}

// Microseconds: a character in which words are looked for, one that is found, a stretch that is judged, and its characters.
const SEARCHED = 0.004
const A_HIT = 1
const A_STRETCH = 1
const JUDGED = 0.1
