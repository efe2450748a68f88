// Lists the built-in tools in the order in which the model receives them. To add a tool, create a file and add it here.

import type { KnownTools } from '../skills/format/tool-names.ts'
import { BASH } from './files/bash.ts'
import { GLOB } from './files/glob.ts'
import { GREP } from './files/grep.ts'
import { LS } from './files/ls.ts'
import { PRESENT_FILES } from './files/present-files.ts'
import { READ_FILE } from './files/read-file.ts'
import { STR_REPLACE } from './files/str-replace.ts'
import { CALL_TOOL } from './deferred/call-tool.ts'
import { TOOL_SEARCH } from './deferred/tool-search.ts'
import { VIEW_IMAGE } from './files/view-image.ts'
import { WRITE_FILE } from './files/write-file.ts'
import { ASK_CLARIFICATION } from './person/ask-clarification.ts'
import type { BuiltinTool } from './record/builtin.ts'
import { LOAD_SKILL } from './skills/load-skill.ts'
import { SEARCH_SKILLS } from './skills/search-skills.ts'
import { WEB_FETCH } from './web/web-fetch.ts'
import { SEARCH_THREAD } from './thread/search-thread.ts'
import { WRITE_TODOS } from './thread/write-todos.ts'
import { IMAGE_SEARCH, WEB_SEARCH } from './web/web-search.ts'

export const BUILTINS: readonly BuiltinTool[] = [
  LOAD_SKILL,
  SEARCH_SKILLS,
  READ_FILE,
  LS,
  GLOB,
  GREP,
  WRITE_FILE,
  STR_REPLACE,
  BASH,
  PRESENT_FILES,
  VIEW_IMAGE,
  WEB_SEARCH,
  IMAGE_SEARCH,
  WEB_FETCH,
  ASK_CLARIFICATION,
  SEARCH_THREAD,
  WRITE_TODOS,
  TOOL_SEARCH,
  CALL_TOOL,
]

/** Planned tools. HTTP tools may not have these names. */
const PLANNED_TOOLS: readonly string[] = ['read_mcp_resource', 'task']

const GROUP_NAMES: readonly string[] = [...new Set(BUILTINS.flatMap(({ group }) => group ?? []))]

/** The reserved names in their usual spelling; reservedNameFault() also recognizes other spellings. */
export const RESERVED_TOOL_NAMES: ReadonlySet<string> = new Set([
  ...BUILTINS.map(({ spec }) => spec.name),
  ...GROUP_NAMES,
  ...PLANNED_TOOLS,
])

/** The names by which skills may refer to Satchel's tools. */
export const KNOWN_TOOLS: KnownTools = {
  satchelNames: new Map(
    BUILTINS.flatMap(({ spec: { name }, aliases = [] }) =>
      [name, ...aliases].map((nameOrAlias) => [nameOrAlias, name] as const),
    ),
  ),
  always: new Set(BUILTINS.filter(({ always }) => always).map(({ spec }) => spec.name)),
}

/** Why an HTTP tool may not have this name, as the end of a sentence; null if it may have it. Ignores letter case. */
export function reservedNameFault(name: string): string | null {
  const lowerCaseName = name.toLowerCase()
  const builtinName = KNOWN_TOOLS.satchelNames.get(lowerCaseName)
  if (builtinName !== undefined) return `refers to the built-in tool ${builtinName}; choose another name`
  if (lowerCaseName.startsWith('mcp_'))
    return 'begins with mcp_, which is reserved for tools of MCP servers; choose another name'
  if (PLANNED_TOOLS.includes(lowerCaseName)) return 'is reserved for a built-in tool; choose another name'
  return GROUP_NAMES.includes(lowerCaseName) ? 'is a group of built-in tools; choose another name' : null
}
