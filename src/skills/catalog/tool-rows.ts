// Reads and writes the rows of HTTP tools and MCP servers: versions, live versions, approvals and switches. Synchronous; makes no decisions.

import { SKILL_VERSIONS_LISTED_MAX } from './limits.ts'
import type { ToolEntry, WholeTool } from '../skill.ts'
import type { BuildToolChoice, ToolOverlay } from './merge-tools.ts'
import type { ToolVersion, ToolVersionInfo } from './tools-api.ts'
import type { Activation } from './version-rows.ts'

// The cast is safe: only this file writes definitions.
function definitionFrom(json: string): ToolEntry['definition'] {
  return JSON.parse(json) as ToolEntry['definition']
}

export function readToolOverlay(sql: SqlStorage): ToolOverlay {
  type Row = { name: string; digest: string; definition: string; enabled: number; updated_at: string }
  const approvals = readApprovals(sql)
  const tools = new Map<string, WholeTool>()
  for (const { definition, enabled, ...row } of sql.exec<Row>(
    `SELECT t.name, t.digest, v.definition, t.enabled, t.updated_at
       FROM tools t JOIN tool_versions v ON v.name = t.name AND v.digest = t.digest`,
  )) {
    const approved = approvals.workspace.get(row.name)
    tools.set(row.name, {
      ...row,
      definition: definitionFrom(definition),
      enabled: enabled === 1,
      source: 'workspace',
      ...(approved && { approved }),
    })
  }
  const switches = new Map<string, BuildToolChoice>()
  for (const [name, approved] of approvals.build) switches.set(name, { approved })
  for (const { name, enabled } of sql.exec<{ name: string; enabled: number }>(
    'SELECT name, enabled FROM tool_switches',
  ))
    switches.set(name, { ...switches.get(name), enabled: enabled === 1 })
  return { tools, switches }
}

type Approved = NonNullable<ToolEntry['approved']>

/** What was approved, by source and name. */
function readApprovals(sql: SqlStorage): Readonly<Record<ToolEntry['source'], Map<string, Approved>>> {
  type Row = { source: ToolEntry['source']; name: string; part: number; json: string }
  const approvals = { workspace: new Map<string, Approved>(), build: new Map<string, Approved>() }
  let tools: unknown = null
  for (const { source, name, part, json } of sql.exec<Row>(
    'SELECT source, name, part, json FROM tool_approvals ORDER BY source, name, part',
  )) {
    const value = definitionFrom(json)
    if (part === 0) {
      tools = value['tools']
      approvals[source].set(name, value)
    } else if (Array.isArray(tools)) tools.push(value)
  }
  return approvals
}

/** Replaces what was approved of a server. */
export function setApproval(
  sql: SqlStorage,
  source: ToolEntry['source'],
  name: string,
  approved: Approved,
): void {
  removeApproval(sql, source, name)
  const tools: readonly unknown[] = Array.isArray(approved['tools']) ? approved['tools'] : []
  const first = 'tools' in approved ? { ...approved, tools: [] } : approved
  for (const [part, value] of [first, ...tools].entries())
    sql.exec(
      'INSERT INTO tool_approvals (source, name, part, json) VALUES (?, ?, ?, ?)',
      source,
      name,
      part,
      JSON.stringify(value),
    )
}

function removeApproval(sql: SqlStorage, source: ToolEntry['source'], name: string): void {
  sql.exec('DELETE FROM tool_approvals WHERE source = ? AND name = ?', source, name)
}

export function setLiveTool(sql: SqlStorage, { name, digest, enabled, updated_at }: ToolEntry): void {
  sql.exec(
    `INSERT INTO tools (name, digest, enabled, updated_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET digest = excluded.digest, enabled = excluded.enabled,
       updated_at = excluded.updated_at`,
    name,
    digest,
    enabled ? 1 : 0,
    updated_at,
  )
}

/** Removes the tool with what was approved of it. */
export function removeLiveTool(sql: SqlStorage, tool: string): void {
  sql.exec('DELETE FROM tools WHERE name = ?', tool)
  removeApproval(sql, 'workspace', tool)
}

/** Stores whether the build's tool of this name is switched on. */
export function setBuildToolSwitch(sql: SqlStorage, tool: string, enabled: boolean): void {
  sql.exec(
    'INSERT INTO tool_switches (name, enabled) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET enabled = excluded.enabled',
    tool,
    Number(enabled),
  )
}

/** Stores a version. One that exists already keeps its first author and note. */
export function insertToolVersion(
  sql: SqlStorage,
  tool: string,
  { digest, definition, author, note, created_at }: ToolVersion,
): void {
  sql.exec(
    `INSERT INTO tool_versions (name, digest, definition, author, note, created_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (name, digest) DO NOTHING`,
    tool,
    digest,
    JSON.stringify(definition),
    author,
    note,
    created_at,
  )
}

/** The version of a tool, or null if it was never stored here. */
export function toolVersion(sql: SqlStorage, tool: string, digest: string): ToolVersion | null {
  type Row = Omit<ToolVersion, 'definition'> & { definition: string }
  const [row] = sql
    .exec<Row & Record<string, SqlStorageValue>>(
      `SELECT digest, definition, created_at, author, note FROM tool_versions WHERE name = ? AND digest = ?`,
      tool,
      digest,
    )
    .toArray()
  return row ? { ...row, definition: definitionFrom(row.definition) } : null
}

/** The versions of a tool, newest first. */
export function listToolVersions(sql: SqlStorage, tool: string): readonly ToolVersionInfo[] {
  type Row = Omit<ToolVersionInfo, 'live'> & { live: number }
  return sql
    .exec<Row & Record<string, SqlStorageValue>>(
      `SELECT v.digest, v.created_at, v.author, v.note, t.digest IS NOT NULL AS live
         FROM tool_versions v LEFT JOIN tools t ON t.name = v.name AND t.digest = v.digest
        WHERE v.name = ? ORDER BY v.seq DESC LIMIT ?`,
      tool,
      SKILL_VERSIONS_LISTED_MAX,
    )
    .toArray()
    .map((row) => ({ ...row, live: row.live === 1 }))
}

/** The names of all tools ever created in this workspace. */
export function catalogToolNames(sql: SqlStorage): readonly string[] {
  return sql
    .exec<{ name: string }>('SELECT DISTINCT name FROM tool_versions')
    .toArray()
    .map(({ name }) => name)
}

/** Every occasion on which a version of the tool became live, oldest first. */
export function toolActivations(sql: SqlStorage, tool: string): readonly Activation[] {
  return sql
    .exec<{ action: string; digest: string }>(
      `SELECT h.action, h.after_digest AS digest FROM history h
         JOIN tool_versions v ON v.name = h.name AND v.digest = h.after_digest
        WHERE h.kind = 'tool' AND h.name = ? AND h.action IN ('put', 'rollback', 'restore') ORDER BY h.seq`,
      tool,
    )
    .toArray()
}
