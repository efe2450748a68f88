// Reads and writes the rows of HTTP tools and MCP servers: versions, live versions and switches. Synchronous; makes no decisions.

import { SKILL_VERSIONS_LISTED_MAX } from './limits.ts'
import type { ToolEntry } from '../skill.ts'
import type { BuildToolChoice, ToolOverlay } from './merge-tools.ts'
import type { ToolVersion, ToolVersionInfo } from './tools-api.ts'
import type { Activation } from './version-rows.ts'

// The cast is safe: only this file writes definitions.
function definitionFrom(json: string): ToolEntry['definition'] {
  return JSON.parse(json) as ToolEntry['definition']
}

export function readToolOverlay(sql: SqlStorage): ToolOverlay {
  type Row = {
    name: string
    digest: string
    definition: string
    enabled: number
    updated_at: string
    approved: string | null
  }
  const tools = new Map<string, ToolEntry>()
  for (const { definition, enabled, approved, ...row } of sql.exec<Row>(
    `SELECT t.name, t.digest, v.definition, t.enabled, t.updated_at, t.approved
       FROM tools t JOIN tool_versions v ON v.name = t.name AND v.digest = t.digest`,
  ))
    tools.set(row.name, {
      ...row,
      definition: definitionFrom(definition),
      enabled: enabled === 1,
      source: 'workspace',
      ...(approved === null ? {} : { approved: definitionFrom(approved) }),
    })
  const switches = new Map(
    sql
      .exec<{ name: string; enabled: number | null; approved: string | null }>(
        'SELECT name, enabled, approved FROM tool_switches',
      )
      .toArray()
      .map(({ name, enabled, approved }): [string, BuildToolChoice] => [
        name,
        {
          ...(enabled === null ? {} : { enabled: enabled === 1 }),
          ...(approved === null ? {} : { approved: definitionFrom(approved) }),
        },
      ]),
  )
  return { tools, switches }
}

export function setLiveTool(
  sql: SqlStorage,
  { name, digest, enabled, updated_at, approved }: ToolEntry,
): void {
  sql.exec(
    `INSERT INTO tools (name, digest, enabled, updated_at, approved) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET digest = excluded.digest, enabled = excluded.enabled,
       updated_at = excluded.updated_at, approved = excluded.approved`,
    name,
    digest,
    enabled ? 1 : 0,
    updated_at,
    approved ? JSON.stringify(approved) : null,
  )
}

export function removeLiveTool(sql: SqlStorage, tool: string): void {
  sql.exec('DELETE FROM tools WHERE name = ?', tool)
}

/** Stores the fields that are present. */
export function setBuildToolChoice(
  sql: SqlStorage,
  tool: string,
  { enabled, approved }: BuildToolChoice,
): void {
  sql.exec(
    `INSERT INTO tool_switches (name, enabled, approved) VALUES (?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET enabled = coalesce(excluded.enabled, enabled),
       approved = coalesce(excluded.approved, approved)`,
    tool,
    enabled === undefined ? null : Number(enabled),
    approved ? JSON.stringify(approved) : null,
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
