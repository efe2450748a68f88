// Decides which tools the active skills allow the model to call. Pure. Skills can only restrict tools, never grant
// them.

import { escapeXml } from '../../lib/framework-tags.ts'
import { mappedTools, type KnownTools } from '../format/tool-names.ts'
import { isNameOf, mcpToolName } from '../mcp-tool-names.ts'
import type { IndexEntry } from '../skill.ts'

type Declares = Pick<IndexEntry, 'name' | 'allowed_tools' | 'disallowed_tools'>

/** Why a tool may not be called: which active skills rule it out, and which tools they allow. */
export interface Barred {
  readonly skills: readonly string[]
  /** The offered tools that the skills allow, without those that are always allowed; null if the tool is disallowed. */
  readonly remainingTools: readonly string[] | null
}

/**
 * Why `tool` may not be called, or null if it may. A tool in `disallowed-tools` of an active skill is ruled
 * out. If any active skill restricts tools, a tool that is in no `allowed-tools` of the active skills is
 * ruled out, too. A list restricts tools if it is empty or contains at least one tool that exists here.
 * `offered` are the thread's tools, which include HTTP tools and tools of MCP servers.
 */
export function barred(
  tool: string,
  active: readonly Declares[],
  offered: readonly string[],
  known: KnownTools,
): Barred | null {
  if (known.always.has(tool)) return null
  const satchelNamesOf = (names: readonly string[]): readonly string[] => [
    ...mappedTools(names, known).known,
    ...names.flatMap((name) => meantTools(name, offered)),
  ]
  const disallowing = active.filter((skill) => satchelNamesOf(skill.disallowed_tools).includes(tool))
  if (disallowing.length > 0) return { skills: disallowing.map((skill) => skill.name), remainingTools: null }
  const declaring = active
    .map((skill) => ({ name: skill.name, declared: skill.allowed_tools }))
    .flatMap(({ name, declared }) =>
      declared === null ? [] : [{ name, declared, mapped: satchelNamesOf(declared) }],
    )
    .filter(({ declared, mapped }) => declared.length === 0 || mapped.length > 0)
  if (declaring.length === 0) return null
  const allowedTools = new Set(declaring.flatMap(({ mapped }) => mapped))
  if (allowedTools.has(tool)) return null
  const remainingTools = offered.filter((name) => allowedTools.has(name) && !known.always.has(name))
  return { skills: declaring.map(({ name }) => name), remainingTools }
}

/** The thread's tools that a name means. `mcp__server` means all tools of that server. */
function meantTools(name: string, offered: readonly string[]): readonly string[] {
  if (offered.includes(name)) return [name]
  const [, server] = /^mcp__([a-z0-9-]+)$/i.exec(name) ?? []
  if (server === undefined) return offered.filter((own) => isNameOf(own, name))
  const prefix = mcpToolName(server, '').toLowerCase()
  return offered.filter((own) => own.toLowerCase().startsWith(prefix))
}

/** Tells the model that the call was not made, and what to do instead. */
export function barredText(tool: string, { skills, remainingTools }: Barred): string {
  const isSingle = skills.length === 1
  const which = `${isSingle ? 'Skill' : 'Skills'} ${skills.map((name) => `"${escapeXml(name)}"`).join(', ')}`
  const what =
    remainingTools === null
      ? `${which} ${isSingle ? 'rules' : 'rule'} this tool out until this answer ends.`
      : `${which} ${isSingle ? 'leaves' : 'leave'} ${remainingTools.length === 0 ? 'no tool with side effects' : `these tools: ${remainingTools.join(', ')}`}, besides reading and asking.`
  return `Error: Tool '${tool}' is not allowed by the active skill policy. ${what} Continue with the remaining tools, or say what you could not do.`
}

/** The note that is added to a result if the policy only warns. */
export function barredNote({ skills }: Barred): string {
  return `\n\n[The active skill policy (${skills.map(escapeXml).join(', ')}) does not allow this tool. It ran because this workspace only warns.]`
}
