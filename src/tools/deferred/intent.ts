// Whether a query asks to see something or to change something, and which of the two a tool does. Pure.

import { rawTerms } from '../../skills/search/tokens.ts'
import type { SearchedTool } from '../record/offered.ts'
import { ownNameOf, nameParts } from './tool-terms.ts'

export type ToolIntent = 'read' | 'write' | null

const setOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

const READING = setOf(`
  aggregate analyze analyse autocomplete browse calculate check compare compute count describe detect diff discover display
  download enumerate estimate examine explain explore export extract fetch find forecast geocode get head identify inspect list
  locate look lookup measure monitor navigate overview peek pull query rank rate read recommend retrieve scan scrape search see
  select show simulate suggest summarize summarise tail trace track translate validate verify view wait watch`)
const WRITING = setOf(`
  abort accept acknowledge activate add adjust advance allocate announce append apply approve archive assign attach ban batch
  begin bill block book bulk cancel capture change charge claim clear clone close comment commit complete confirm configure
  convert copy create deactivate decide decline delete deny deploy disable discard dismiss dispatch draft drop duplicate edit
  email enable enroll enrol escalate execute expire extend file finalize fire forward fork freeze generate give grant hire hold
  ignore import insert install invite issue join kick kill label launch leave link lock log make mark merge message modify move
  mute notify onboard offboard open order overwrite patch pause pay ping pin place post postpone promote propose provision publish
  purge push put quarantine raise rearrange reassign rebuild reconnect record redirect refund register reject release relabel
  remind remove rename reopen reorder replace reply report request rerun reschedule reserve reset resize resolve respond restart
  restore restrict resume retry return revert revoke roll rotate run save schedule send set share ship silence sign snooze split
  star start stop store submit subscribe suspend swap switch sync tag terminate tell toggle transfer transition trash trigger
  turn unarchive unassign unblock undo uninstall unlock unmute unpin unpublish unsubscribe update upgrade upload upsert void
  whitelist withdraw write`)
const ASKING = setOf(`
  what whats which who whos whom whose when where why how is are was were do does did has have had can could any should will`)
/** What a request may begin with before it says what to do. */
const POLITE =
  /^(?:(?:please|kindly|can you|could you|would you|i (?:want|need|would like|d like) to|we (?:want|need) to|help me|let s|how (?:do|can|to) (?:i|we)?|need to|want to|now|then|just|also|the user wants to)\s+)+/

/** Null if it may be either. */
export function intentOfQuery(query: string): ToolIntent {
  const terms = rawTerms(query).join(' ').replace(POLITE, '').split(' ')
  const [first = ''] = terms
  if (WRITING.has(first)) return 'write'
  if (READING.has(first) || ASKING.has(first)) return 'read'
  return terms.some((term) => WRITING.has(term)) ? null : 'read'
}

export function intentOfTool(tool: SearchedTool): ToolIntent {
  // A name may begin with that of its server. Descriptions begin with a verb.
  const verbs = [...nameParts(ownNameOf(tool)).slice(0, 2), ...rawTerms(tool.text.description).slice(0, 1)]
  return verbs.map(intentOf).find((intent) => intent !== null) ?? null
}

function intentOf(term: string): ToolIntent {
  const forms = [term, term.replace(/s$/, ''), term.replace(/es$/, '')]
  return forms.some((form) => READING.has(form))
    ? 'read'
    : forms.some((form) => WRITING.has(form))
      ? 'write'
      : null
}
