// Reads `extensions_config.json`, which has deer-flow's format: which built-in skills are disabled, and which tools and
// MCP servers are part of the build.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { Finding, ToolEntry } from '../../src/skills/skill.ts'
import { readBuildServers } from './mcp-servers.ts'
import { readBuildTools } from './tools.ts'

const SWITCHES_FILE = 'extensions_config.json'

// Other keys are ignored.
const Config = z.object({
  skills: z.record(z.string(), z.object({ enabled: z.boolean().default(true) })).default({}),
  tools: z.array(z.unknown()).default([]),
  mcpServers: z.record(z.string(), z.unknown()).default({}),
})

export interface Switches {
  /** Whether skills are enabled, by name. */
  readonly enabled: ReadonlyMap<string, boolean>
  /** HTTP tools and MCP servers, sorted by name. */
  readonly tools: readonly ToolEntry[]
  readonly findings: readonly Finding[]
}

/** Reads the switches and tools of a directory of skills. There are none if the file does not exist. */
export async function readSwitches(directory: string): Promise<Switches> {
  const invalid = (message: string): Switches => {
    const fix = 'Write {"skills": {"<name>": {"enabled": false}}}.'
    const rule = 'switches-unreadable'
    return {
      enabled: new Map(),
      tools: [],
      findings: [{ rule, severity: 'error', file: SWITCHES_FILE, line: null, message, fix }],
    }
  }
  let text: string
  try {
    text = await readFile(join(directory, SWITCHES_FILE), 'utf8')
  } catch (error) {
    const isAbsent =
      error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
    return isAbsent ? { enabled: new Map(), tools: [], findings: [] } : invalid('The file cannot be read.')
  }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return invalid('The file is not valid JSON.')
  }
  const parsed = Config.safeParse(json)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return invalid(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'unexpected shape'}.`)
  }
  const { skills, mcpServers } = parsed.data
  const { tools, findings } = await readBuildTools(parsed.data.tools, SWITCHES_FILE)
  const { servers, findings: ofServers } = await readBuildServers(mcpServers, SWITCHES_FILE)
  return {
    enabled: new Map(Object.entries(skills).map(([name, { enabled }]) => [name, enabled])),
    tools: [...tools, ...servers].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    findings: [...findings, ...ofServers],
  }
}
