// What a call of a tool is in a person's words: the verb, and what it is done to. Pure; draws nothing.

import { field, pathsOf } from '../lib/fields.ts'
import { nameOf } from './files.ts'
import type { ToolItem } from './items.ts'

type ActIcon = 'skill' | 'file' | 'image' | 'pencil' | 'search' | 'code' | 'globe' | 'tool'

export interface Act {
  readonly icon: ActIcon
  /** While it runs, when it is done, and when it failed: each is followed by its object. */
  readonly now: string
  readonly past: string
  readonly failed: string
  /** What several of its objects are called. */
  readonly many: string
}

const ACTS: ReadonlyMap<string, Act> = new Map([
  ['load_skill', act('skill', 'Loading', 'Loaded', 'Could not load', 'skills')],
  ['read_file', act('file', 'Reading', 'Read', 'Could not read', 'files')],
  ['present_files', act('file', 'Presenting', 'Presented', 'Could not present', 'times')],
  ['view_image', act('image', 'Looking at', 'Looked at', 'Could not look at', 'pictures')],
  ['write_file', act('pencil', 'Writing', 'Wrote', 'Could not write', 'files')],
  ['str_replace', act('pencil', 'Changing', 'Changed', 'Could not change', 'places')],
  ['ls', act('file', 'Listing', 'Listed', 'Could not list', 'folders')],
  ['glob', act('search', 'Looking for', 'Looked for', 'Could not look for', 'patterns')],
  ['grep', act('search', 'Searching for', 'Searched for', 'Could not search for', 'patterns')],
  ['search_skills', act('search', 'Looking for skills:', 'Looked for skills:', 'Found no skills:', 'words')],
  ['bash', act('code', 'Running', 'Ran', 'Ran, with an error:', 'commands')],
  ['web_fetch', act('globe', 'Fetching', 'Fetched', 'Could not fetch', 'pages')],
  ['web_search', act('globe', 'Searching for', 'Searched for', 'Could not search for', 'things on the web')],
  ['image_search', act('globe', 'Searching for', 'Searched for', 'Could not search for', 'pictures')],
])

/** Characters of an object on a line; the whole stands behind it. */
const OBJECT_CHARS = 120

function act(icon: ActIcon, now: string, past: string, failed: string, many: string): Act {
  return { icon, now, past, failed, many }
}

export function actOf(name: string): Act {
  return (
    ACTS.get(name) ?? act('tool', `Calling ${name}`, `Called ${name}`, `The call failed: ${name}`, 'times')
  )
}

/** What the call is about, on one line; '' where nothing short tells it. */
function objectOf({ name, input, skill }: Pick<ToolItem, 'name' | 'input' | 'skill'>): string {
  if (!ACTS.has(name)) return ''
  const text =
    skill?.name ??
    field(input, 'pattern') ??
    field(input, 'query') ??
    addressOf(input) ??
    field(input, 'command') ??
    (pathsOf(input).map(nameOf).join(', ') || field(input, 'name'))
  const [line = ''] = (text ?? '').trim().split('\n')
  const points = Array.from(line)
  return points.length > OBJECT_CHARS ? `${points.slice(0, OBJECT_CHARS).join('')}…` : line
}

/** "Reading severity-levels.md", "Read severity-levels.md". */
export function lineOf(item: ToolItem): { readonly verb: string; readonly object: string } {
  if (item.state === 'denied') return { verb: `Denied: ${item.name}`, object: objectOf(item) }
  const words = actOf(item.name)
  const verb = { running: words.now, done: words.past, failed: words.failed, stopped: words.now }[item.state]
  return { verb, object: objectOf(item) }
}

function addressOf(input: unknown): string | null {
  const url = field(input, 'url')
  return url === null ? null : url.replace(/^https?:\/\//, '')
}
