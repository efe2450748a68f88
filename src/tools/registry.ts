// The tools of the build, in the fixed order in which the model is given them; what a new thread writes down of them; and
// what carries out a call of a tool that a thread wrote down.

import { NEVER_ASK } from '../agent/approval.ts'
import type { Tool, ToolRow } from '../agent/tool.ts'
import { sha256Hex } from '../lib/bytes.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { ASK_CLARIFICATION } from './ask-clarification.ts'
import { BASH } from './bash.ts'
import type { BuiltinTool, ToolContext } from './builtin.ts'
import { GLOB } from './files/glob.ts'
import { GREP } from './files/grep.ts'
import { LOAD_SKILL } from './load-skill.ts'
import { LS } from './files/ls.ts'
import { PRESENT_FILES } from './files/present-files.ts'
import { READ_FILE } from './files/read-file.ts'
import { STR_REPLACE } from './files/str-replace.ts'
import { VIEW_IMAGE } from './files/view-image.ts'
import { WRITE_FILE } from './files/write-file.ts'
import { SEARCH_SKILLS } from './search-skills.ts'
import { WEB_FETCH } from './web/web-fetch.ts'
import { IMAGE_SEARCH, WEB_SEARCH } from './web/web-search.ts'

interface ToolGroup {
  readonly name: string
  readonly tools: readonly BuiltinTool[]
}

const GROUPS: readonly ToolGroup[] = [
  { name: 'skills', tools: [LOAD_SKILL, SEARCH_SKILLS] },
  {
    name: 'files',
    tools: [READ_FILE, LS, GLOB, GREP, WRITE_FILE, STR_REPLACE, BASH, PRESENT_FILES, VIEW_IMAGE],
  },
  { name: 'web', tools: [WEB_SEARCH, IMAGE_SEARCH, WEB_FETCH] },
  { name: 'person', tools: [ASK_CLARIFICATION] },
]

export const GROUP_NAMES: readonly string[] = GROUPS.map(({ name }) => name)

export const BUILTINS: readonly BuiltinTool[] = GROUPS.flatMap(({ tools }) => tools)

/** The group that a tool of the build stands in; null: in none. */
export function groupOf({ name, source }: Pick<ToolRow, 'name' | 'source'>): string | null {
  if (source === 'http') return null
  return GROUPS.find(({ tools }) => tools.some(({ spec }) => spec.name === name))?.name ?? null
}

/** Rows of these tools, as a thread that is born now would keep them. */
export function rowsOf(tools: readonly BuiltinTool[]): Promise<readonly ToolRow[]> {
  return Promise.all(
    tools.map(async ({ spec, effect, approval = NEVER_ASK }): Promise<ToolRow> => {
      const digest = await sha256Hex(canonicalJson(spec))
      return { name: spec.name, spec, source: 'builtin', effect, approval, digest }
    }),
  )
}

/**
 * Those that a thread is born with. Where its prompt describes every skill there is nothing to search for, and without
 * an engine nothing to search the web with but what the model itself has.
 */
export function bornWith(
  rows: readonly ToolRow[],
  { describesAll, searchesWeb }: { readonly describesAll: boolean; readonly searchesWeb: boolean },
): readonly ToolRow[] {
  const without = new Set(
    [...(describesAll ? [SEARCH_SKILLS] : []), ...(searchesWeb ? [] : [WEB_SEARCH, IMAGE_SEARCH])].map(
      ({ spec }) => spec.name,
    ),
  )
  return rows.filter(({ name, source }) => source === 'server' || !without.has(name))
}

/**
 * What carries out a call of a tool of the build; null: this release has it no more. One from settings is found in the
 * live catalog (live.ts).
 */
export function toolOf(row: ToolRow, builtins: readonly BuiltinTool[], context: ToolContext): Tool | null {
  switch (row.source) {
    case 'builtin':
      return builtinOf(
        builtins.find(({ spec }) => spec.name === row.name),
        context,
      )
    case 'http':
    case 'server':
      return null
  }
}

function builtinOf(tool: BuiltinTool | undefined, context: ToolContext): Tool | null {
  if (!tool) return null
  const { approval, preview } = tool
  if (!approval && !preview) return tool.make(context)
  return { ...tool.make(context), ...(approval ? { approval } : {}), ...(preview ? { preview } : {}) }
}
